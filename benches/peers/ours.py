"""libpccd through its C interface, as any program would use it, on one thread."""

import ctypes
import time
from ctypes import Structure, byref, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np

from scenes import edge_edge, vertex_face

F64X3, U32X3 = 2, 4
MODE_ALL, MODE_EARLIEST, MODE_CANDIDATES = 1, 2, 3
VERTEX_FACE = 1


class Handle(Structure):
    _fields_ = [("id", c_uint64)]


class View(Structure):
    _fields_ = [("data", c_void_p), ("count", c_uint64), ("stride", c_uint64), ("format", c_uint32), ("reserved", c_uint32)]

    @staticmethod
    def of(array, format):
        return View(array.ctypes.data, len(array), array.strides[0], format, 0)


class ContextDef(Structure):
    _fields_ = [("struct_size", c_uint32), ("abi_version", c_uint32), ("thread_count", c_uint32), ("simd", c_int32)]
    _fields_ += [(name, c_void_p) for name in ("log", "log_user", "alloc", "free", "memory_user")]


class MeshDef(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("positions", View), ("triangles", View)]
    _fields_ += [("thickness", c_double), ("category", c_uint64), ("mask", c_uint64), ("user_data", c_uint64)]


class QueryDef(Structure):
    _fields_ = [(name, c_uint32) for name in ("struct_size", "flags", "mode", "reserved")]
    _fields_ += [(name, c_double) for name in ("min_separation", "toi_tolerance", "separation_tolerance")]
    _fields_ += [("capacity", c_uint64)]


CONTACT = np.dtype([
    ("mesh_a", "u8"), ("mesh_b", "u8"), ("kind", "u4"), ("flags", "u4"), ("vertices", "u4", 4), ("triangles", "u4", 2),
    ("toi_lower", "f8"), ("toi_upper", "f8"), ("weights", "f8", 4), ("normal", "f8", 3),
])


class Pccd:
    def __init__(self, library, scene, simd=0):
        self.library = ctypes.CDLL(str(library))
        self.library.pccd_last_error.restype = ctypes.c_char_p
        self.context = c_void_p()
        definition = self.defaults("pccd_context_def_init", ContextDef())
        definition.thread_count, definition.simd = 1, simd
        self.call("pccd_context_create", byref(definition), byref(self.context))

        self.start, self.end = np.ascontiguousarray(scene.start), np.ascontiguousarray(scene.end)
        triangles = np.ascontiguousarray(scene.triangles, dtype=np.uint32)
        definition = self.defaults("pccd_mesh_def_init", MeshDef())
        definition.positions, definition.triangles = View.of(self.start, F64X3), View.of(triangles, U32X3)
        self.mesh, self.bvh, self.query = Handle(), Handle(), Handle()
        self.call("pccd_mesh_create", self.context, byref(definition), byref(self.mesh))
        self.call("pccd_bvh_create", self.context, None, byref(self.bvh))
        self.call("pccd_bvh_add", self.context, self.bvh, self.mesh)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status < 0:
            raise SystemExit(f"{name}: {self.library.pccd_last_error().decode()} ({status})")

    def defaults(self, name, definition):
        self.call(name, byref(definition), c_size_t(ctypes.sizeof(definition)))
        return definition

    def measure(self, mode, repeat):
        """Least milliseconds of a step: the mesh gets its positions, the hierarchy is updated, contacts are found and sorted."""
        definition = self.defaults("pccd_query_def_init", QueryDef())
        definition.mode = mode
        if self.query.id:
            self.call("pccd_query_destroy", self.context, self.query)
        self.call("pccd_query_create", self.context, byref(definition), byref(self.query))
        start, end = View.of(self.start, F64X3), View.of(self.end, F64X3)

        def step():
            begin = time.perf_counter()
            self.call("pccd_mesh_set_motion", self.context, self.mesh, byref(start), byref(end))
            self.call("pccd_query_run", self.context, self.query, self.bvh)
            return 1e3 * (time.perf_counter() - begin)

        # At first buffers grow and the processor wakes up; the peers' steps are so long that they don't notice.
        warm = time.perf_counter() + 0.5
        step()
        while time.perf_counter() < warm:
            step()
        return min(step() for _ in range(repeat))

    def results(self):
        """The contacts or candidates of the last run, as an array."""
        data, count = c_void_p(), c_uint64()
        self.call("pccd_query_contacts", self.context, self.query, byref(data), byref(count))
        if count.value == 0:
            return np.empty(0, CONTACT)
        buffer = (ctypes.c_char * (count.value * CONTACT.itemsize)).from_address(data.value)
        return np.frombuffer(buffer, CONTACT).copy()

    def contacts(self):
        found = set()
        for contact in self.results():
            vertices = contact["vertices"]
            is_face = contact["kind"] == VERTEX_FACE
            found.add(("vf", *vertex_face(vertices)) if is_face else ("ee", *edge_edge(vertices)))
        return found

    def close(self):
        self.call("pccd_context_destroy", self.context)
