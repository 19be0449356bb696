"""What trimesh, manifold3d and admesh say of every STL: closed, oriented, the right bodies, volume and size."""

import re
import subprocess

import manifold3d
import numpy
import trimesh

from expected import judge_file, judge_folders

VOLUME_TOLERANCE = 1e-3  # relative: chords instead of curves take this much at most
OVERLAP_TOLERANCE = 1e-6  # mm3
BED_TOLERANCE = 1e-4  # mm


def judge(report):
    for piece, path in report.piece_files("pieces", ".stl"):
        judge_file("stl", path, lambda path: look_at_piece(report, piece, path))
    for path in report.assembly_files(".stl"):
        judge_file("stl", path, lambda path: look_at_assembly(report, path))


def look_at_piece(report, piece, path):
    mesh, failures = load(path)
    failures += report.piece_size_failures(mesh.extents, piece["cells"])
    failures += body_failures(mesh, 1) + volume_failures(mesh, piece["volume_mm3"]) + admesh_failures(path, 1)
    if abs(mesh.bounds[0][2]) > BED_TOLERANCE:
        failures.append(f"its lowest point is at z = {mesh.bounds[0][2]:g}, not on the bed")
    return failures, facts(mesh)


def look_at_assembly(report, path):
    mesh, failures = load(path)
    failures += report.assembly_size_failures(path.stem, mesh.extents)
    failures += body_failures(mesh, report.bodies) + volume_failures(mesh, report.volume)
    failures += admesh_failures(path, report.bodies)
    if mesh.bounds[0][2] < -BED_TOLERANCE:
        failures.append(f"its lowest point is at z = {mesh.bounds[0][2]:g}, below the bed")
    return failures, facts(mesh)


def facts(mesh):
    return {"triangles": len(mesh.faces), "volume_mm3": round(mesh.volume, 3), "size_mm": mesh.extents.round(4).tolist()}


def load(path):
    """The mesh as trimesh reads it, vertices joined only where they are equal to the bit."""
    content = path.read_bytes()
    failures = []
    if content[:5].lower() == b"solid":
        failures.append("the header starts with 'solid', as a text file does")
    count = int.from_bytes(content[80:84], "little")
    if len(content) != 84 + 50 * count:
        raise ValueError(f"{len(content)} bytes are not 84 + 50 for each of {count} triangles")
    soup = trimesh.load_mesh(path, process=False)
    corners, index = numpy.unique(soup.triangles.reshape(-1, 3), axis=0, return_inverse=True)
    mesh = trimesh.Trimesh(corners, index.reshape(-1, 3), process=False)
    if not mesh.is_watertight:
        failures.append("trimesh: not watertight")
    if not mesh.is_winding_consistent:
        failures.append("trimesh: neighbouring triangles are turned against each other")
    if mesh.volume <= 0:
        failures.append("trimesh: inside out")
    if (mesh.area_faces < 1e-9).any():
        failures.append("trimesh: triangles without area")
    records = numpy.frombuffer(content, [("normal", "<f4", 3), ("corners", "<f4", 9), ("bits", "<u2")], count, 84)
    if ((records["normal"] * soup.triangles_cross).sum(1) < 0.99 * 2 * soup.area_faces).any():
        failures.append("a stored normal disagrees with the turn of its triangle")
    if records["bits"].any():
        failures.append("attribute bits are set")
    return mesh, failures


def body_failures(mesh, wanted):
    """Bodies counted by manifold3d, and whether two of them share any space."""
    solid = manifold3d.Manifold(manifold3d.Mesh64(mesh.vertices, mesh.faces.astype(numpy.uint64)))
    if solid.status() != manifold3d.Error.NoError:
        return [f"manifold3d: {solid.status()}"]
    bodies = solid.decompose()
    failures = [] if len(bodies) == wanted else [f"manifold3d: {len(bodies)} bodies, wanted {wanted}"]
    if any(body.volume() <= 0 for body in bodies):
        failures.append("manifold3d: a body is inside out")
    boxes = numpy.array([body.bounding_box() for body in bodies])
    for i, box in enumerate(boxes):
        near = (boxes[:i, :3] < box[3:]).all(1) & (box[:3] < boxes[:i, 3:]).all(1)
        for j in numpy.flatnonzero(near):
            shared = (bodies[i] ^ bodies[int(j)]).volume()
            if shared > OVERLAP_TOLERANCE:
                failures.append(f"manifold3d: two bodies share {shared:.6f} mm3")
    return failures


def volume_failures(mesh, wanted):
    off = abs(mesh.volume / wanted - 1)
    return [f"volume {mesh.volume:.3f} mm3, wanted {wanted:.3f}"] if off > VOLUME_TOLERANCE else []


def admesh_failures(path, parts):
    """admesh mends what it finds and counts it: every count has to be zero."""
    run = subprocess.run(["admesh", path], capture_output=True, text=True, check=False)
    counts = {name.strip(): int(number) for name, number in re.findall(r"([A-Z][A-Za-z ]+?) *: +(\d+)", run.stdout)}
    mended = ("Degenerate facets", "Edges fixed", "Facets removed", "Facets added", "Facets reversed",
              "Backwards edges", "Normals fixed", "Total disconnected facets")
    failures = [f"admesh: {name} {counts.get(name)}" for name in mended if counts.get(name) != 0]
    if counts.get("Number of parts") != parts:
        failures.append(f"admesh: {counts.get('Number of parts')} parts, wanted {parts}")
    return failures


judge_folders("stl", judge)
