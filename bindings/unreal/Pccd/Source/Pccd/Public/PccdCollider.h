// A mesh that collides with itself, frame by frame. Knows nothing of the engine, throws nothing: what can fail returns a
// status as in pccd.h, and Error() has the sentence about it.
//
// Lengths: libpccd takes numbers as they are, so positions stay in the units of the engine, and so do distances that go in. What the caller
// wants in metres, FPccdUnits converts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pccd.h"

// The engine counts in centimetres, unless its world settings say something else.
struct FPccdUnits {
    double unitsPerMetre = 100.0;

    double FromMetres(double metres) const { return metres * unitsPerMetre; }
    double ToMetres(double units) const { return units / unitsPerMetre; }
};

// Positions wherever they are: in an array of vectors, or within larger vertices.
struct FPccdPoints {
    // TVector is three floats or three doubles: FVector3f, FVector. `stride` is from one to the next.
    template <class TVector>
    static pccd_view Of(const TVector* data, std::size_t count, std::size_t stride = sizeof(TVector)) {
        static_assert(sizeof(TVector) == 3 * sizeof(data->X), "a vector is three numbers without a gap");
        static_assert(sizeof(data->X) == 4 || sizeof(data->X) == 8, "32-bit or 64-bit floats");
        return pccd_view{data, count, stride, sizeof(data->X) == 8 ? PCCD_FORMAT_F64X3 : PCCD_FORMAT_F32X3, 0};
    }

    // Three 32-bit indices for each triangle. What is left of a list that is not a multiple of three is ignored by the engine, too.
    template <class TIndex>
    static pccd_view Triangles(const TIndex* indices, std::size_t indexCount) {
        static_assert(sizeof(TIndex) == 4 || sizeof(TIndex) == 2, "32-bit or 16-bit indices");
        return pccd_view{indices, indexCount / 3, 0, sizeof(TIndex) == 4 ? PCCD_FORMAT_U32X3 : PCCD_FORMAT_U16X3, 0};
    }
};

class FPccdCollider {
public:
    FPccdCollider() = default;
    FPccdCollider(const FPccdCollider&) = delete;
    FPccdCollider& operator=(const FPccdCollider&) = delete;
    ~FPccdCollider() { Close(); }

    // Begins anew with a mesh at rest. `hooks` may be null: then the library has its own threads.
    template <class THooks>
    pccd_status Open(const pccd_view& positions, const pccd_view& triangles, double thickness, std::uint32_t threads, THooks* hooks) {
        pccd_context_def def;
        Close();
        pccd_status status = pccd_context_def_init(&def, sizeof def);
        if (status < 0) return status;
        def.abi_version = PCCD_ABI_VERSION;
        def.thread_count = threads;
        if (hooks) hooks->Install(def);
        status = pccd_context_create(&def, &context);
        if (status >= 0) status = Fill(positions, triangles, thickness);
        if (status < 0) Close();
        return status;
    }

    // What was t = 1 becomes t = 0, these positions become t = 1, and all contacts in between are found.
    pccd_status Step(const pccd_view& positions) {
        count = 0;
        contacts = nullptr;
        pccd_status status = pccd_mesh_move(context, mesh, &positions);
        if (status >= 0) status = pccd_query_run(context, query, bvh);
        if (status >= 0) {
            pccd_status got = pccd_query_contacts(context, query, &contacts, &count);
            if (got < 0) status = got;
        }
        return status;
    }

    // From any thread: ends a step that is in work.
    void Cancel() {
        if (context) pccd_query_cancel(context, query);
    }

    void Close() {
        if (context) pccd_context_destroy(context);
        context = nullptr;
        contacts = nullptr;
        count = 0;
    }

    bool IsOpen() const { return context != nullptr; }
    // Of the last step, until the next one.
    const pccd_contact* Contacts() const { return contacts; }
    std::uint64_t Num() const { return count; }
    pccd_status Hash(std::uint64_t& out) const { return pccd_query_hash(context, query, &out); }
    static const char* Error() { return pccd_last_error(); }

private:
    pccd_status Fill(const pccd_view& positions, const pccd_view& triangles, double thickness) {
        pccd_mesh_def def;
        pccd_status status = pccd_mesh_def_init(&def, sizeof def);
        if (status < 0) return status;
        def.positions = positions;
        def.triangles = triangles;
        def.thickness = thickness;
        status = pccd_mesh_create(context, &def, &mesh);
        if (status >= 0) status = pccd_bvh_create(context, nullptr, &bvh);
        if (status >= 0) status = pccd_bvh_add(context, bvh, mesh);
        if (status >= 0) status = pccd_query_create(context, nullptr, &query);
        return status;
    }

    pccd_context* context = nullptr;
    pccd_mesh mesh{};
    pccd_bvh bvh{};
    pccd_query query{};
    const pccd_contact* contacts = nullptr;
    std::uint64_t count = 0;
};
