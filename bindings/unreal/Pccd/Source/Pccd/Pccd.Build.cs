using UnrealBuildTool;

public class Pccd : ModuleRules
{
    public Pccd(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new string[] { "Core", "CoreUObject", "Engine", "PccdLibrary" });
        PrivateDependencyModuleNames.AddRange(new string[] { "Projects", "ProceduralMeshComponent", "RenderCore" });
    }
}
