"""The 3MF, GLB and PNG files of the sample folder, good or with one fault: lib3mf writes the 3MF, plain code the GLB."""

import json
import struct

import lib3mf
import numpy
from PIL import Image

BED = [220, 220]
WRAPPER = lib3mf.get_wrapper()


def write(folder, pieces, spreads, box, fault=None):
    """Writes every one of them; `fault` is one of the words looked for below."""
    centre = [side / 2 for side in BED] + [0]
    for piece in pieces:
        Image.new("RGBA", (40, 40), piece.colour).save(folder / "pieces" / f"{piece.file}.png")
        write_3mf(folder / "pieces" / f"{piece.file}.3mf", [(piece, centre)], box, fault)
        write_glb(folder / "pieces" / f"{piece.file}.glb", [(piece, [0, 0, 0], [0, 0, 0])], box, fault)
    copies = [piece for piece in pieces for _ in piece.corners]
    lying = [(piece, [10 + 70 * k % 200, 10 + 70 * (70 * k // 200), 0]) for k, piece in enumerate(copies)]
    write_3mf(folder / "plate-1.3mf", lying[1:] if fault == "short" else lying, box, fault)
    on_bed = lambda place: [*place[:2], 0]  # noqa: E731: all of them are on the lowest layer
    homes = [(piece, on_bed(place)) for piece in pieces for place in piece.places()]
    write_3mf(folder / "assembled.3mf", homes, box, fault)
    for name, spread in spreads.items():
        Image.new("RGBA", (80, 80), "#00000000").save(folder / f"{name}.png")
        starts = [on_bed(place) for piece in pieces for place in piece.places(spread)]
        moves = [(piece, start, home) for (piece, home), start in zip(homes, starts)]
        write_glb(folder / f"{name}.glb", moves, box, fault)


def write_3mf(path, placed, box, fault):
    model = WRAPPER.CreateModel()
    model.GetMetaDataGroup().AddMetaData("", "Title", "Sample", "xs:string", True)
    colours, objects = model.AddColorGroup(), {}
    for piece, _ in placed:
        if piece.name not in objects:
            objects[piece.name] = add_object(model, colours, piece, box(piece), fault)
    for piece, place in placed:
        transform = WRAPPER.GetTranslationTransform(*(place[:2] + [1] if fault == "floating" else place))
        model.AddBuildItem(objects[piece.name], transform)
    thumbnail = model.CreatePackageThumbnailAttachment()
    thumbnail.ReadFromBuffer(b"\x89PNG\r\n\x1a\n" if fault != "thumbnail" else b"nothing")
    model.AddCustomContentType("config", "text/xml")
    ranges = "".join(f'<object id="{o.GetResourceID()}"><volume firstid="0" lastid="{o.GetTriangleCount() - 1}">'
                     f'<metadata type="volume" key="extruder" value="1"/></volume></object>' for o in objects.values())
    config = model.AddAttachment("/Metadata/Slic3r_PE_model.config", "http://schemas.example.org/config")
    config.ReadFromBuffer(f'<?xml version="1.0"?><config>{ranges}</config>'.encode())
    model.QueryWriter("3mf").WriteToFile(str(path))


def add_object(model, colours, piece, mesh, fault):
    thing = model.AddMeshObject()
    thing.SetName("piece" if fault == "name" else piece.name)
    for corner in mesh.vertices:
        position = lib3mf.Position()
        position.Coordinates[:] = [float(c) * (1.01 if fault == "volume" else 1) for c in corner]
        thing.AddVertex(position)
    body = colours.AddColor(rgba("#FFA400" if fault == "colour" else piece.colour))
    ink = colours.AddColor(rgba(piece.marks[0])) if piece.marks else body
    for number, corners in enumerate(mesh.faces):
        triangle = lib3mf.Triangle()
        triangle.Indices[:] = [int(corner) for corner in corners]
        thing.AddTriangle(triangle)
        colour = ink if number < 2 else body
        properties = lib3mf.TriangleProperties()
        properties.ResourceID, properties.PropertyIDs[:] = colours.GetResourceID(), [colour] * 3
        thing.SetTriangleProperties(number, properties)
    if thing.GetTriangleCount():
        thing.SetObjectLevelProperty(colours.GetResourceID(), body)
    return thing


def rgba(colour):
    return WRAPPER.RGBAToColor(*(int(colour[at:at + 2], 16) for at in (1, 3, 5)), 255)


def write_glb(path, moves, box, fault):
    """Nodes that stand at the start of their move and end at home."""
    binary, views, accessors, meshes, nodes, materials = b"", [], [], {}, [], []

    def accessor(numbers, kind, component="f"):
        nonlocal binary
        packed = numpy.asarray(numbers, "<f4" if component == "f" else "<u2")
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": packed.nbytes})
        binary += packed.tobytes() + b"\0" * (-packed.nbytes % 4)
        rows = packed.reshape(len(packed), -1)
        bounds = {"min": rows.min(0).tolist(), "max": (rows.max(0) + (fault == "bounds")).tolist()}
        accessors.append({"bufferView": len(views) - 1, "count": len(packed), "type": kind,
                          "componentType": 5126 if component == "f" else 5123, **bounds})
        return len(accessors) - 1

    def primitive(mesh, faces, colour):
        corners = mesh.vertices[mesh.faces[faces]].reshape(-1, 3) * (1 if fault == "millimetres" else 1e-3)
        normals = numpy.repeat(mesh.face_normals[faces], 3, 0)
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
                  for c in (int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5))]
        materials.append({"pbrMetallicRoughness": {"baseColorFactor": [*linear, 1], "metallicFactor": int(fault == "metal")}})
        return {"attributes": {"POSITION": accessor(corners, "VEC3"), "NORMAL": accessor(normals, "VEC3")},
                "indices": accessor(numpy.arange(len(corners)), "SCALAR", "u"), "material": len(materials) - 1}

    samplers, times = [], accessor([0, 1], "SCALAR") if len(moves) > 1 else None
    for piece, start, home in moves:
        if piece.name not in meshes:
            mesh, body = box(piece), "#FFA400" if fault == "colour" else piece.colour
            parts = [primitive(mesh, slice(0, 2), piece.marks[0] if piece.marks else body), primitive(mesh, slice(2, None), body)]
            meshes[piece.name] = {"name": "piece" if fault == "name" else piece.name, "primitives": parts}
        stay = fault == "elsewhere"
        nodes.append({"name": f"n{0 if fault == 'twice' else len(nodes)}", "mesh": list(meshes).index(piece.name),
                      "translation": [c / 1000 for c in start]})
        if times is not None:
            track = accessor([[c / 1000 for c in place] for place in (start, start if stay else home)], "VEC3")
            samplers.append({"input": times, "output": track})
    root = {"name": "root", "children": list(range(len(nodes))), "rotation": [-(0.5 ** 0.5), 0, 0, 0.5 ** 0.5]}
    if fault == "lying":
        del root["rotation"]
    document = {"asset": {"version": "2.0", "generator": "sample"}, "scene": 0, "scenes": [{"nodes": [len(nodes)]}],
                "nodes": nodes + [root], "meshes": list(meshes.values()), "materials": materials, "accessors": accessors,
                "bufferViews": views, "buffers": [{"byteLength": len(binary)}]}
    if samplers:
        channels = [{"sampler": k, "target": {"node": k, "path": "translation"}} for k in range(len(samplers))]
        document["animations"] = [{"channels": channels, "samplers": samplers}]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
