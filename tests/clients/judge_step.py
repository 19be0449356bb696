"""What Open CASCADE, the kernel under FreeCAD and most viewers, says of every STEP: read as a CAD program reads it."""

import os
import re
import sys
import tempfile
from contextlib import contextmanager

# Open CASCADE prints to the standard output; the verdicts keep it for themselves.
sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from OCP.Bnd import Bnd_Box
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepGProp import BRepGProp
from OCP.collections import Sequence_TDF_Label
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_PrintCount, IFSelect_RetDone
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.ShapeAnalysis import ShapeAnalysis_ShapeTolerance
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

from expected import judge_file, judge_folders

VOLUME_TOLERANCE = 1e-6  # relative: the curves are exact
OVERLAP_TOLERANCE = 1e-6  # mm3
GAP_TOLERANCE = 1e-5  # mm: the reader widens a tolerance where curves and surfaces miss each other


def judge(report):
    for piece, path in report.piece_files("pieces", ".step"):
        judge_file("step", path, lambda path: look_at_piece(report, piece, path))
    for path in report.assembly_files(".step"):
        judge_file("step", path, lambda path: look_at_assembly(report, path))


def look_at_piece(report, piece, path):
    document = read(path)
    failures = text_failures(path, document, 1)
    products = document.products
    if list(products) != [piece["name"]] or document.roots != [piece["name"]]:
        failures.append(f"products {list(products)}, roots {document.roots}, wanted {piece['name']!r} alone")
    for product in products.values():
        failures += product_failures(product, piece)
    size = size_of(document.boxes())
    failures += report.piece_size_failures(size, piece["cells"])
    return failures, facts(document, size)


def look_at_assembly(report, path):
    document = read(path)
    placed = {piece["name"]: piece for piece in report.pieces if piece["count"] > 0}
    failures = text_failures(path, document, len(placed))
    if len(document.roots) != 1 or not document.is_assembly:
        failures.append(f"roots {document.roots}, wanted one assembly")
    if set(document.products) != set(placed):
        failures.append(f"products {sorted(document.products)}, wanted {sorted(placed)}")
    for name, product in document.products.items():
        piece = placed.get(name)
        failures += product_failures(product, piece) if piece else []
        uses = sum(instance.product == name for instance in document.instances)
        if piece and uses != piece["count"]:
            failures.append(f"{name} is placed {uses} times, wanted {piece['count']}")
    names = [instance.name for instance in document.instances]
    if len(set(names)) != len(names):
        failures.append("two instances have one name")
    failures += [f"instance {instance.name!r} does not begin with its product {instance.product!r}"
                 for instance in document.instances if not instance.name.startswith(instance.product)]
    size = size_of(document.boxes())
    failures += report.assembly_size_failures(path.stem, size)
    failures += overlap_failures(document)
    return failures, facts(document, size)


def facts(document, size):
    return {"instances": len(document.instances), "definitions": len(document.products),
            "colours": sorted({colour for product in document.products.values() for colour in product.colours}),
            "size_mm": [round(side, 4) for side in size]}


