#pragma once

#include "../CoreMinimal.h"

enum ETickingGroup { TG_PrePhysics, TG_PostUpdateWork };
enum ELevelTick { LEVELTICK_All };
namespace EEndPlayReason {
enum Type { Destroyed };
}
struct FActorComponentTickFunction {
    bool bCanEverTick = false;
    ETickingGroup TickGroup = TG_PrePhysics;
};
class AActor;
class UActorComponent {
public:
    virtual ~UActorComponent() = default;
    virtual void BeginPlay() {}
    virtual void EndPlay(const EEndPlayReason::Type) {}
    virtual void TickComponent(float, ELevelTick, FActorComponentTickFunction*) {}
    void RegisterComponent() {}
    AActor* GetOwner() const { return Owner; }
    AActor* Owner = nullptr;
    FActorComponentTickFunction PrimaryComponentTick;
};
