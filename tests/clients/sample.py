"""A small puzzle folder made by other programs than ours, good or with one fault: four boxes that fill six cells."""

import hashlib
import json
import math
import os
from typing import NamedTuple

import trimesh
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.gp import gp_Pnt, gp_Trsf, gp_Vec
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_FACE
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool
from PIL import Image, ImageDraw

import sample_colour

SLUG = "sample"
PITCH, INSET, DPI, INK = 20, 0.1, 300, "#202020"
TARGET = [3, 2, 1]
SPREADS = {"assembled": 1.0, "exploded": 1.6}


class Piece(NamedTuple):
    """A row of cells along x, and the first cell of each of its copies."""

    name: str
    file: str
    colour: str
    marks: list
    cells: int
    corners: list

    @property
    def size(self):
        return [self.cells * PITCH - 2 * INSET, PITCH - 2 * INSET, PITCH - 2 * INSET]

    def places(self, spread=1.0):
        """Where its copies stand, in millimetres."""
        return [[spread * PITCH * c + INSET for c in corner] for corner in self.corners]


PIECES = [Piece("@", "@", "#FFA500", [INK], 1, [(0, 0, 0), (1, 0, 0)]),
          Piece("B/1", "B_1", "#FFFFFF", [INK], 1, [(2, 0, 0)]),
          Piece("I", "I", "#6080FF", [], 3, [(0, 1, 0)])]


def write(parent):
    """Writes the good folder below `parent` and returns it."""
    folder = parent / SLUG
    (folder / "pieces").mkdir(parents=True)
    (folder / "nets").mkdir()
    for piece in PIECES:
        box(piece).export(folder / "pieces" / f"{piece.file}.stl")
        save(net(piece), folder / "nets" / f"{piece.file}.png")
        (folder / "nets" / f"{piece.file}.svg").write_text("<svg/>")
    save(stack([net(piece) for piece in PIECES]), folder / "nets" / "sheet.png")
    (folder / "nets" / "sheet.svg").write_text("<svg/>")
    for name, spread in SPREADS.items():
        write_stl(folder / f"{name}.stl", spread)
    write_steps(folder)
    write_colour(folder)
    write_report(folder)
    return folder


def write_colour(folder, fault=None):
    """Writes every 3MF, GLB and picture, perhaps with one of the faults that they know."""
    sample_colour.write(folder, PIECES, SPREADS, box, fault)


def write_steps(folder, fault=None):
    """Writes every STEP of the folder, perhaps with one of the faults that `write_step` and `define` know."""
    for piece in PIECES:
        write_step(folder / "pieces" / f"{piece.file}.step", [(piece, [[0, 0, 0]])], None, fault)
    for name, spread in SPREADS.items():
        write_step(folder / f"{name}.step", [(piece, piece.places(spread)) for piece in PIECES], "Sample", fault)


def write_stl(path, spread):
    trimesh.util.concatenate([box(piece, place) for piece in PIECES for place in piece.places(spread)]).export(path)


def save(image, path, dpi=DPI):
    image.save(path, dpi=(dpi, dpi))


