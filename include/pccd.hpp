/*
 * libpccd for C++17: handles that destroy themselves, views of containers, and errors as exceptions or as values.
 *
 * A thin layer over pccd.h, which explains everything: names are the same without their prefix, and nothing is copied or
 * allocated that C would not. Two namespaces have the same classes:
 *
 *     pccd::context              what fails throws pccd::error, and functions return what they are asked for
 *     pccd::nothrow::context     nothing throws, and functions return a pccd::result
 *
 * Objects belong to the context they were created in and must not be used after it. Who destroys it first does no harm:
 * their destructors notice.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PCCD_HPP
#define PCCD_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "pccd.h"

namespace pccd {

/* What went wrong: the sentence of pccd_last_error(), and the status. */
class error : public std::runtime_error {
public:
    explicit error(pccd_status status) : std::runtime_error(pccd_last_error()), status_(status) {}
    pccd_status status() const noexcept { return status_; }

private:
    pccd_status status_;
};

/* A value, or why there is none. A status above 0 (PCCD_INCOMPLETE, PCCD_CANCELLED) comes with a value. */
template <class T>
class [[nodiscard]] result {
public:
    result(pccd_status status, T value) noexcept(std::is_nothrow_move_constructible_v<T>) : status_(status) {
        if (status >= 0) value_.emplace(std::move(value));
    }
    explicit operator bool() const noexcept { return value_.has_value(); }
    pccd_status status() const noexcept { return status_; }
    /* Throws pccd::error if there is none; the sentence is that of this thread's last failure. */
    T &value() & { return require(), *value_; }
    T &&value() && { return require(), std::move(*value_); }
    T *operator->() noexcept { return &*value_; }
    T &operator*() & noexcept { return *value_; }
    T &&operator*() && noexcept { return std::move(*value_); }

private:
    void require() const {
        if (!value_) throw error(status_);
    }
    std::optional<T> value_;
    pccd_status status_;
};

/* Some elements in a row that belong to somebody else; where there is std::span, it can be made from this. */
template <class T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/*
 * The format of an element that begins with three numbers. Specialise it for a vector of your own:
 *
 *     template <> struct pccd::element<my::Vec3f> { static constexpr std::uint32_t format = PCCD_FORMAT_F32X3; };
 */
template <class T>
struct element;
template <>
struct element<std::array<float, 3>> {
    static constexpr std::uint32_t format = PCCD_FORMAT_F32X3;
};
template <>
struct element<std::array<double, 3>> {
    static constexpr std::uint32_t format = PCCD_FORMAT_F64X3;
};
template <>
struct element<std::array<std::uint16_t, 3>> {
    static constexpr std::uint32_t format = PCCD_FORMAT_U16X3;
};
template <>
struct element<std::array<std::uint32_t, 3>> {
    static constexpr std::uint32_t format = PCCD_FORMAT_U32X3;
};

/* A view of elements in a row, whose numbers come first: a vertex may have more than its position. */
template <class T>
pccd_view view(const T *data, std::size_t count) noexcept {
    static_assert(sizeof(T) >= (element<T>::format == PCCD_FORMAT_U16X3 ? 6 : 12), "too small for three numbers");
    return pccd_view{data, count, sizeof(T), element<T>::format, 0};
}

/* A view of a container with data() and size(): std::vector, std::array, std::span... */
template <class Container>
auto view(const Container &container) noexcept -> decltype(view(container.data(), container.size())) {
    return view(container.data(), container.size());
}

/* A definition or a struct for answers, filled by its _init function. */
template <class T>
T defaults() noexcept {
    T def{};
    if constexpr (std::is_same_v<T, pccd_context_def>) pccd_context_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_context_info>) pccd_context_info_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_ccd_settings>) pccd_ccd_settings_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_mesh_def>) pccd_mesh_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_mesh_info>) pccd_mesh_info_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_bvh_def>) pccd_bvh_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_bvh_info>) pccd_bvh_info_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_query_def>) pccd_query_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_query_stats>) pccd_query_stats_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_query_worker_stats>) pccd_query_worker_stats_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_split_def>) pccd_split_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_merge_def>) pccd_merge_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_pipeline_def>) pccd_pipeline_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_pipeline_stats>) pccd_pipeline_stats_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_object_def>) pccd_object_def_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_object_info>) pccd_object_info_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_discrete_stats>) pccd_discrete_stats_init(&def, sizeof def);
    else if constexpr (std::is_same_v<T, pccd_k_free_report>) pccd_k_free_report_init(&def, sizeof def);
    else static_assert(sizeof(T) == 0, "not a struct with a size");
    return def;
}

