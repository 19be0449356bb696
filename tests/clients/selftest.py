"""Can the judges say no? Each fault below is put into a good folder, and one judge has to find it and call it by name."""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import sample

HERE = Path(__file__).parent


def main():
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        good = sample.write(Path(scratch, "good"))
        folders = {fault: spoil(fault, good, Path(scratch, fault.__name__)) for fault in FAULTS}
        return not all(list(pool.map(lambda judge: examine(judge, good, folders), JUDGES)))


def examine(judge, good, folders):
    """One judge sees the good folder and those with the faults that it has to find."""
    faults = [fault for fault in FAULTS if FAULTS[fault][0] == judge]
    run = subprocess.run(JUDGES[judge] + [good] + [folders[fault] for fault in faults], stdout=subprocess.PIPE, text=True,
                         check=False)
    verdicts = [json.loads(line) for line in run.stdout.splitlines()]
    of_good = [verdict for verdict in verdicts if is_of(good, verdict)]
    answers = [answer(judge, "nothing in a good folder", of_good and all(verdict["ok"] for verdict in of_good), of_good)]
    for fault in faults:
        found = [failure for verdict in verdicts if is_of(folders[fault], verdict) for failure in verdict["failures"]]
        answers.append(answer(judge, fault.__doc__, any(FAULTS[fault][1] in failure for failure in found), found))
    return all(answers)


def is_of(folder, verdict):
    return Path(verdict["file"]).is_relative_to(folder)


def answer(judge, found, ok, seen):
    line = {"judge": "selftest", "file": f"{judge} finds {found}", "ok": bool(ok), "failures": [] if ok else [str(seen)]}
    print(json.dumps(line), flush=True)
    return ok


def spoil(fault, good, parent):
    """A folder with this fault, and its report written after it unless the fault is one of the report."""
    folder = parent / good.name
    shutil.copytree(good, folder)
    fault(folder)
    if fault in STEP_WRITER_FAULTS:
        sample.write_steps(folder, fault.__name__.removeprefix("step_"))
    if FAULTS[fault][0] != "files":
        sample.write_report(folder)
    return folder


def edit_triangles(path, edit):
    """Replaces the 50 byte records of a binary STL by what `edit` makes of the list of them."""
    content = path.read_bytes()
    records = edit([content[at:at + 50] for at in range(84, len(content), 50)])
    path.write_bytes(content[:80] + struct.pack("<I", len(records)) + b"".join(records))


def flipped(record):
    numbers = struct.unpack("<12fH", record)
    normal, a, b, c = (numbers[at:at + 3] for at in (0, 3, 6, 9))
    return struct.pack("<12fH", *(-n for n in normal), *a, *c, *b, numbers[12])


def moved(record, by):
    numbers = list(struct.unpack("<12fH", record))
    for at in range(3, 12):
        numbers[at] += by[at % 3]
    return struct.pack("<12fH", *numbers)


def truncated(folder):
    """a file shorter than its report says"""
    path = folder / "pieces" / "@.step"
    path.write_bytes(path.read_bytes()[:-1])


def stray(folder):
    """a file that the report does not list"""
    (folder / "pieces" / "old.stl").write_bytes(b"")


def missing(folder):
    """a piece without its STEP"""
    (folder / "pieces" / "I.step").unlink()


def triangle_flipped(folder):
    """one triangle turned round"""
    edit_triangles(folder / "pieces" / "@.stl", lambda t: [flipped(t[0])] + t[1:])


def triangle_lost(folder):
    """one triangle left out"""
    edit_triangles(folder / "pieces" / "@.stl", lambda t: t[1:])


def crack(folder):
    """one corner a hair off its neighbours"""
    def edit(triangles):
        numbers = list(struct.unpack("<12fH", triangles[0]))
        numbers[3] += 2e-5
        return [struct.pack("<12fH", *numbers)] + triangles[1:]
    edit_triangles(folder / "pieces" / "@.stl", edit)


def inside_out(folder):
    """a piece inside out"""
    edit_triangles(folder / "pieces" / "@.stl", lambda t: list(map(flipped, t)))


def off_the_bed(folder):
    """a piece that floats"""
    edit_triangles(folder / "pieces" / "@.stl", lambda t: [moved(record, (0, 0, 1)) for record in t])


def too_large(folder):
    """pieces of another pitch"""
    sample.PITCH += 0.01
    sample.box(sample.PIECES[0]).export(folder / "pieces" / "@.stl")
    sample.PITCH -= 0.01