def text_failures(path, document, definitions):
    """What the text shows and a lenient reader hides: schema, unit, ASCII, one solid a piece, and faces turned round.

    Open CASCADE mends a face whose sense is wrong without a word; then the senses in the file are not those it ends with.
    """
    text = path.read_bytes().decode("latin-1")
    failures = []
    if not re.search(r"FILE_SCHEMA\s*\(\s*\(\s*'AUTOMOTIVE_DESIGN", text):
        failures.append("the schema is not AP214 (AUTOMOTIVE_DESIGN)")
    lengths = [entity for entity in text.split(";") if "LENGTH_UNIT" in entity and "UNCERTAINTY" not in entity]
    if any("CONVERSION_BASED" in unit or not re.search(r"\.MILLI\.\s*,\s*\.METRE\.", unit) for unit in lengths):
        failures.append("the unit is not the millimetre")
    if re.search(r"[^\x20-\x7e\r\n\t]", text):
        failures.append("bytes outside printable ASCII")
    solids = len(re.findall(r"=\s*(?:MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS)\s*\(", text))
    if solids != definitions:
        failures.append(f"{solids} solids are defined, wanted {definitions}")
    reversed_in_file = len(re.findall(r"=\s*ADVANCED_FACE\s*\([^;]*\.F\.\s*\)\s*;", text))
    faces = [face for product in document.products.values() for face in parts_of(product.shape, TopAbs_FACE)]
    reversed_in_shape = sum(face.Orientation() == TopAbs_REVERSED for face in faces)
    if reversed_in_file != reversed_in_shape:
        failures.append(f"{reversed_in_file} faces are reversed in the file, {reversed_in_shape} once it is read")
    return failures


def product_failures(product, piece):
    failures = []
    solids = parts_of(product.shape, TopAbs_SOLID)
    if len(solids) != 1:
        failures.append(f"{piece['name']}: {len(solids)} solids, wanted 1")
    if not BRepCheck_Analyzer(product.shape).IsValid():
        failures.append(f"{piece['name']}: not a valid B-rep")
    gap = ShapeAnalysis_ShapeTolerance().Tolerance(product.shape, 1)
    if gap > GAP_TOLERANCE:
        failures.append(f"{piece['name']}: vertices, edges and faces are up to {gap:g} mm apart")
    volume, wanted = volume_of(product.shape), piece["volume_mm3"]
    if abs(volume / wanted - 1) > VOLUME_TOLERANCE:
        failures.append(f"{piece['name']}: volume {volume:.6f} mm3, wanted {wanted:.6f}")
    if product.colour != piece["colour"]:
        failures.append(f"{piece['name']}: colour {product.colour}, wanted {piece['colour']}")
    if product.face_colours != set(piece["mark_colours"]):
        failures.append(f"{piece['name']}: marks {sorted(product.face_colours)}, wanted {piece['mark_colours']}")
    return failures


def overlap_failures(document):
    """Pairs whose boxes meet are cut with each other; the others cannot share anything."""
    failures, boxes = [], document.boxes()
    for i, (one, box) in enumerate(zip(document.instances, boxes)):
        for other, other_box in zip(document.instances[:i], boxes[:i]):
            if not box.IsOut(other_box):
                shared = volume_of(BRepAlgoAPI_Common(one.shape, other.shape).Shape())
                if shared > OVERLAP_TOLERANCE:
                    failures.append(f"{one.name} and {other.name} share {shared:.6f} mm3")
    return failures


class Product:
    """A named shape and its colours; `face_colours` are those of faces that differ from the body."""

    def __init__(self, label, tools):
        self.shape = tools.shapes.GetShape_s(label)
        self.colour = tools.colour(label)
        parts = Sequence_TDF_Label()
        tools.shapes.GetSubShapes_s(label, parts)
        part_colours = {tools.colour(part) for part in each(parts)}
        if self.colour is None:  # a colour on the solid below the product
            solids = [part for part in each(parts) if tools.shapes.GetShape_s(part).ShapeType() == TopAbs_SOLID]
            self.colour = next(map(tools.colour, solids), None)
        self.face_colours = part_colours - {None, self.colour}
        self.colours = {self.colour or "none"} | self.face_colours


class Instance:
    """A product at its place."""

    def __init__(self, name, product, shape):
        self.name, self.product, self.shape = name, product, shape


