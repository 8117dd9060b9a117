// The same functions twice: as they are written in C, and with pccd.hpp. The test compares what the compiler makes of them.
#include "pccd.hpp"

// What who uses C keeps together.
struct c_mesh {
    pccd_context *context;
    pccd_mesh handle;
};
struct c_bvh {
    pccd_context *context;
    pccd_bvh handle;
};
struct c_query {
    pccd_context *context;
    pccd_query handle;
};

extern "C" pccd_status step_in_c(c_mesh &mesh, c_bvh &bvh, c_query &query, const pccd_view &positions) {
    pccd_status status = pccd_mesh_move(mesh.context, mesh.handle, &positions);
    if (status < 0) return status;
    return pccd_query_run(query.context, query.handle, bvh.handle);
}

extern "C" pccd_status step_in_cpp(pccd::nothrow::mesh &mesh, pccd::nothrow::bvh &bvh, pccd::nothrow::query &query,
                                   const pccd_view &positions) {
    pccd_status status = mesh.move_to(positions);
    if (status < 0) return status;
    return query.run(bvh);
}

extern "C" double first_in_c(c_query &query) {
    const pccd_contact *contacts = nullptr;
    std::uint64_t count = 0;
    if (pccd_query_contacts(query.context, query.handle, &contacts, &count) < 0 || count == 0) return 2;
    return contacts[0].toi_lower;
}

extern "C" double first_in_cpp(pccd::nothrow::query &query) {
    auto contacts = query.contacts();
    if (!contacts || contacts->empty()) return 2;
    return (*contacts)[0].toi_lower;
}
