#pragma once

#include "../CoreMinimal.h"

struct FMultiSizeIndexContainer {
    TArray<uint32> All;
    void GetIndexBuffer(TArray<uint32>& out) const { out = All; }
};
struct FSkeletalMeshLODRenderData {
    FMultiSizeIndexContainer MultiSizeIndexContainer;
};
struct FSkeletalMeshRenderData {
    TArray<FSkeletalMeshLODRenderData> LODRenderData;
};
