// The scene of the tests of all bindings through the plugin for Unreal, with stand-ins for the engine. Prints for each way in what
// `tests/c/wave.c` prints.
#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "Components/SkeletalMeshComponent.h"
#include "GameFramework/Actor.h"
#include "Modules/ModuleManager.h"
#include "PccdSelfCollisionComponent.h"
#include "ProceduralMeshComponent.h"

IModuleInterface* MakeModulePccd();

static constexpr int Side = 40, Frames = 6, Vertices = Side * Side;

static void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("does not hold: %s\n", what);
    std::exit(1);
}

static double wave(double x) {
    double f = x - std::floor(x);
    return f < 0.5 ? f * (0.5 - f) * 16.0 : (f - 0.5) * (1.0 - f) * -16.0;
}

static FVector3f at(int i, int frame) {
    double u = static_cast<double>(i % Side) / (Side - 1), v = static_cast<double>(i / Side) / (Side - 1);
    double height = 0.02 + 0.02 * frame, phase = 4.0 * u + 0.3 * wave(0.5 * v) + 0.1 * frame;
    return {static_cast<float>(u + height * wave(phase)), static_cast<float>(v), static_cast<float>(height * wave(phase + 0.25))};
}

static FVector wide(FVector3f it) { return FVector(it.X, it.Y, it.Z); }

template <class Index>
static TArray<Index> faces() {
    TArray<Index> all;
    for (int i = 0; i < (Side - 1) * (Side - 1); i++) {
        int a = i / (Side - 1) * Side + i % (Side - 1);
        for (int corner : {a, a + 1, a + Side, a + 1, a + Side + 1, a + Side}) all.Add(static_cast<Index>(corner));
    }
    return all;
}

static TArray<FVector> pose(int frame) {
    TArray<FVector> all;
    for (int i = 0; i < Vertices; i++) all.Add(wide(at(i, frame)));
    return all;
}

// The component has no hash: one of the same contacts by the collider.
static void with_the_collider() {
    FPccdTaskHooks hooks(3);
    FPccdCollider collider;
    auto positions = pose(0);
    auto triangles = faces<int32>();
    auto points = [](const TArray<FVector>& of) { return FPccdPoints::Of(of.GetData(), static_cast<std::size_t>(of.Num())); };
    auto corners = FPccdPoints::Triangles(triangles.GetData(), static_cast<std::size_t>(triangles.Num()));
    check(collider.Open(points(positions), corners, 0.0, 4, &hooks) == PCCD_OK, "opened");
    for (int frame = 1; frame <= Frames; frame++) {
        positions = pose(frame);
        check(collider.Step(points(positions)) == PCCD_OK, "stepped");
        uint64 hash = 0;
        check(collider.Hash(hash) == PCCD_OK, "hashed");
        std::printf("%d %" PRIu64 " %016" PRIx64 "\n", frame, collider.Num(), hash);
    }
    check(UE::Tasks::Launched == 3 * Frames, "three tasks a frame were launched");
    // Bad input is told, and what was open is closed.
    TArray<FVector> few;
    few.Add(FVector(0, 0, 0));
    check(collider.Step(points(few)) == PCCD_ERR_INVALID_ARGUMENT, "another number of vertices");
    check(std::strstr(FPccdCollider::Error(), "positions"), "the error names the argument");
    check(collider.Num() == 0 && collider.IsOpen(), "no contacts, still open");
    check(collider.Open(points(few), corners, 0.0, 1, &hooks) < 0 && !collider.IsOpen(), "an index out of range");
    check(collider.Open(points(pose(0)), corners, -1.0, 1, &hooks) < 0 && !collider.IsOpen(), "a thickness below 0");
}

static void prints(int frame, const UPccdSelfCollisionComponent& component) {
    std::printf("%d %d\n", frame, component.GetContacts().Num());
}

int main() {
    static_assert(sizeof(FVector) == 24 && sizeof(FVector3f) == 12, "as in the engine");
    check(FPccdUnits().FromMetres(0.5) == 50.0 && FPccdUnits().ToMetres(250.0) == 2.5, "centimetres");
    IModuleInterface* module = MakeModulePccd();
    module->StartupModule();
    check(LogCount == 0, "header and library fit");
    with_the_collider();

    std::printf("vertices\n");
    UPccdSelfCollisionComponent given;
    check(given.SetMesh(pose(0), faces<int32>()), "a mesh is set");
    for (int frame = 1; frame <= Frames; frame++) {
        check(given.Step(pose(frame)) == given.GetContacts().Num(), "the number of contacts");
        prints(frame, given);
    }
    FPccdContact contact = given.GetContact(0);
    check(contact.Vertices.Num() == 4 && contact.Time >= 0 && contact.Time <= 1, "a contact");
    double length = contact.Normal.X * contact.Normal.X + contact.Normal.Y * contact.Normal.Y + contact.Normal.Z * contact.Normal.Z;
    check(std::fabs(length - 1) < 1e-9, "its normal");
    check(given.GetContact(-1).Vertices.Num() == 0 && given.GetContact(MAX_int32).Vertices.Num() == 0, "no such contact");
    check(LogCount == 0 && given.Step(TArray<FVector>()) == -1 && LogCount == 1, "errors are logged");

    std::printf("procedural\n");
    UProceduralMeshComponent procedural;
    UPccdSelfCollisionComponent first;
    AActor actor;
    actor.Components = {&procedural, &first};
    first.Owner = &actor;
    int told = 0;
    first.OnContacts.Bound = [&](int32 count) { told += count > 0; };
    procedural.Section.ProcVertexBuffer.SetNum(Vertices);
    procedural.Section.ProcIndexBuffer = faces<uint32>();
    first.BeginPlay();
    for (int frame = 0; frame <= Frames; frame++) {
        for (int i = 0; i < Vertices; i++) procedural.Section.ProcVertexBuffer[i].Position = wide(at(i, frame));
        first.TickComponent(0.016f, LEVELTICK_All, nullptr);
        if (frame > 0) prints(frame, first);
    }
    check(told == Frames, "contacts are told");
    first.EndPlay(EEndPlayReason::Destroyed);
    check(first.GetContacts().Num() == 0, "nothing is left");

    std::printf("skeletal\n");
    USkeletalMeshComponent skeletal;
    UPccdSelfCollisionComponent second;
    AActor other;
    other.Components = {&skeletal, &second};
    second.Owner = &other;
    skeletal.Data.LODRenderData.SetNum(1);
    skeletal.Data.LODRenderData[0].MultiSizeIndexContainer.All = faces<uint32>();
    skeletal.Positions.SetNum(Vertices);
    second.BeginPlay();
    for (int frame = 0; frame <= Frames; frame++) {
        for (int i = 0; i < Vertices; i++) skeletal.Positions[i] = at(i, frame);
        second.TickComponent(0.016f, LEVELTICK_All, nullptr);
        if (frame > 0) prints(frame, second);
    }
    second.EndPlay(EEndPlayReason::Destroyed);
    module->ShutdownModule();
    delete module;
    std::printf("ok\n");
    return 0;
}
