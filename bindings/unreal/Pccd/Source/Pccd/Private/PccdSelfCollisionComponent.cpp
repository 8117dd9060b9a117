#include "PccdSelfCollisionComponent.h"

#include "Components/SkeletalMeshComponent.h"
#include "GameFramework/Actor.h"
#include "PccdModule.h"
#include "ProceduralMeshComponent.h"
#include "Rendering/SkeletalMeshRenderData.h"

UPccdSelfCollisionComponent::UPccdSelfCollisionComponent() {
    PrimaryComponentTick.bCanEverTick = true;
    // After physics and animation have moved the vertices.
    PrimaryComponentTick.TickGroup = TG_PostUpdateWork;
}

bool UPccdSelfCollisionComponent::Open(const pccd_view& Positions, const pccd_view& Triangles) {
    const uint32 Threads = static_cast<uint32>(FMath::Clamp(Workers, 1, 1024));
    Collider.Close();
    Hooks = std::make_unique<FPccdTaskHooks>(Threads - 1);
    const double Thickness = FPccdUnits().FromMetres(ThicknessInMetres);
    if (Collider.Open(Positions, Triangles, Thickness, Threads, Hooks.get()) < 0) {
        UE_LOG(LogPccd, Error, TEXT("%s"), UTF8_TO_TCHAR(FPccdCollider::Error()));
        return false;
    }
    return true;
}

int32 UPccdSelfCollisionComponent::StepTo(const pccd_view& Positions) {
    if (!Collider.IsOpen()) return -1;
    if (Collider.Step(Positions) < 0) {
        UE_LOG(LogPccd, Error, TEXT("%s"), UTF8_TO_TCHAR(FPccdCollider::Error()));
        return -1;
    }
    const int32 Count = static_cast<int32>(FMath::Min<uint64>(Collider.Num(), MAX_int32));
    if (Count > 0) OnContacts.Broadcast(Count);
    return Count;
}

bool UPccdSelfCollisionComponent::SetMesh(const TArray<FVector>& Positions, const TArray<int32>& Triangles) {
    return Open(FPccdPoints::Of(Positions.GetData(), Positions.Num()), FPccdPoints::Triangles(Triangles.GetData(), Triangles.Num()));
}

int32 UPccdSelfCollisionComponent::Step(const TArray<FVector>& Positions) {
    return StepTo(FPccdPoints::Of(Positions.GetData(), Positions.Num()));
}

TArrayView<const pccd_contact> UPccdSelfCollisionComponent::GetContacts() const {
    return TArrayView<const pccd_contact>(Collider.Contacts(), static_cast<int32>(FMath::Min<uint64>(Collider.Num(), MAX_int32)));
}

FPccdContact UPccdSelfCollisionComponent::GetContact(int32 Index) const {
    FPccdContact Result;
    if (Index < 0 || static_cast<uint64>(Index) >= Collider.Num()) return Result;
    const pccd_contact& Found = Collider.Contacts()[Index];
    Result.bVertexFace = Found.kind == PCCD_VERTEX_FACE;
    Result.Time = Found.toi_lower;
    Result.Normal = FVector(Found.normal[0], Found.normal[1], Found.normal[2]);
    for (uint32 Vertex : Found.vertices) Result.Vertices.Add(static_cast<int32>(Vertex));
    return Result;
}

void UPccdSelfCollisionComponent::BeginPlay() {
    Super::BeginPlay();
    Procedural = GetOwner()->FindComponentByClass<UProceduralMeshComponent>();
    Skeletal = GetOwner()->FindComponentByClass<USkeletalMeshComponent>();
}

void UPccdSelfCollisionComponent::EndPlay(const EEndPlayReason::Type Reason) {
    Collider.Close();
    Hooks.reset();
    Super::EndPlay(Reason);
}

// The first section, whose vertices are read where they are.
bool UPccdSelfCollisionComponent::StepProcedural() {
    const FProcMeshSection* Section = Procedural->GetProcMeshSection(0);
    if (!Section || Section->ProcVertexBuffer.Num() == 0) return false;
    const TArray<FProcMeshVertex>& Vertices = Section->ProcVertexBuffer;
    const pccd_view Positions = FPccdPoints::Of(&Vertices[0].Position, Vertices.Num(), sizeof(FProcMeshVertex));
    if (!Collider.IsOpen()) {
        return Open(Positions, FPccdPoints::Triangles(Section->ProcIndexBuffer.GetData(), Section->ProcIndexBuffer.Num()));
    }
    return StepTo(Positions) >= 0;
}

// Skinned on the CPU, at the finest level of detail.
bool UPccdSelfCollisionComponent::StepSkeletal() {
    const FSkeletalMeshRenderData* Data = Skeletal->GetSkeletalMeshRenderData();
    const FSkinWeightVertexBuffer* Weights = Skeletal->GetSkinWeightBuffer(0);
    if (!Data || Data->LODRenderData.Num() == 0 || !Weights) return false;
    const FSkeletalMeshLODRenderData& Level = Data->LODRenderData[0];
    Skeletal->CacheRefToLocalMatrices(RefToLocals);
    USkeletalMeshComponent::ComputeSkinnedPositions(Skeletal, Skinned, RefToLocals, Level, *Weights);
    const pccd_view Positions = FPccdPoints::Of(Skinned.GetData(), Skinned.Num());
    if (Collider.IsOpen()) return StepTo(Positions) >= 0;
    TArray<uint32> Indices;
    Level.MultiSizeIndexContainer.GetIndexBuffer(Indices);
    return Open(Positions, FPccdPoints::Triangles(Indices.GetData(), Indices.Num()));
}

void UPccdSelfCollisionComponent::TickComponent(float DeltaTime, ELevelTick TickType, FActorComponentTickFunction* TickFunction) {
    Super::TickComponent(DeltaTime, TickType, TickFunction);
    if (Procedural) StepProcedural();
    else if (Skeletal) StepSkeletal();
}
