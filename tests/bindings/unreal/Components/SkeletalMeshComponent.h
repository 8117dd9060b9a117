#pragma once

#include "../Rendering/SkeletalMeshRenderData.h"
#include "ActorComponent.h"

struct FSkinWeightVertexBuffer {};
class USkeletalMeshComponent : public UActorComponent {
public:
    FSkeletalMeshRenderData Data;
    FSkinWeightVertexBuffer Weights;
    TArray<FVector3f> Positions;
    FSkeletalMeshRenderData* GetSkeletalMeshRenderData() { return &Data; }
    FSkinWeightVertexBuffer* GetSkinWeightBuffer(int32) { return &Weights; }
    void CacheRefToLocalMatrices(TArray<FMatrix44f>& out) const { out.SetNum(1); }
    static void ComputeSkinnedPositions(USkeletalMeshComponent* it, TArray<FVector3f>& out, TArray<FMatrix44f>&,
                                        const FSkeletalMeshLODRenderData&, const FSkinWeightVertexBuffer&) {
        out = it->Positions;
    }
};
