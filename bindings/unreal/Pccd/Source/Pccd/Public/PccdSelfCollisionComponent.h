#pragma once

#include "Components/ActorComponent.h"
#include "CoreMinimal.h"
#include "PccdCollider.h"
#include "PccdTasks.h"

#include <memory>

#include "PccdSelfCollisionComponent.generated.h"

class UProceduralMeshComponent;
class USkeletalMeshComponent;

/** One contact between two frames: a vertex and a triangle, or two edges. */
USTRUCT(BlueprintType)
struct PCCD_API FPccdContact {
    GENERATED_BODY()

    /** Whether it is a vertex and a triangle; two edges otherwise. */
    UPROPERTY(BlueprintReadOnly, Category = "Pccd")
    bool bVertexFace = false;

    /** No contact of this pair before this time, 0 to 1 from the last frame to this one. */
    UPROPERTY(BlueprintReadOnly, Category = "Pccd")
    double Time = 0.0;

    /** From the second feature to the first, of length 1, in the space of the mesh. */
    UPROPERTY(BlueprintReadOnly, Category = "Pccd")
    FVector Normal = FVector(0.0, 0.0, 0.0);

    /** v f0 f1 f2, or a0 a1 b0 b1. */
    UPROPERTY(BlueprintReadOnly, Category = "Pccd")
    TArray<int32> Vertices;
};

DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FPccdContactsSignature, int32, Count);

/**
 * Finds all collisions of a mesh with itself between two frames: of a procedural or a skeletal mesh of the same actor, which it looks
 * at in every tick, or of vertices that it is given. All in the space of that mesh, in units of the engine.
 */
UCLASS(ClassGroup = (Physics), meta = (BlueprintSpawnableComponent))
class PCCD_API UPccdSelfCollisionComponent : public UActorComponent {
    GENERATED_BODY()

public:
    UPccdSelfCollisionComponent();

    /** Half the distance at which parts count as touching, in metres. 0: the exact test. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Pccd")
    double ThicknessInMetres = 0.0;

    /** Tasks that work on a frame, the calling thread included. */
    UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Pccd")
    int32 Workers = 4;

    /** Called after a tick that has found contacts. */
    UPROPERTY(BlueprintAssignable, Category = "Pccd")
    FPccdContactsSignature OnContacts;

    /** Begins with these vertices and triangles, at rest. */
    UFUNCTION(BlueprintCallable, Category = "Pccd")
    bool SetMesh(const TArray<FVector>& Positions, const TArray<int32>& Triangles);

    /** Moves on to these positions. Returns the number of contacts on the way, -1 after an error, which is logged. */
    UFUNCTION(BlueprintCallable, Category = "Pccd")
    int32 Step(const TArray<FVector>& Positions);

    /** A copy of a contact of the last step. */
    UFUNCTION(BlueprintCallable, Category = "Pccd")
    FPccdContact GetContact(int32 Index) const;

    /** The contacts of the last step where they are; until the next one. */
    TArrayView<const pccd_contact> GetContacts() const;

    virtual void BeginPlay() override;
    virtual void EndPlay(const EEndPlayReason::Type Reason) override;
    virtual void TickComponent(float DeltaTime, ELevelTick TickType, FActorComponentTickFunction* TickFunction) override;

private:
    bool Open(const pccd_view& Positions, const pccd_view& Triangles);
    int32 StepTo(const pccd_view& Positions);
    bool StepProcedural();
    bool StepSkeletal();

    UPROPERTY(Transient)
    TObjectPtr<UProceduralMeshComponent> Procedural;
    UPROPERTY(Transient)
    TObjectPtr<USkeletalMeshComponent> Skeletal;

    TArray<FVector3f> Skinned;
    TArray<FMatrix44f> RefToLocals;
    // The collider uses the hooks until it is closed, so it goes first.
    std::unique_ptr<FPccdTaskHooks> Hooks;
    FPccdCollider Collider;
};