namespace detail {

/* What functions return, and what they do about an error. */
struct throwing {
    template <class T>
    using returned = T;
    using status = pccd_status;
    template <class T>
    static T give(pccd_status status, T &&value) {
        if (status < 0) throw error(status);
        return std::forward<T>(value);
    }
    static pccd_status give(pccd_status status) {
        if (status < 0) throw error(status);
        return status;
    }
};

struct telling {
    template <class T>
    using returned = result<T>;
    using status = pccd_status;
    template <class T>
    static result<T> give(pccd_status status, T &&value) noexcept {
        return {status, std::forward<T>(value)};
    }
    [[nodiscard]] static pccd_status give(pccd_status status) noexcept { return status; }
};

/* Owns a handle of a context. */
template <class Handle, pccd_status (*destroy)(pccd_context *, Handle)>
class owner {
public:
    owner() noexcept = default;
    owner(pccd_context *context, Handle handle) noexcept : context_(context), handle_(handle) {}
    owner(owner &&other) noexcept
        : context_(std::exchange(other.context_, nullptr)), handle_(std::exchange(other.handle_, Handle{})) {}
    owner &operator=(owner &&other) noexcept {
        std::swap(context_, other.context_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~owner() {
        if (handle_.id != 0) destroy(context_, handle_);
    }
    Handle get() const noexcept { return handle_; }
    /* Gives the handle away: it is not destroyed any more, but with its context. */
    Handle release() noexcept { return std::exchange(handle_, Handle{}); }
    explicit operator bool() const noexcept { return handle_.id != 0; }

protected:
    pccd_context *context_ = nullptr;
    Handle handle_{};
};

template <class Errors>
class basic_mesh : public owner<pccd_mesh, pccd_mesh_destroy> {
public:
    using owner::owner;

    /* What was t = 1 becomes t = 0; these positions become t = 1. */
    auto move_to(const pccd_view &positions) {
        return Errors::give(pccd_mesh_move(this->context_, this->handle_, &positions));
    }
    auto set_motion(const pccd_view &start, const pccd_view &end) {
        return Errors::give(pccd_mesh_set_motion(this->context_, this->handle_, &start, &end));
    }
    auto set_filter(std::uint64_t category, std::uint64_t mask) {
        return Errors::give(pccd_mesh_set_filter(this->context_, this->handle_, category, mask));
    }
    auto info() const {
        auto info = defaults<pccd_mesh_info>();
        auto status = pccd_mesh_info_get(this->context_, this->handle_, &info);
        return Errors::give(status, std::move(info));
    }
    /* What discrete queries can cost. `worst` receives the triangles with the largest k. */
    auto k_free(span<pccd_triangle_k> worst = {}) const {
        auto report = defaults<pccd_k_free_report>();
        auto status = pccd_mesh_k_free(this->context_, &this->handle_, 1, &report, worst.data(), worst.size());
        return Errors::give(status, std::move(report));
    }
    /* The same of polygons; `fans` says how many triangles each has. */
    auto k_free_polygons(span<const std::uint32_t> fans, span<pccd_triangle_k> worst = {}) const {
        auto report = defaults<pccd_k_free_report>();
        auto status = pccd_mesh_k_free_polygons(this->context_, &this->handle_, 1, fans.data(), fans.size(), &report,
                                                worst.data(), worst.size());
        return Errors::give(status, std::move(report));
    }
};

template <class Errors>
class basic_bvh : public owner<pccd_bvh, pccd_bvh_destroy> {
public:
    using owner::owner;

    auto add(const basic_mesh<Errors> &mesh) { return Errors::give(pccd_bvh_add(this->context_, this->handle_, mesh.get())); }
    auto remove(const basic_mesh<Errors> &mesh) {
        return Errors::give(pccd_bvh_remove(this->context_, this->handle_, mesh.get()));
    }
    auto update() { return Errors::give(pccd_bvh_update(this->context_, this->handle_)); }
    /* The parts take the place of the mesh, which is gone. `parts` has room for def.part_count handles. */
    auto split(basic_mesh<Errors> &mesh, const pccd_split_def &def, span<pccd_mesh> parts) {
        auto status = pccd_bvh_split(this->context_, this->handle_, mesh.get(), &def, parts.data(), parts.size());
        if (status >= 0) (void)mesh.release();
        return Errors::give(status);
    }
    /* The same of many at once. There is a definition for each mesh. If it succeeds the meshes are gone: release what owns them. */
    auto split_all(span<const pccd_mesh> meshes, const pccd_split_def *defs, span<pccd_mesh> parts) {
        return Errors::give(pccd_bvh_split_all(this->context_, this->handle_, meshes.data(), defs, meshes.size(), parts.data(),
                                               parts.size()));
    }
    /* One mesh of several, which are gone. */
    auto merge(const pccd_merge_def &def) {
        pccd_mesh handle{};
        auto status = pccd_bvh_merge(this->context_, this->handle_, &def, &handle);
        return Errors::give(status, basic_mesh<Errors>(this->context_, handle));
    }
    auto info() const {
        auto info = defaults<pccd_bvh_info>();
        auto status = pccd_bvh_info_get(this->context_, this->handle_, &info);
        return Errors::give(status, std::move(info));
    }
};

template <class Errors>
class basic_query : public owner<pccd_query, pccd_query_destroy> {
public:
    using owner::owner;

    /* Makes room for so many contacts ahead; there are no results then. */
    auto reserve(std::uint64_t contact_count) {
        return Errors::give(pccd_query_reserve(this->context_, this->handle_, contact_count));
    }
    /* PCCD_OK, PCCD_INCOMPLETE or PCCD_CANCELLED, if all went well. */
    auto run(const basic_bvh<Errors> &bvh) { return Errors::give(pccd_query_run(this->context_, this->handle_, bvh.get())); }
    auto begin(const basic_bvh<Errors> &bvh) {
        return Errors::give(pccd_query_begin(this->context_, this->handle_, bvh.get()));
    }
    /* From any thread, between begin and end. */
    auto work() { return Errors::give(pccd_query_work(this->context_, this->handle_)); }
    auto end() { return Errors::give(pccd_query_end(this->context_, this->handle_)); }
    /* From any thread. */
    auto cancel() { return Errors::give(pccd_query_cancel(this->context_, this->handle_)); }
    /* Sorted, and valid until the next run. */
    auto contacts() const {
        const pccd_contact *data = nullptr;
        std::uint64_t count = 0;
        auto status = pccd_query_contacts(this->context_, this->handle_, &data, &count);
        return Errors::give(status, span<const pccd_contact>(data, static_cast<std::size_t>(count)));
    }
    /* What a discrete query found: sorted, and valid until the next run. */
    auto intersections() const {
        const pccd_intersection *data = nullptr;
        std::uint64_t count = 0;
        auto status = pccd_query_intersections(this->context_, this->handle_, &data, &count);
        return Errors::give(status, span<const pccd_intersection>(data, static_cast<std::size_t>(count)));
    }
    auto hash() const {
        std::uint64_t hash = 0;
        auto status = pccd_query_hash(this->context_, this->handle_, &hash);
        return Errors::give(status, std::move(hash));
    }
    auto stats() const {
        auto stats = defaults<pccd_query_stats>();
        auto status = pccd_query_stats_get(this->context_, this->handle_, &stats);
        return Errors::give(status, std::move(stats));
    }
};

template <class Errors>
class basic_pipeline : public owner<pccd_pipeline, pccd_pipeline_destroy> {
public:
    using owner::owner;

    auto add(const pccd_object_def &def) {
        pccd_object object{};
        auto status = pccd_pipeline_add(this->context_, this->handle_, &def, &object);
        return Errors::give(status, std::move(object));
    }
    auto remove(pccd_object object) { return Errors::give(pccd_pipeline_remove(this->context_, this->handle_, object)); }
    auto set_transforms(span<const pccd_object> objects, const pccd_view &positions, const pccd_view &rotations) {
        return Errors::give(pccd_pipeline_set_transforms(this->context_, this->handle_, objects.data(), objects.size(), &positions,
                                                         &rotations));
    }
    auto step() { return Errors::give(pccd_pipeline_step(this->context_, this->handle_)); }
    /* From any thread. */
    auto cancel() { return Errors::give(pccd_pipeline_cancel(this->context_, this->handle_)); }
    /* Sorted, and valid until the next step. */
    auto pairs() const {
        const pccd_pair *data = nullptr;
        std::uint64_t count = 0;
        auto status = pccd_pipeline_pairs(this->context_, this->handle_, &data, &count);
        return Errors::give(status, span<const pccd_pair>(data, static_cast<std::size_t>(count)));
    }
    auto points() const {
        const pccd_contact_point *data = nullptr;
        std::uint64_t count = 0;
        auto status = pccd_pipeline_points(this->context_, this->handle_, &data, &count);
        return Errors::give(status, span<const pccd_contact_point>(data, static_cast<std::size_t>(count)));
    }
    auto hash() const {
        std::uint64_t hash = 0;
        auto status = pccd_pipeline_hash(this->context_, this->handle_, &hash);
        return Errors::give(status, std::move(hash));
    }
    auto stats() const {
        auto stats = defaults<pccd_pipeline_stats>();
        auto status = pccd_pipeline_stats_get(this->context_, this->handle_, &stats);
        return Errors::give(status, std::move(stats));
    }
};

template <class Errors>
class basic_context {
public:
    using mesh = basic_mesh<Errors>;
    using bvh = basic_bvh<Errors>;
    using query = basic_query<Errors>;
    using pipeline = basic_pipeline<Errors>;
    template <class T>
    using returned = typename Errors::template returned<T>;

    static returned<basic_context> create(pccd_context_def def = defaults<pccd_context_def>()) {
        /* so that this header and the library are known to fit together */
        def.abi_version = PCCD_ABI_VERSION;
        pccd_context *context = nullptr;
        auto status = pccd_context_create(&def, &context);
        return Errors::give(status, basic_context(context));
    }
    basic_context(basic_context &&other) noexcept : context_(std::exchange(other.context_, nullptr)) {}
    basic_context &operator=(basic_context &&other) noexcept {
        std::swap(context_, other.context_);
        return *this;
    }
    ~basic_context() {
        if (context_) pccd_context_destroy(context_);
    }
    pccd_context *get() const noexcept { return context_; }

    returned<mesh> create_mesh(const pccd_mesh_def &def) {
        pccd_mesh handle{};
        auto status = pccd_mesh_create(context_, &def, &handle);
        return Errors::give(status, mesh(context_, handle));
    }
    /* With defaults for all else. */
    returned<mesh> create_mesh(const pccd_view &positions, const pccd_view &triangles) {
        auto def = defaults<pccd_mesh_def>();
        def.positions = positions;
        def.triangles = triangles;
        return create_mesh(def);
    }
    returned<bvh> create_bvh(const pccd_bvh_def &def = defaults<pccd_bvh_def>()) {
        pccd_bvh handle{};
        auto status = pccd_bvh_create(context_, &def, &handle);
        return Errors::give(status, bvh(context_, handle));
    }
    returned<query> create_query(const pccd_query_def &def = defaults<pccd_query_def>()) {
        pccd_query handle{};
        auto status = pccd_query_create(context_, &def, &handle);
        return Errors::give(status, query(context_, handle));
    }
    returned<pipeline> create_pipeline(const pccd_pipeline_def &def = defaults<pccd_pipeline_def>()) {
        pccd_pipeline handle{};
        auto status = pccd_pipeline_create(context_, &def, &handle);
        return Errors::give(status, pipeline(context_, handle));
    }
    auto set_threads(std::uint32_t thread_count) { return Errors::give(pccd_context_set_threads(context_, thread_count)); }
    auto info() const {
        auto info = defaults<pccd_context_info>();
        auto status = pccd_context_info_get(context_, &info);
        return Errors::give(status, std::move(info));
    }
    /* Elementary queries, eight points each: see pccd_ccd_batch(). `results` has room for one result a query. */
    auto ccd_batch(std::uint32_t kind, const pccd_view &points, span<pccd_ccd_result> results,
                   const pccd_ccd_settings &settings = defaults<pccd_ccd_settings>()) {
        return Errors::give(pccd_ccd_batch(context_, kind, &points, results.size(), &settings, results.data()));
    }

private:
    explicit basic_context(pccd_context *context) noexcept : context_(context) {}
    pccd_context *context_ = nullptr;
};

} // namespace detail

using context = detail::basic_context<detail::throwing>;
using mesh = context::mesh;
using bvh = context::bvh;
using query = context::query;
using pipeline = context::pipeline;

namespace nothrow {
using context = detail::basic_context<detail::telling>;
using mesh = context::mesh;
using bvh = context::bvh;
using query = context::query;
using pipeline = context::pipeline;
} // namespace nothrow

} // namespace pccd

#endif
