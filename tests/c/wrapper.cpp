// pccd.hpp from C++17: what it gives is what C gives, errors are exceptions or values, handles destroy themselves.
#include "pccd.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static int passes = 0, failures = 0;
#define CHECK(what)                                                          \
    do {                                                                     \
        if (what) {                                                          \
            passes++;                                                        \
        } else {                                                             \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #what);           \
            failures++;                                                      \
        }                                                                    \
    } while (0)

// A vertex as an engine has it, with more than its position.
struct Vertex {
    float x, y, z;
    float u, v;
};
template <>
struct pccd::element<Vertex> {
    static constexpr std::uint32_t format = PCCD_FORMAT_F32X3;
};

// No cost over C: a handle and its context, and nothing that throws on the way.
static_assert(sizeof(pccd::mesh) == 2 * sizeof(void *) && sizeof(pccd::context) == sizeof(void *));
static_assert(!std::is_copy_constructible_v<pccd::query> && std::is_nothrow_move_constructible_v<pccd::query>);
static_assert(std::is_nothrow_move_assignable_v<pccd::context> && !std::is_copy_assignable_v<pccd::context>);

using Triangle = std::array<std::uint16_t, 3>;

// Two triangles above each other; the upper one falls through the lower one.
static std::vector<Vertex> triangles_at(float height) {
    return {{0, 0, 0, 0, 0}, {4, 0, 0, 0, 0},      {0, 4, 0, 0, 0},
            {1, 1, height, 0, 0}, {2, 1, height, 0, 0}, {1, 2, height, 0, 0}};
}
static const std::vector<Triangle> corners = {{0, 1, 2}, {3, 4, 5}};

template <class Mesh, class Bvh, class Query>
static void fall(Mesh &mesh, Bvh &bvh, Query &query) {
    (void)bvh.add(mesh);
    (void)mesh.move_to(pccd::view(triangles_at(-1)));
    (void)query.run(bvh);
}