def write_report(folder):
    """Lists what is in the folder now."""
    pieces = [{"name": piece.name, "file": piece.file, "colour": piece.colour, "mark_colours": piece.marks,
               "count": len(piece.corners), "cells": piece.cells, "volume_mm3": math.prod(piece.size)}
              for piece in PIECES]
    files = [{"path": path.relative_to(folder).as_posix(), "bytes": path.stat().st_size,
              "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
             for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "report.json"]
    report = {"cubewright": 1, "puzzle": "Sample", "slug": SLUG, "pitch_mm": PITCH, "inset_mm": INSET, "relief_mm": 0.6,
              "bed_mm": sample_colour.BED, "dpi": DPI, "style": "embossed", "target": TARGET, "solve": {"complete": True, "assemblies": 1},
              "pieces": pieces, "files": files}
    (folder / "report.json").write_text(json.dumps(report))


def box(piece, place=(0, 0, 0)):
    mesh = trimesh.creation.box(piece.size)
    mesh.apply_translation([side / 2 + at for side, at in zip(piece.size, place)])
    return mesh


def net(piece, pitch=PITCH, colour=None, without=None):
    """A cross: a belt of four rows as wide as the piece, with one square at either end of the second row."""
    side = pitch * DPI / 25.4
    belt = [(1 + column, row) for row in range(4) for column in range(piece.cells)]
    image = Image.new("RGB", (round((piece.cells + 3) * side), round(5 * side)), "white")
    draw = ImageDraw.Draw(image)
    for column, row in belt + [(0, 1), (1 + piece.cells, 1)]:
        left, top = (column + 0.5) * side, (row + 0.5) * side
        if (column, row) != without:
            draw.rectangle([left, top, left + side, top + side], colour or piece.colour, "black", 1)
            draw.ellipse([left + 0.3 * side, top + 0.3 * side, left + 0.6 * side, top + 0.7 * side], None, INK, 30)
    draw.rectangle([1.6 * side, 0.2 * side, 2.2 * side, 0.5 * side], None, "black", 1)  # a glue tab
    return image


def stack(images):
    sheet = Image.new("RGB", (max(i.width for i in images), sum(i.height for i in images)), "white")
    for k, image in enumerate(images):
        sheet.paste(image, (0, sum(i.height for i in images[:k])))
    return sheet


def write_step(path, pieces, assembly, fault=None):
    """Writes placed boxes with names and colours; `fault` is one of the words looked for below."""
    kept = os.dup(1)
    os.dup2(2, 1)  # the writer prints statistics
    try:
        document = TDocStd_Document(TCollection_ExtendedString("document"))
        XCAFApp_Application.GetApplication_s().NewDocument(TCollection_ExtendedString("MDTV-XCAF"), document)
        shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        root = shapes.NewShape() if assembly else None
        if assembly:
            TDataStd_Name.Set_s(root, TCollection_ExtendedString(assembly))
        for piece, places in pieces:
            label = None
            for copy, place in enumerate(places):
                if label is None or fault == "copies":
                    label = define(shapes, colours, piece, fault)
                if assembly:
                    name = "part" if fault == "names" else f"{piece.name} {copy + 1}"
                    put(shapes, root, label, name, [0.98 * c for c in place] if fault == "overlap" else place)
        shapes.UpdateAssemblies()
        Interface_Static.SetCVal_s("write.step.schema", "AP203" if fault == "schema" else "AP214IS")
        Interface_Static.SetCVal_s("write.step.unit", "INCH" if fault == "unit" else "MM")
        writer = STEPCAFControl_Writer()
        writer.Transfer(document)
        writer.Write(str(path))
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def define(shapes, colours, piece, fault):
    along, across, up = piece.size
    shape = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), along * (1.00001 if fault == "volume" else 1), across, up).Solid()
    label = shapes.AddShape(shape, False)
    TDataStd_Name.Set_s(label, TCollection_ExtendedString("piece" if fault == "product" else piece.name))
    body = quantity("#FFA400" if fault == "colour" else piece.colour)
    colours.SetColor(label, body, XCAFDoc_ColorType.XCAFDoc_ColorSurf)
    if piece.marks:
        face = TopExp_Explorer(shape, TopAbs_FACE).Current()
        ink = quantity("#000000" if fault == "ink" else piece.marks[0])
        colours.SetColor(shapes.AddSubShape(label, face), ink, XCAFDoc_ColorType.XCAFDoc_ColorSurf)
    return label


def put(shapes, root, label, name, place):
    move = gp_Trsf()
    move.SetTranslation(gp_Vec(*place))
    part = shapes.AddComponent(root, label, TopLoc_Location(move))
    TDataStd_Name.Set_s(part, TCollection_ExtendedString(name))


def quantity(colour):
    channels = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    return Quantity_Color(*channels, Quantity_TypeOfColor.Quantity_TOC_sRGB)
