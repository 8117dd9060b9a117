#pragma once

#include "CoreMinimal.h"
#include "Modules/ModuleManager.h"

PCCD_API DECLARE_LOG_CATEGORY_EXTERN(LogPccd, Log, All);

// Loads the library of the plugin where it is delay-loaded: on Windows.
class FPccdModule : public IModuleInterface {
public:
    virtual void StartupModule() override;
    virtual void ShutdownModule() override;

private:
    void* Library = nullptr;
};