def wrong_normal(folder):
    """a stored normal that points the other way"""
    def edit(triangles):
        numbers = struct.unpack("<12fH", triangles[0])
        return [struct.pack("<12fH", *(-n for n in numbers[:3]), *numbers[3:])] + triangles[1:]
    edit_triangles(folder / "pieces" / "@.stl", edit)


def text_header(folder):
    """a binary header that starts like a text file"""
    path = folder / "pieces" / "@.stl"
    path.write_bytes(b"solid" + path.read_bytes()[5:])


def body_lost(folder):
    """an assembly without one of its bodies"""
    edit_triangles(folder / "assembled.stl", lambda t: t[:24] + t[36:])


def bodies_overlap(folder):
    """two bodies in one place"""
    edit_triangles(folder / "exploded.stl", lambda t: t[:12] + [moved(r, (-12.5, 0.5, 0.5)) for r in t[12:24]] + t[24:])


def assembly_loose(folder):
    """an assembly larger than its target"""
    sample.write_stl(folder / "assembled.stl", 1.01)


def slices_open(folder):
    """an open mesh"""
    triangle_lost(folder)


def slices_two_bodies(folder):
    """a piece in two bodies"""
    edit_triangles(folder / "pieces" / "@.stl", lambda t: t + [moved(record, (40, 0, 0)) for record in t])


def slices_nothing(folder):
    """a file that is no STL"""
    (folder / "pieces" / "@.stl").write_bytes(b"nothing")


def step_names(folder):
    """instances of one name"""


def step_product(folder):
    """a product that is not named after its piece"""


def step_colour(folder):
    """a body one shade off"""


def step_ink(folder):
    """marks of another colour"""


def step_schema(folder):
    """another schema"""


def step_unit(folder):
    """inches"""


def step_overlap(folder):
    """placements that meet"""


def step_copies(folder):
    """a piece defined once for each of its copies"""


def step_volume(folder):
    """a volume off by a hundred thousandth"""


def step_dangling(folder):
    """a reference to an entity that is not there"""
    path = folder / "pieces" / "@.step"
    path.write_text(path.read_text().replace("VERTEX_POINT('',#", "VERTEX_POINT('',#9", 1))


def step_open(folder):
    """a solid that lacks a face"""
    path = folder / "pieces" / "@.step"
    head, faces = path.read_text().split("CLOSED_SHELL('',(", 1)
    path.write_text(head + "CLOSED_SHELL('',(" + faces.split(",", 1)[1])


def step_turned(folder):
    """a face turned round"""
    path = folder / "pieces" / "@.step"
    path.write_text(re.sub(r"(ADVANCED_FACE\([^;]*),\.([TF])\.\)", lambda m: f"{m[1]},.{'TF'[m[2] == 'T']}.)",
                           path.read_text(), count=1))


def step_corner(folder):
    """a corner beside its edges"""
    path = folder / "pieces" / "@.step"
    path.write_text(re.sub(r"19\.8,(0\.,19\.8\))", r"19.81,\1", path.read_text(), count=1))


def view_open(folder):
    """an open mesh"""
    triangle_lost(folder)


def view_colour(folder):
    """a colour that is not the report's"""
    path = folder / "pieces" / "I.step"
    path.write_text(path.read_text().replace("COLOUR_RGB('',", "COLOUR_RGB('',0.", 1).replace("0.0.", "0.9", 1))


def view_broken(folder):
    """a STEP cut short"""
    path = folder / "pieces" / "@.step"
    path.write_bytes(path.read_bytes()[:3000])


def threemf_name(folder):
    """an object that is not named after its piece"""
    sample.write_colour(folder, "name")


def threemf_colour(folder):
    """triangles one shade off"""
    sample.write_colour(folder, "colour")


def threemf_volume(folder):
    """a volume off by three hundredths"""
    sample.write_colour(folder, "volume")


def threemf_floating(folder):
    """pieces that float"""
    sample.write_colour(folder, "floating")


def threemf_short(folder):
    """a plate that lacks a piece"""
    sample.write_colour(folder, "short")


def threemf_thumbnail(folder):
    """a thumbnail that is no picture"""
    sample.write_colour(folder, "thumbnail")


def glb_name(folder):
    """a mesh that is not named after its piece"""
    sample.write_colour(folder, "name")


def glb_colour(folder):
    """a material one shade off"""
    sample.write_colour(folder, "colour")


def glb_metal(folder):
    """a metal"""
    sample.write_colour(folder, "metal")


def glb_millimetres(folder):
    """millimetres for metres"""
    sample.write_colour(folder, "millimetres")


def glb_lying(folder):
    """z up"""
    sample.write_colour(folder, "lying")


