#pragma once

#include "Components/ActorComponent.h"

struct FProcMeshVertex {
    FVector Position, Normal;
    unsigned char Color[4];
    double UV[4][2];
};
struct FProcMeshSection {
    TArray<FProcMeshVertex> ProcVertexBuffer;
    TArray<uint32> ProcIndexBuffer;
};
class UProceduralMeshComponent : public UActorComponent {
public:
    FProcMeshSection Section;
    FProcMeshSection* GetProcMeshSection(int32 index) { return index == 0 ? &Section : nullptr; }
};
