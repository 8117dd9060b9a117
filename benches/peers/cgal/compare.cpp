// Intersecting triangles of one frame: libpccd and CGAL, on one thread each, in the same run. See ../README.md.
//
// usage: compare REPEATS PEER_REPEATS NAME=FILE.ply ...

#include "ours.hpp"
#include "scene.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

namespace PMP = CGAL::Polygon_mesh_processing;

[[noreturn]] static void fail(const std::string &sentence)
{
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::exit(1);
}

static Scene read_scene(const std::string &name, const std::string &path)
{
    std::vector<Kernel::Point_3> points;
    std::vector<std::vector<std::size_t>> faces;
    std::ifstream file(path, std::ios::binary);
    if (!file || !CGAL::IO::read_PLY(file, points, faces))
        fail(path + ": can't be read as a PLY file");
    Scene scene{name, {}, {}};
    for (const auto &point : points)
        scene.positions.push_back({point.x(), point.y(), point.z()});
    for (const auto &face : faces) {
        if (face.size() != 3)
            fail(path + ": a face that is no triangle");
        scene.triangles.push_back({std::uint32_t(face[0]), std::uint32_t(face[1]), std::uint32_t(face[2])});
    }
    return scene;
}

// Faces keep their numbers: they are added one after the other.
static Mesh mesh_of(const Scene &scene)
{
    if (!PMP::is_polygon_soup_a_polygon_mesh(scene.triangles))
        fail(scene.name + ": no manifold, which CGAL's mesh has to be");
    Mesh mesh;
    for (const auto &p : scene.positions)
        mesh.add_vertex(Kernel::Point_3(p[0], p[1], p[2]));
    for (const auto &t : scene.triangles) {
        if (mesh.add_face(Mesh::Vertex_index(t[0]), Mesh::Vertex_index(t[1]), Mesh::Vertex_index(t[2])) ==
            Mesh::null_face())
            fail(scene.name + ": CGAL refuses a face");
    }
    return mesh;
}

class Peer {
public:
    explicit Peer(const Scene &scene) : mesh(mesh_of(scene)) {}

    double ms = 1e300;

    void run()
    {
        ms = std::min(ms, fastest(
                              1, [&] { found.clear(); },
                              [&] { PMP::self_intersections<CGAL::Sequential_tag>(mesh, std::back_inserter(found)); }));
    }

    Pairs pairs() const
    {
        Pairs pairs;
        for (const auto &[a, b] : found)
            pairs.emplace_back(std::min<std::uint32_t>(a, b), std::max<std::uint32_t>(a, b));
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }

private:
    Mesh mesh;
    std::vector<std::pair<Mesh::Face_index, Mesh::Face_index>> found;
};

int main(int count, char **arguments)
{
    if (count < 4)
        fail("usage: compare REPEATS PEER_REPEATS NAME=FILE.ply ...");
    const int repeats = std::max(1, std::atoi(arguments[1])), peer_repeats = std::max(1, std::atoi(arguments[2]));

    std::printf("Intersecting triangles, one thread, milliseconds of the fastest run; CGAL %s. ratio: CGAL over auto.\n",
                CGAL_VERSION_STR);
    std::printf("%-18s %9s | %7s %8s %8s %8s %8s %-9s | %7s %8s | %6s %6s\n", "scene", "triangles", "pairs",
                "refitted", "rebuilt", "grid", "auto", "", "CGAL's", "ms", "ratio", "differ");
    double least = 1e300;
    for (int i = 3; i < count; i++) {
        const std::string argument = arguments[i];
        const auto equals = argument.find('=');
        if (equals == std::string::npos)
            fail(argument + ": expected NAME=FILE.ply");
        const Scene scene = read_scene(argument.substr(0, equals), argument.substr(equals + 1));
        Peer peer(scene);
        const Ours ours = measure_ours(scene, repeats, peer_repeats, [&] { peer.run(); });
        const Pairs peers = peer.pairs();
        Pairs differ;
        std::set_symmetric_difference(ours.pairs.begin(), ours.pairs.end(), peers.begin(), peers.end(),
                                      std::back_inserter(differ));
        std::printf("%-18s %9zu | %7zu %8.2f %8.2f %8.2f %8.2f %-9s | %7zu %8.2f | %6.2f %6zu\n", scene.name.c_str(),
                    scene.triangles.size(), ours.pairs.size(), ours.refitted, ours.rebuilt, ours.grid,
                    ours.automatic, ours.choice.c_str(), peers.size(), peer.ms, peer.ms / ours.automatic,
                    differ.size());
        std::fflush(stdout);
        least = std::min(least, peer.ms / ours.automatic);
    }
    std::printf("least ratio %.2f (wanted 10)\n", least);
    return 0;
}