static void throwing() {
    auto def = pccd::defaults<pccd_context_def>();
    def.thread_count = 2;
    auto context = pccd::context::create(def);
    CHECK(context.info().thread_count == 2);
    auto mesh = context.create_mesh(pccd::view(triangles_at(1)), pccd::view(corners));
    CHECK(mesh.info().vertex_count == 6 && mesh.info().triangle_count == 2);
    auto bvh = context.create_bvh();
    auto query = context.create_query();
    fall(mesh, bvh, query);
    auto contacts = query.contacts();
    CHECK(contacts.size() == 3 && !contacts.empty());
    for (const pccd_contact &contact : contacts) {
        CHECK(contact.kind == PCCD_VERTEX_FACE && contact.mesh_a.id == mesh.get().id);
        CHECK(contact.toi_lower <= 0.5 && contact.toi_upper >= 0.5);
    }
    CHECK(contacts[0].vertices[0] == 3);
    const auto hash = query.hash();
    CHECK(query.stats().contacts_vf == 3 && bvh.info().triangle_count == 2);

    // The same from donated threads.
    (void)query.begin(bvh);
    std::thread helper([&] { (void)query.work(); });
    helper.join();
    CHECK(query.end() == PCCD_OK && query.hash() == hash);

    // An error has the sentence and the status, and changes nothing.
    try {
        mesh.move_to(pccd::view(std::vector<Vertex>(5)));
        CHECK(!"five positions for six vertices");
    } catch (const pccd::error &error) {
        CHECK(error.status() == PCCD_ERR_INVALID_ARGUMENT);
        CHECK(std::strstr(error.what(), "positions") && std::strstr(error.what(), "5"));
    }
    query.run(bvh);
    CHECK(query.hash() == hash);

    // A handle that was moved from is empty, and one that is destroyed is gone.
    auto other = std::move(mesh);
    CHECK(other && !mesh);
    const pccd_mesh handle = other.release();
    CHECK(!other && bvh.info().mesh_count == 1);
    other = pccd::mesh(context.get(), handle);
    other = pccd::mesh();
    CHECK(bvh.info().mesh_count == 0);

    std::array<std::array<double, 3>, 8> points = {{{.25, .25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                                    {.25, .25, -3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    pccd_ccd_result hit{};
    context.ccd_batch(PCCD_VERTEX_FACE, pccd::view(points), {&hit, 1});
    CHECK(hit.flags == PCCD_CCD_HIT && hit.toi_lower <= 0.25 && hit.toi_upper >= 0.25);
    // the context is destroyed before its objects, which do not mind
    pccd::context moved = std::move(context);
}

// Two triangles that cross are found at t = 1, become two meshes, and one again.
static void breaking() {
    auto context = pccd::context::create();
    std::vector<Vertex> crossing = {{0, 0, 0, 0, 0}, {4, 0, 0, 0, 0}, {0, 4, 0, 0, 0},
                                    {1, 1, -1, 0, 0}, {1, 1, 1, 0, 0}, {2, 2, 1, 0, 0}};
    auto mesh = context.create_mesh(pccd::view(crossing), pccd::view(corners));
    auto bvh = context.create_bvh();
    bvh.add(mesh);
    auto def = pccd::defaults<pccd_query_def>();
    def.mode = PCCD_MODE_DISCRETE;
    auto query = context.create_query(def);
    query.run(bvh);
    auto found = query.intersections();
    CHECK(found.size() == 1 && found[0].triangle_a == 0 && found[0].triangle_b == 1);
    // The smaller one has the larger one close to it. As one polygon they have nobody.
    pccd_triangle_k worst{};
    CHECK(mesh.k_free({&worst, 1}).k_max == 2 && worst.triangle == 1);
    const std::uint32_t fans[] = {2};
    const auto report = mesh.k_free_polygons({fans, 1});
    CHECK(report.polygon_count == 1 && report.k_max == 1 && report.bound == 7);

    const std::uint32_t parts[] = {0, 1};
    auto split = pccd::defaults<pccd_split_def>();
    split.part_count = 2;
    split.parts = parts;
    split.triangle_count = 2;
    std::array<pccd_mesh, 2> pieces{};
    bvh.split(mesh, split, {pieces.data(), pieces.size()});
    CHECK(!mesh && bvh.info().mesh_count == 2);
    query.run(bvh);
    CHECK(query.intersections().size() == 1 && query.intersections()[0].mesh_a.id != query.intersections()[0].mesh_b.id);

    auto merge = pccd::defaults<pccd_merge_def>();
    merge.meshes = pieces.data();
    merge.mesh_count = pieces.size();
    auto whole = bvh.merge(merge);
    CHECK(whole.info().triangle_count == 2 && bvh.info().mesh_count == 1);
}

// A ball falls on another one.
static void rigid() {
    auto context = pccd::context::create();
    auto pipeline = context.create_pipeline();
    auto def = pccd::defaults<pccd_object_def>();
    def.shape = PCCD_SHAPE_SPHERE;
    def.radius = 1;
    const pccd_object low = pipeline.add(def);
    def.position[2] = 3;
    const pccd_object high = pipeline.add(def);
    pipeline.step();
    CHECK(pipeline.pairs().empty());
    const std::array<std::array<double, 3>, 1> positions = {{{0, 0, 1.5}}};
    const double rotation[4] = {0, 0, 0, 1};
    pipeline.set_transforms({&high, 1}, pccd::view(positions), pccd_view{rotation, 1, 0, PCCD_FORMAT_F64X4, 0});
    pipeline.step();
    auto pairs = pipeline.pairs();
    CHECK(pairs.size() == 1 && pairs[0].state == PCCD_PAIR_BEGUN && pipeline.points().size() == 1);
    CHECK(pairs[0].object_a.id == low.id || pairs[0].object_b.id == low.id);
    pipeline.remove(low);
    pipeline.step();
    CHECK(pipeline.pairs().size() == 1 && pipeline.pairs()[0].state == PCCD_PAIR_ENDED);
}

static void telling() {
    auto context = pccd::nothrow::context::create();
    CHECK(context && context.status() == PCCD_OK);
    auto none = context->create_mesh(pccd::view(triangles_at(1)), pccd::view(std::vector<Triangle>{{0, 1, 9}}));
    CHECK(!none && none.status() == PCCD_ERR_INVALID_ARGUMENT);
    try {
        (void)none.value();
        CHECK(!"there is no mesh");
    } catch (const pccd::error &error) {
        CHECK(std::string(error.what()).find("9") != std::string::npos);
    }
    auto mesh = context->create_mesh(pccd::view(triangles_at(1)), pccd::view(corners));
    auto bvh = context->create_bvh();
    auto def = pccd::defaults<pccd_query_def>();
    def.capacity = 2;
    auto query = context->create_query(def);
    CHECK(mesh && bvh && query);
    fall(*mesh, *bvh, *query);
    CHECK(query->contacts()->size() == 2 && query->run(*bvh) == PCCD_INCOMPLETE);
    CHECK(query->stats()->dropped == 1);
    CHECK(context->set_threads(0) == PCCD_ERR_INVALID_ARGUMENT);
}

int main() {
    throwing();
    breaking();
    rigid();
    telling();
    std::printf("%d passed, %d failed\n", passes, failures);
    return failures != 0;
}
