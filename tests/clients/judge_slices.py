"""What PrusaSlicer says of every STL and, sliced, of every piece. Its words are judged: it exits with 0 whatever it meets."""

import re
import subprocess
import tempfile
from pathlib import Path

from expected import judge_file, judge_folders

PROFILE = Path(__file__).with_name("slice.ini")
LAYER_HEIGHT = 0.2  # mm, as in slice.ini
PLA = 1.24e-3  # g/mm3, as in slice.ini
REPAIRS = ("open_edges", "facets_reversed", "backwards_edges", "degenerate_facets", "edges_fixed", "facets_removed")


def judge(report):
    pieces = report.piece_files("pieces", ".stl")
    whole = report.assembly_files(".stl")
    with tempfile.TemporaryDirectory() as scratch:
        infos = ask_for_infos(scratch, [path for _, path in pieces] + whole)
        said = slice_files(scratch, [path for _, path in pieces])
        for piece, path in pieces:
            judge_file("slice", path, lambda path: look_at_slices(piece, infos[path], said, Path(scratch, path.stem)))
        for path in whole:
            judge_file("slice", path, lambda path: (info_failures(infos[path], report.bodies), {}))


def ask_for_infos(scratch, paths):
    """The table that `--info` prints for each file, in the order of the files."""
    said = slicer(scratch, "--info", *paths)
    blocks = re.split(r"^\[.+\]$", said, flags=re.MULTILINE)[1:]
    if len(blocks) != len(paths):
        raise ValueError(f"{len(blocks)} of {len(paths)} files were read: {said[-200:]}")
    tables = [dict(re.findall(r"^\s*(\w+) = +(\S+)", block, re.MULTILINE)) for block in blocks]
    return dict(zip(paths, tables))


def slice_files(scratch, paths):
    """Slices each file on its own in one run and returns what was said."""
    return slicer(scratch, "--load", PROFILE, "--export-gcode", "--output", scratch, *paths)


def slicer(scratch, *arguments):
    run = subprocess.run(["prusa-slicer", "--datadir", Path(scratch, "settings"), *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return run.stdout


def info_failures(info, parts):
    failures = [f"{repair} {info[repair]}" for repair in REPAIRS if repair in info]
    if info.get("manifold") != "yes":
        failures.append("not manifold")
    if info.get("number_of_parts") != str(parts):
        failures.append(f"{info.get('number_of_parts')} parts, wanted {parts}")
    return failures


def look_at_slices(piece, info, said, stem):
    failures = info_failures(info, 1)
    path = stem.with_name(stem.name + ".gcode")
    if not path.is_file():
        return failures + ["it was not sliced: " + said[-200:]], {}
    text = path.read_text(encoding="utf-8", errors="replace")
    layers = len(re.findall(r"^;LAYER_CHANGE", text, re.MULTILINE))
    grams = float(re.search(r"^; total filament used \[g\] = ([\d.]+)", text, re.MULTILINE).group(1))
    if abs(layers - float(info["size_z"]) / LAYER_HEIGHT) > 1:
        failures.append(f"{layers} layers for {info['size_z']} mm")
    solid = piece["volume_mm3"] * PLA
    if not 0.15 * solid < grams < 1.1 * solid:
        failures.append(f"{grams} g, where a massive piece weighs {solid:.2f} g")
    failures += [line for line in said.splitlines() if re.search(r"warning|error", line, re.I) and stem.name in line]
    return failures, {"layers": layers, "grams": grams}


judge_folders("slice", judge)