class Document:
    """The assembly tree: the root names, the products by name, their instances in order."""

    def __init__(self, document):
        self.shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self.colour_tool = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        self.products, self.instances, self.is_assembly = {}, [], False
        free = Sequence_TDF_Label()
        self.shapes.GetFreeShapes(free)
        self.roots = [name_of(root) for root in each(free)]
        for root in each(free):
            self.is_assembly |= self.shapes.IsAssembly_s(root)
            self.walk(root, root)

    def walk(self, label, placed):
        """Collects what is below `label`, which stands where `placed` puts it."""
        if self.shapes.IsAssembly_s(label):
            parts = Sequence_TDF_Label()
            self.shapes.GetComponents_s(label, parts, False)
            for part in each(parts):
                referred = TDF_Label()
                self.shapes.GetReferredShape_s(part, referred)
                self.walk(referred, part)
        else:
            name = name_of(label)
            self.instances.append(Instance(name_of(placed), name, self.shapes.GetShape_s(placed)))
            if name not in self.products:
                self.products[name] = Product(label, self)

    def colour(self, label):
        """The surface colour of a label as #RRGGBB, or None."""
        colour = Quantity_Color()
        for kind in (XCAFDoc_ColorType.XCAFDoc_ColorSurf, XCAFDoc_ColorType.XCAFDoc_ColorGen):
            if self.colour_tool.GetColor_s(label, kind, colour):
                return "#%02X%02X%02X" % tuple(round(255 * c) for c in colour.Values(Quantity_TypeOfColor.Quantity_TOC_sRGB))
        return None

    def boxes(self):
        """The exact bounding box of every instance."""
        boxes = []
        for instance in self.instances:
            box = Bnd_Box()
            BRepBndLib.AddOptimal_s(instance.shape, box, False, False)
            box.SetGap(0.0)
            boxes.append(box)
        return boxes


def read(path):
    """The document of one file; a file of which the reader has anything to say is refused."""
    document = TDocStd_Document(TCollection_ExtendedString("document"))
    XCAFApp_Application.GetApplication_s().NewDocument(TCollection_ExtendedString("MDTV-XCAF"), document)
    reader = STEPCAFControl_Reader()
    reader.SetNameMode(True)
    reader.SetColorMode(True)
    with heard() as words:
        opened = reader.ReadFile(str(path)) == IFSelect_RetDone and reader.Transfer(document)
        reader.ChangeReader().PrintCheckLoad(False, IFSelect_PrintCount.IFSelect_ItemsByEntity)
        reader.ChangeReader().PrintCheckTransfer(False, IFSelect_PrintCount.IFSelect_ItemsByEntity)
    complaints = [word for word in words if re.search(r"warn|err|fail", word, re.I)]
    if complaints or not opened:
        raise ValueError(f"Open CASCADE: {'; '.join(complaints[:3])[:300] or 'cannot read it'}")
    return Document(document)


@contextmanager
def heard():
    """The lines Open CASCADE prints meanwhile."""
    words = []
    kept = os.dup(1)
    with tempfile.TemporaryFile() as scratch:
        os.dup2(scratch.fileno(), 1)
        try:
            yield words
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            scratch.seek(0)
            text = re.sub(r"\x1b\[[\d;]*m", "", scratch.read().decode("utf-8", "replace"))
            words.extend(line.strip(" *") for line in text.splitlines() if line.strip(" *"))


def each(labels):
    return [labels.Value(i) for i in range(1, labels.Length() + 1)]


def name_of(label):
    name = TDataStd_Name()
    return name.Get().ToExtString() if label.FindAttribute(TDataStd_Name.GetID_s(), name) else ""


def parts_of(shape, kind):
    explorer, parts = TopExp_Explorer(shape, kind), []
    while explorer.More():
        parts.append(explorer.Current())
        explorer.Next()
    return parts


def volume_of(shape):
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties, 1e-9, True)
    return properties.Mass()


def size_of(boxes):
    lows, highs = zip(*((box.CornerMin(), box.CornerMax()) for box in boxes))
    return [max(map(axis, highs)) - min(map(axis, lows))
            for axis in (lambda point: point.X(), lambda point: point.Y(), lambda point: point.Z())]


judge_folders("step", judge)
