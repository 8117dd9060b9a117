// libpccd as it is: header, library, and what has to be shipped. ../../../../pack.sh puts them beside this file.

using System.IO;
using UnrealBuildTool;

public class PccdLibrary : ModuleRules
{
    public PccdLibrary(ReadOnlyTargetRules Target) : base(Target)
    {
        Type = ModuleType.External;
        PublicSystemIncludePaths.Add(Path.Combine(ModuleDirectory, "include"));
        string Folder = Path.Combine(ModuleDirectory, "lib", Target.Platform.ToString());
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicAdditionalLibraries.Add(Path.Combine(Folder, "pccd.dll.lib"));
            // FPccdModule loads it from the folder of the plugin, before the first call.
            PublicDelayLoadDLLs.Add("pccd.dll");
            RuntimeDependencies.Add("$(PluginDir)/Binaries/ThirdParty/PccdLibrary/Win64/pccd.dll", Path.Combine(Folder, "pccd.dll"));
        }
        else if (Target.Platform == UnrealTargetPlatform.Linux)
        {
            // Programs look for it under its SONAME.
            string Library = Path.Combine(Folder, "libpccd.so.0");
            PublicAdditionalLibraries.Add(Library);
            PublicRuntimeLibraryPaths.Add(Folder);
            RuntimeDependencies.Add(Library);
        }
        else if (Target.Platform == UnrealTargetPlatform.Mac)
        {
            string Library = Path.Combine(Folder, "libpccd.dylib");
            PublicAdditionalLibraries.Add(Library);
            PublicRuntimeLibraryPaths.Add(Folder);
            RuntimeDependencies.Add(Library);
        }
    }
}
