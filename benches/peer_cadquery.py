"""The same models with CadQuery, to be timed beside `cubewright models 4d-sudoku`.

    pip install cadquery
    cargo run --release -- show 4d-sudoku > 4d-sudoku.toml
    time python benches/peer_cadquery.py 4d-sudoku.toml out-peer [assemblies]

Every cubie: a cube of 19.8 mm, chamfered by 0.6, with a panel cut 0.6 deep into each marked face and the digit standing
in it, as STL and STEP; with `assemblies` one STEP of all of them too. Written as one would write it, digits in the same
font; where the digits stand on their faces is left out of account, since turning them costs nothing.
"""

import sys
import tomllib
from pathlib import Path

import cadquery as cq

FONT = str(Path(__file__).parent.parent / "fonts" / "DejaVuSans-Bold.ttf")
FACES = {"front": "<Y", "right": ">X", "back": ">Y", "left": "<X", "top": ">Z", "bottom": "<Z"}


def cubie(faces):
    body = cq.Workplane("XY").box(19.8, 19.8, 19.8).edges().chamfer(0.6)
    for side, mark in faces.items():
        if mark:
            face = body.faces(FACES[side]).workplane(centerOption="CenterOfMass")
            body = face.rect(17, 17).cutBlind(-0.6)
            face = body.faces(FACES[side]).workplane(centerOption="CenterOfMass", offset=-0.6)
            body = face.text(mark[0], 14.9, 0.6, fontPath=FONT, combine=True)
    return body


def main():
    puzzle = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    out = Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    assembly = cq.Assembly(name=puzzle["name"])
    for number, entry in enumerate(puzzle["cubie"]):
        body = cubie(entry["faces"])
        cq.exporters.export(body, str(out / f"{entry['name']}.stl"), tolerance=0.01, angularTolerance=0.1)
        cq.exporters.export(body, str(out / f"{entry['name']}.step"))
        place = cq.Location((20 * (number % 3), 20 * (number // 9), 20 * (number // 3 % 3)))
        assembly.add(body, name=entry["name"], loc=place, color=cq.Color(entry["colour"]))
    if "assemblies" in sys.argv:
        assembly.export(str(out / "assembled.step"))


main()
