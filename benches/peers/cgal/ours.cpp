#include "ours.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

static void check(const char *name, pccd_status status)
{
    if (status < 0) {
        std::fprintf(stderr, "%s: %s\n", name, pccd_last_error());
        std::exit(1);
    }
}

#define CALL(function, ...) check(#function, function(__VA_ARGS__))

namespace {

class Session {
public:
    explicit Session(const Scene &scene)
    {
        pccd_context_def context_def;
        CALL(pccd_context_def_init, &context_def, sizeof context_def);
        context_def.thread_count = 1;
        CALL(pccd_context_create, &context_def, &context);

        pccd_mesh_def mesh_def;
        CALL(pccd_mesh_def_init, &mesh_def, sizeof mesh_def);
        mesh_def.positions.data = scene.positions.data();
        mesh_def.positions.count = scene.positions.size();
        mesh_def.positions.format = PCCD_FORMAT_F64X3;
        mesh_def.triangles.data = scene.triangles.data();
        mesh_def.triangles.count = scene.triangles.size();
        mesh_def.triangles.format = PCCD_FORMAT_U32X3;
        positions = mesh_def.positions;
        CALL(pccd_mesh_create, context, &mesh_def, &mesh);
        CALL(pccd_bvh_create, context, nullptr, &bvh);
        add();
    }

    ~Session() { pccd_context_destroy(context); }

    void add() { CALL(pccd_bvh_add, context, bvh, mesh); }
    void remove() { CALL(pccd_bvh_remove, context, bvh, mesh); }
    // To where it is already, which the library cannot know: all that depends on it is to be made anew.
    void move() { CALL(pccd_mesh_set_motion, context, mesh, &positions, &positions); }
    void run() { CALL(pccd_query_run, context, query, bvh); }

    void ask(uint32_t method)
    {
        pccd_query_def def;
        CALL(pccd_query_def_init, &def, sizeof def);
        def.mode = PCCD_MODE_DISCRETE;
        def.method = method;
        CALL(pccd_query_create, context, &def, &query);
        // Buffers grow, and the CPU wakes up.
        for (int i = 0; i < 5; i++) {
            move();
            run();
        }
    }

    Pairs pairs() const
    {
        const pccd_intersection *found;
        uint64_t count;
        CALL(pccd_query_intersections, context, query, &found, &count);
        Pairs pairs;
        for (uint64_t i = 0; i < count; i++)
            pairs.emplace_back(found[i].triangle_a, found[i].triangle_b);
        return pairs;
    }

    std::string method() const
    {
        pccd_discrete_stats stats;
        CALL(pccd_discrete_stats_init, &stats, sizeof stats);
        CALL(pccd_discrete_stats_get, context, query, &stats);
        return stats.method == PCCD_METHOD_BVH ? "hierarchy" : "grid";
    }

private:
    pccd_context *context = nullptr;
    pccd_view positions;
    pccd_mesh mesh;
    pccd_bvh bvh;
    pccd_query query;
};

} // namespace

Ours measure_ours(const Scene &scene, int repeats, int rounds, const std::function<void()> &peer)
{
    Session session(scene);
    Ours ours;
    auto expect_same = [&](const char *method) {
        if (session.pairs() != ours.pairs) {
            std::fprintf(stderr, "%s: libpccd finds other pairs with the %s\n", scene.name.c_str(), method);
            std::exit(1);
        }
    };

    session.ask(PCCD_METHOD_BVH);
    ours.refitted = fastest(repeats, [&] { session.move(); }, [&] { session.run(); });
    ours.pairs = session.pairs();
    ours.rebuilt = fastest(
        repeats, [&] { session.remove(); },
        [&] {
            session.add();
            session.run();
        });
    expect_same("hierarchy made anew");

    session.ask(PCCD_METHOD_GRID);
    ours.grid = fastest(repeats, [&] { session.move(); }, [&] { session.run(); });
    expect_same("grid");

    session.ask(PCCD_METHOD_AUTO);
    ours.automatic = 1e300;
    for (int round = 0; round < rounds; round++) {
        const int share = std::max(1, repeats / rounds);
        ours.automatic = std::min(ours.automatic, fastest(share, [&] { session.move(); }, [&] { session.run(); }));
        peer();
    }
    ours.choice = session.method();
    expect_same("method of its choice");
    return ours;
}
