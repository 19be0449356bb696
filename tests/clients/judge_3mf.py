"""What lib3mf, strict, and PrusaSlicer say of every 3MF: names, colours, volumes, places; every plate is sliced."""

import re
import subprocess
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

import lib3mf
import numpy

from expected import judge_file, judge_folders

PROFILE = Path(__file__).with_name("slice.ini")
LAYER_HEIGHT = 0.2  # mm, as in slice.ini
MOST_NOZZLES = 16  # more than that no printer has
VOLUME_TOLERANCE = 1e-3  # relative: chords instead of curves take this much at most
PLACE_TOLERANCE = 1e-3  # mm
WRAPPER = lib3mf.get_wrapper()
REPAIRS = ("open_edges", "facets_reversed", "backwards_edges", "degenerate_facets", "edges_fixed", "facets_removed")


def judge(report):
    for piece, path in report.piece_files("pieces", ".3mf"):
        judge_file("3mf", path, lambda path: look_at_piece(report, piece, path))
    plates = report.plate_files()
    placed = Counter()
    for path in plates:
        judge_file("3mf", path, lambda path: look_at_plate(report, path, placed))
    wanted = Counter({piece["name"]: piece["count"] for piece in report.pieces if piece["count"]})
    if report.solved:
        said = [f"the plates hold {dict(placed - wanted)} too much and lack {dict(wanted - placed)}"] if placed != wanted else []
        judge_file("3mf", report.folder / "plate-1.3mf", lambda path: (said, {"plates": len(plates)}))
        judge_file("3mf", report.folder / "assembled.3mf", lambda path: look_at_assembly(report, path))


def look_at_piece(report, piece, path):
    items, failures = load(report, path)
    if [item["name"] for item in items] != [piece["name"]]:
        failures.append(f"it holds {[item['name'] for item in items]}, wanted {piece['name']}")
    return failures + place_failures(report, items), facts(items)


def look_at_plate(report, path, placed):
    items, failures = load(report, path)
    placed.update(item["name"] for item in items)
    failures += place_failures(report, items)
    for i, one in enumerate(items):
        for other in items[:i]:
            if (one["low"][:2] < other["high"][:2]).all() and (other["low"][:2] < one["high"][:2]).all():
                failures.append(f"{one['name']} and {other['name']} overlap")
    with tempfile.TemporaryDirectory() as scratch:
        sliced, said = slices(scratch, path, items)
    return failures + said, {**facts(items), **sliced}


def look_at_assembly(report, path):
    items, failures = load(report, path)
    size = numpy.max([item["high"] for item in items], 0) - numpy.min([item["low"] for item in items], 0)
    failures += report.assembly_size_failures("assembled", size)
    if len(items) != report.bodies:
        failures.append(f"{len(items)} items, wanted {report.bodies}")
    return failures, facts(items)


def facts(items):
    return {"items": len(items), "triangles": sum(item["triangles"] for item in items)}


def load(report, path):
    """What is to be built, as lib3mf reads it, and what is wrong with it."""
    model, failures = WRAPPER.CreateModel(), []
    reader = model.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromFile(str(path))
    failures += [f"lib3mf warns: {reader.GetWarning(k)}" for k in range(reader.GetWarningCount())]
    titles = [model.GetMetaDataGroup().GetMetaData(k) for k in range(model.GetMetaDataGroup().GetMetaDataCount())]
    if not any(entry.GetName() == "Title" and entry.GetValue() for entry in titles):
        failures.append("it has no title")
    thumbnail = model.GetPackageThumbnailAttachment().WriteToBuffer() if model.HasPackageThumbnailAttachment() else b""
    if bytes(thumbnail)[:8] != b"\x89PNG\r\n\x1a\n":
        failures.append("the thumbnail is no PNG")
    pieces = {piece["name"]: piece for piece in report.pieces}
    items, build = [], model.GetBuildItems()
    while build.MoveNext():
        item = build.GetCurrent()
        mesh = item.GetObjectResource()
        name, corners = mesh.GetName(), placed_corners(mesh, item.GetObjectTransform())
        if name not in pieces:
            failures.append(f"'{name}' is no piece")
            continue
        items.append({"name": name, "low": corners.min(0), "high": corners.max(0), "triangles": mesh.GetTriangleCount()})
        failures += object_failures(model, mesh, corners, pieces[name])
    return items, list(dict.fromkeys(failures))


def placed_corners(mesh, transform):
    matrix = numpy.array([[transform.Fields[row][column] for column in range(3)] for row in range(4)])
    return numpy.array([list(vertex.Coordinates) for vertex in mesh.GetVertices()]) @ matrix[:3] + matrix[3]


