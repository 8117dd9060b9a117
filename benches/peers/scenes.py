"""Two frames of a deforming mesh and the pairs that truly collide between them."""

import pathlib

import numpy as np

SIZES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}


class Scene:
    """Positions at t=0 and t=1 (float64), triangles, and the contacts as sets of vertex indices."""

    def __init__(self, folder):
        self.name = folder.name
        self.frames = sorted((folder / "frames").glob("*.ply"))
        if len(self.frames) != 2:
            raise SystemExit(f"{folder}: a scene has two frames, this one has {len(self.frames)}")
        self.start, self.triangles = read_ply(self.frames[0])
        self.end, triangles = read_ply(self.frames[1])
        if self.start.shape != self.end.shape or not np.array_equal(self.triangles, triangles):
            raise SystemExit(f"{folder}: the frames are not of the same mesh")
        self.truth = {("vf", *vertex_face(row)) for row in read_truth(folder / "truth_vf.csv")}
        self.truth |= {("ee", *edge_edge(row)) for row in read_truth(folder / "truth_ee.csv")}


def find_scenes(data):
    folders = [path for path in sorted((pathlib.Path(data) / "scenes").glob("*")) if (path / "frames").is_dir()]
    if not folders:
        raise SystemExit(f"no scenes in {data}; set PCCD_DATA to the folder of the ground truth")
    return folders


def vertex_face(vertices):
    """The pair, however its face is turned."""
    return (int(vertices[0]), *sorted(int(v) for v in vertices[1:]))


def edge_edge(vertices):
    """The pair, however its edges are turned and ordered."""
    a, b = sorted(int(v) for v in vertices[:2]), sorted(int(v) for v in vertices[2:])
    return (*min(a, b), *max(a, b))


def read_truth(path):
    rows = np.loadtxt(path, delimiter=",", dtype=np.int64, ndmin=2)
    return rows[rows[:, 4] == 1, :4]


def read_ply(path):
    data = path.read_bytes()
    marker = b"end_header\n"
    end = data.index(marker) + len(marker)
    order, elements = None, []
    for line in data[:end].decode("ascii").splitlines():
        match line.split():
            case ["format", "binary_big_endian", _]:
                order = ">"
            case ["format", "binary_little_endian", _]:
                order = "<"
            case ["element", name, count]:
                elements.append((name, int(count), []))
            case ["property", "list", count, item, name]:
                elements[-1][2].append((name, [("count", order + SIZES[count]), ("items", order + SIZES[item], 3)]))
            case ["property", kind, name]:
                elements[-1][2].append((name, order + SIZES[kind]))
    found = {}
    for name, count, properties in elements:
        dtype = np.dtype(properties)
        found[name] = np.frombuffer(data, dtype, count, end)
        end += count * dtype.itemsize
    faces = found["face"]["vertex_indices"]
    if not np.all(faces["count"] == 3):
        raise SystemExit(f"{path}: a face that is no triangle")
    positions = np.stack([found["vertex"][axis].astype(np.float64) for axis in "xyz"], axis=1)
    return positions, faces["items"].astype(np.int32)