def glb_twice(folder):
    """two nodes of one name"""
    sample.write_colour(folder, "twice")


def glb_elsewhere(folder):
    """an animation that does not put it together"""
    sample.write_colour(folder, "elsewhere")


def glb_bounds(folder):
    """bounds that are not those of the numbers"""
    sample.write_colour(folder, "bounds")


def coarse(folder):
    """a resolution that is not the report's"""
    sample.save(sample.net(sample.PIECES[0]), folder / "nets" / "@.png", 200)


def oversize(folder):
    """a net drawn two per cent too large"""
    sample.save(sample.net(sample.PIECES[0], 1.02 * sample.PITCH), folder / "nets" / "@.png")


def square_lost(folder):
    """a net without one of its squares"""
    sample.save(sample.net(sample.PIECES[0], without=(1, 3)), folder / "nets" / "@.png")


def other_colour(folder):
    """a net in another colour"""
    sample.save(sample.net(sample.PIECES[0], colour="#40D040"), folder / "nets" / "@.png")


def sheet_short(folder):
    """a sheet that lacks a net"""
    sample.save(sample.stack([sample.net(piece) for piece in sample.PIECES[1:]]), folder / "nets" / "sheet.png")


# Each fault with the judge that has to find it and a word of what it has to say.
FAULTS = {
    truncated: ("files", "is not what the report says"),
    stray: ("files", "is there but not listed"),
    missing: ("files", "is owed but not there"),
    triangle_flipped: ("stl", "turned against each other"),
    triangle_lost: ("stl", "not watertight"),
    crack: ("stl", "not watertight"),
    inside_out: ("stl", "inside out"),
    off_the_bed: ("stl", "not on the bed"),
    too_large: ("stl", "no whole number of pitches"),
    wrong_normal: ("stl", "a stored normal"),
    text_header: ("stl", "'solid'"),
    body_lost: ("stl", "bodies, wanted"),
    bodies_overlap: ("stl", "two bodies share"),
    assembly_loose: ("stl", "mm along x, wanted 59.8"),
    slices_open: ("slices", "manifold"),
    slices_two_bodies: ("slices", "2 parts, wanted 1"),
    slices_nothing: ("slices", "files were read"),
    step_names: ("step", "two instances have one name"),
    step_product: ("step", "products"),
    step_colour: ("step", "colour #FFA400, wanted #FFA500"),
    step_ink: ("step", "marks ['#000000']"),
    step_schema: ("step", "the schema is not AP214"),
    step_unit: ("step", "the unit is not the millimetre"),
    step_overlap: ("step", "share"),
    step_copies: ("step", "solids are defined"),
    step_volume: ("step", "volume"),
    step_dangling: ("step", "Open CASCADE"),
    step_open: ("step", "0 solids, wanted 1"),
    step_turned: ("step", "once it is read"),
    step_corner: ("step", "apart"),
    view_open: ("view", "not a closed surface"),
    view_colour: ("view", "is not seen"),
    view_broken: ("view", "cannot open it"),
    threemf_name: ("3mf", "is no piece"),
    threemf_colour: ("3mf", "has the colours"),
    threemf_volume: ("3mf", "mm3, wanted"),
    threemf_floating: ("3mf", "not on the bed"),
    threemf_short: ("3mf", "lack"),
    threemf_thumbnail: ("3mf", "thumbnail"),
    glb_name: ("glb", "the pieces are"),
    glb_colour: ("glb", "the colours are"),
    glb_metal: ("glb", "metallic"),
    glb_millimetres: ("glb", "mm3, wanted"),
    glb_lying: ("glb", "it comes together as"),
    glb_twice: ("glb", "two nodes"),
    glb_elsewhere: ("glb", "it comes together as"),
    glb_bounds: ("glb", "ACCESSOR"),
    coarse: ("png", "the resolution is"),
    oversize: ("png", "the cross is"),
    square_lost: ("png", "squares of 20 mm in #FFA500, wanted 6"),
    other_colour: ("png", "0.00 squares of 20 mm in #FFA500"),
    sheet_short: ("png", "on the single nets"),
}
STEP_WRITER_FAULTS = {step_names, step_product, step_colour, step_ink, step_schema, step_unit, step_overlap, step_copies,
                      step_volume}
JUDGES = {judge: [sys.executable, HERE / f"judge_{judge}.py"] for judge in ("files", "stl", "slices", "step", "3mf", "png")}
JUDGES["glb"] = ["node", HERE / "judge_glb.mjs"]
JUDGES["view"] = ["node", HERE / "view.mjs"]

if __name__ == "__main__":
    sys.exit(main())