def object_failures(model, mesh, corners, piece):
    failures, name = [], piece["name"]
    if not mesh.IsManifoldAndOriented():
        failures.append(f"'{name}' is not manifold and oriented")
    triangles = numpy.array([list(triangle.Indices) for triangle in mesh.GetTriangleIndices()])
    a, b, c = (corners[triangles[:, k]] - corners[0] for k in range(3))
    volume = float((a * numpy.cross(b, c)).sum() / 6)
    if not abs(volume / piece["volume_mm3"] - 1) < VOLUME_TOLERANCE:
        failures.append(f"'{name}' has {volume:.3f} mm3, wanted {piece['volume_mm3']:.3f}")
    colours = {colour_of(model, entry) for entry in mesh.GetAllTriangleProperties()}
    if colours != {piece["colour"], *piece["mark_colours"]}:
        failures.append(f"'{name}' has the colours {sorted(map(str, colours))}")
    return failures


def colour_of(model, properties):
    if not properties.ResourceID:
        return None
    colour = model.GetColorGroupByID(properties.ResourceID).GetColor(properties.PropertyIDs[0])
    return f"#{colour.Red:02X}{colour.Green:02X}{colour.Blue:02X}"


def place_failures(report, items):
    """Everything stands on the bed and within it."""
    failures = []
    for item in items:
        if abs(item["low"][2]) > PLACE_TOLERANCE:
            failures.append(f"{item['name']} is at z = {item['low'][2]:g}, not on the bed")
        if (item["low"][:2] < 0).any() or (item["high"][:2] > report.bed).any():
            failures.append(f"{item['name']} reaches from {item['low'][:2]} to {item['high'][:2]} on a bed of {report.bed}")
    return failures


def slices(scratch, path, items):
    """Sliced as it lies, with a nozzle for each colour that the file gives to one: layers and tools."""
    with zipfile.ZipFile(path) as archive:
        config = archive.read("Metadata/Slic3r_PE_model.config").decode()
    extruders = {int(number) for number in re.findall(r'key="extruder" value="(\d+)"', config)}
    nozzles = min(max(extruders), MOST_NOZZLES)
    every = lambda value: ",".join([value] * nozzles)  # noqa: E731
    low, high = (numpy.array([item[end] for item in items]) for end in ("low", "high"))
    width, depth = high[:, :2].max(0) + low[:, :2].min(0)
    said = slicer(scratch, "--info", path)
    failures = [f"{repair} {count}" for repair, count in re.findall(rf"^({'|'.join(REPAIRS)}) = (\d+)", said, re.M)]
    target = Path(scratch, "plate.gcode")
    said = slicer(scratch, "--load", PROFILE, "--nozzle-diameter", every("0.4"), "--filament-diameter", every("1.75"),
                  "--temperature", every("210"), "--bed-temperature", every("60"), "--dont-arrange",
                  "--bed-shape", f"0x0,{width}x0,{width}x{depth},0x{depth}", "--export-gcode", "--output", target, path)
    if not target.is_file():
        return {}, failures + ["it was not sliced: " + said[-200:]]
    text = target.read_text(encoding="utf-8", errors="replace")
    layers, tools = len(re.findall(r"^;LAYER_CHANGE", text, re.M)), {int(n) for n in re.findall(r"^T(\d+)", text, re.M)}
    if abs(layers - high[:, 2].max() / LAYER_HEIGHT) > 1:
        failures.append(f"{layers} layers for {high[:, 2].max():g} mm")
    drawn = numpy.array([[float(x), float(y)] for x, y in re.findall(r"^G1 X([\d.]+) Y([\d.]+) E", text, re.M)])
    if (drawn.min(0) < low[:, :2].min(0)).any() or (drawn.max(0) > high[:, :2].max(0)).any():
        failures.append(f"it draws from {drawn.min(0)} to {drawn.max(0)}, beyond the pieces")
    wanted = {min(number, nozzles) - 1 for number in extruders} if nozzles > 1 else tools
    if tools != wanted:
        failures.append(f"sliced for the tools {sorted(tools)}, wanted {sorted(wanted)}")
    failures += [line for line in said.splitlines() if re.search(r"warning|error", line, re.I)]
    return {"layers": layers, "tools": len(tools)}, failures


def slicer(scratch, *arguments):
    run = subprocess.run(["prusa-slicer", "--datadir", Path(scratch, "settings"), *map(str, arguments)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return run.stdout


judge_folders("3mf", judge)
