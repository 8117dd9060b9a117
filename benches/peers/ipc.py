"""ipc-toolkit: swept boxes in a linear BVH, then Tight-Inclusion, on one thread."""

import time

import ipctk
import numpy as np

from scenes import edge_edge, vertex_face


class IpcToolkit:
    def __init__(self, scene):
        ipctk.set_num_threads(1)
        ipctk.set_logger_level(ipctk.error)
        self.start = np.asfortranarray(scene.start)
        self.end = np.asfortranarray(scene.end)
        edges = ipctk.edges(scene.triangles)
        self.mesh = ipctk.CollisionMesh(self.start, edges, np.asfortranarray(scene.triangles))
        self.candidates = ipctk.Candidates()

    def step(self):
        """One step as a simulator does it. Returns milliseconds for candidates, for the step size, and the step size."""
        begin = time.perf_counter()
        self.candidates.build(self.mesh, self.start, self.end, broad_phase=ipctk.LBVH())
        built = time.perf_counter()
        size = self.candidates.compute_collision_free_stepsize(self.mesh, self.start, self.end)
        return 1e3 * (built - begin), 1e3 * (time.perf_counter() - built), size

    def candidate_count(self):
        return len(self.candidates.ee_candidates) + len(self.candidates.fv_candidates)

    def contacts(self):
        """Every candidate that Tight-Inclusion says collides. The time in here is mostly Python's."""
        edges, faces = self.mesh.edges, self.mesh.faces
        start, end = np.ascontiguousarray(self.start), np.ascontiguousarray(self.end)
        ccd = ipctk.TightInclusionCCD()
        found = set()
        for candidate in self.candidates.ee_candidates:
            ids = [*edges[candidate.edge0_id], *edges[candidate.edge1_id]]
            if candidate.ccd(start[ids].ravel(), end[ids].ravel(), 0.0, 1.0, ccd)[0]:
                found.add(("ee", *edge_edge(ids)))
        for candidate in self.candidates.fv_candidates:
            ids = [candidate.vertex_id, *faces[candidate.face_id]]
            if candidate.ccd(start[ids].ravel(), end[ids].ravel(), 0.0, 1.0, ccd)[0]:
                found.add(("vf", *vertex_face(ids)))
        return found
