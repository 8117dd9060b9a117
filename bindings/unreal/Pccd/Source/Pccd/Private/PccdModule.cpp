#include "PccdModule.h"

#include "HAL/PlatformProcess.h"
#include "Interfaces/IPluginManager.h"
#include "Misc/Paths.h"
#include "pccd.h"

DEFINE_LOG_CATEGORY(LogPccd);

void FPccdModule::StartupModule() {
#if PLATFORM_WINDOWS
    const FString Folder = IPluginManager::Get().FindPlugin(TEXT("Pccd"))->GetBaseDir();
    const FString Path = FPaths::Combine(Folder, TEXT("Binaries/ThirdParty/PccdLibrary/Win64/pccd.dll"));
    Library = FPlatformProcess::GetDllHandle(*Path);
    if (!Library) {
        UE_LOG(LogPccd, Error, TEXT("cannot load %s"), *Path);
        return;
    }
#endif
    if (pccd_abi_version() != PCCD_ABI_VERSION) {
        UE_LOG(LogPccd, Error, TEXT("pccd.h is for version %d of the interface, the library has %d"), PCCD_ABI_VERSION,
               static_cast<int32>(pccd_abi_version()));
    }
}

// Components have closed their contexts by now. The library stays where it is: threads of the engine may have been in it, and what
// they have of it goes with them.
void FPccdModule::ShutdownModule() { Library = nullptr; }

IMPLEMENT_MODULE(FPccdModule, Pccd)
