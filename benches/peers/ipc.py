"""ipc-toolkit: swept boxes in a linear BVH, then Tight-Inclusion, on one thread."""

import time

import ipctk
import numpy as np

from scenes import edge_edge, vertex_face


class IpcToolkit:
    def __init__(self, scene):
        ipctk.set_num_threads(1)
        ipctk.set_logger_level(ipctk.error)
        self.start, self.end = np.asfortranarray(scene.start), np.asfortranarray(scene.end)
        edges = ipctk.edges(scene.triangles)
        self.mesh = ipctk.CollisionMesh(self.start, edges, np.asfortranarray(scene.triangles))
        self.candidates = ipctk.Candidates()

    def step(self):
        """One step as a simulator does it: milliseconds for the candidates and for a safe step size."""
        begin = time.perf_counter()
        self.candidates.build(self.mesh, self.start, self.end, broad_phase=ipctk.LBVH())
        built = time.perf_counter()
        self.candidates.compute_collision_free_stepsize(self.mesh, self.start, self.end)
        return 1e3 * (built - begin), 1e3 * (time.perf_counter() - built)

    def measure(self, repeat):
        """Least milliseconds for the candidates and for the whole step."""
        steps = [self.step() for _ in range(repeat)]
        return min(build for build, _ in steps), min(build + narrow for build, narrow in steps)

    def candidate_count(self):
        return len(self.candidates.ee_candidates) + len(self.candidates.fv_candidates)

    def contacts(self):
        """Every candidate that Tight-Inclusion says collides.

        The interface takes one candidate at a time, tens of microseconds each. Those that are clearly apart along an axis at both
        ends, by far more than Tight-Inclusion's tolerance, are not asked about.
        """
        edges, faces = np.array(self.mesh.edges), np.array(self.mesh.faces)
        start, end = np.ascontiguousarray(self.start), np.ascontiguousarray(self.end)
        ccd = ipctk.TightInclusionCCD()
        found = set()
        for kind, candidates in (("ee", self.candidates.ee_candidates), ("vf", self.candidates.fv_candidates)):
            count = len(candidates)
            if kind == "ee":
                first = edges[np.fromiter((c.edge0_id for c in candidates), np.int64, count)]
                second = edges[np.fromiter((c.edge1_id for c in candidates), np.int64, count)]
            else:
                first = np.fromiter((c.vertex_id for c in candidates), np.int64, count)[:, None]
                second = faces[np.fromiter((c.face_id for c in candidates), np.int64, count)]
            for index in np.flatnonzero(~clearly_apart(start, end, first, second)):
                ids = [*first[index], *second[index]]
                if candidates[int(index)].ccd(start[ids].ravel(), end[ids].ravel(), 0.0, 1.0, ccd)[0]:
                    found.add((kind, *(edge_edge(ids) if kind == "ee" else vertex_face(ids))))
        return found


def clearly_apart(start, end, first, second, part=1_000_000):
    """Where two features are apart along an axis, on the same side at both ends, by 1/10,000 of the scene's size."""
    margin = 1e-4 * float(np.ptp(np.concatenate([start, end]), axis=0).max())
    apart = np.zeros(len(first), bool)
    for begin in range(0, len(first), part):
        where = slice(begin, begin + part)
        for axis in range(3):
            gaps = []
            for frame in (start[:, axis], end[:, axis]):
                a, b = frame[first[where]], frame[second[where]]
                gaps.append((a.min(1) - b.max(1), b.min(1) - a.max(1)))
            for side in range(2):
                apart[where] |= (gaps[0][side] > margin) & (gaps[1][side] > margin)
    return apart
