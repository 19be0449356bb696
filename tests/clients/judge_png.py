"""Do the nets print at their real size? Reads the resolution from the PNG and measures the squares in its pixels."""

import numpy
from PIL import Image
from scipy import ndimage

from expected import judge_file, judge_folders

MILLIMETRES_PER_INCH = 25.4
WINDOW = 0.95  # of a pitch: a window of this size fits into the squares of a net and into no letter or number
COLOUR_TOLERANCE = 3  # of 255
SIZE_TOLERANCE = 0.5  # mm: the lines around a square are a quarter of a millimetre wide
AREA_TOLERANCE = 0.04  # of a square, for each square


def judge(report):
    squares = {}
    for piece, path in report.piece_files("nets", ".png"):
        judge_file("png", path, lambda path: look_at_net(report, piece, path, squares))
    sheet = report.folder / "nets" / "sheet.png"
    judge_file("png", sheet, lambda path: look_at_sheet(report, path, sum(squares.values())))


def look_at_net(report, piece, path, squares):
    """One piece, in its colour: a cross of six squares for a cubie, 6 to 4n + 2 squares, an even number, for n cells."""
    image, failures = read(report, path)
    net = numpy.any([squares_of(report, image, colour) for colour in colours_of(piece)], axis=0)
    area = area_of(report, net)
    squares[piece["name"]] = count = 6 if piece["cells"] == 1 else 2 * round(area / 2)
    if not 6 <= count <= 4 * piece["cells"] + 2 or abs(area - count) > AREA_TOLERANCE * count:
        wanted = "6" if piece["cells"] == 1 else f"an even number from 6 to {4 * piece['cells'] + 2}"
        failures.append(f"{area:.2f} squares of {report.pitch:g} mm in {', '.join(colours_of(piece))}, wanted {wanted}")
    size = sides_of(report, net)
    if piece["cells"] == 1 and any(abs(side - n * report.pitch) > SIZE_TOLERANCE for side, n in zip(size, (3, 4))):
        failures.append(f"the cross is {size[1]:.1f} x {size[0]:.1f} mm, wanted 4 x 3 squares of {report.pitch:g} mm")
    return failures, {"squares": round(area, 2), "cross_mm": [round(side, 1) for side in size]}


def look_at_sheet(report, path, wanted):
    image, failures = read(report, path)
    colours = {colour for piece in report.pieces for colour in colours_of(piece)}
    area = sum(area_of(report, squares_of(report, image, colour)) for colour in colours)
    if abs(area - wanted) > AREA_TOLERANCE * wanted:
        failures.append(f"{area:.1f} squares, {wanted} on the single nets")
    size = [round(side * pixel(report)) for side in image.shape[1::-1]]
    return failures, {"squares": round(area, 1), "size_mm": size}


def colours_of(piece):
    """Of its squares: their own where they have some, otherwise that of the body."""
    return piece.get("square_colours") or [piece["colour"]]


def read(report, path):
    """The pixels on white paper, rows first, and what is wrong with the resolution that the file states."""
    with Image.open(path) as image:
        image.load()
        stated = image.info.get("dpi")
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
    failures = []
    if stated is None or any(abs(axis - report.dpi) > 0.02 for axis in stated):
        failures.append(f"the resolution is {stated} dots per inch, wanted {report.dpi}")
    return numpy.asarray(paper.convert("RGB")), failures


def squares_of(report, image, colour):
    """Where squares of this colour are, which may be that of the paper: marks and fold lines on them count, tabs do not."""
    window = round(WINDOW * report.pitch / pixel(report))
    wanted = numpy.array([int(colour[at:at + 2], 16) for at in (1, 3, 5)], numpy.int16)
    coloured = (abs(image - wanted) <= COLOUR_TOLERANCE).all(axis=2)
    inside = ~reached_from_rim(numpy.pad(coloured, window, constant_values=True))
    bare = inside & numpy.pad(coloured, window)
    filled = fill(bare, window).view(numpy.uint8)
    opened = ndimage.maximum_filter(ndimage.minimum_filter(filled, window), window, origin=-1 if window % 2 == 0 else 0)
    return opened.view(bool)


def fill(bare, window):
    """With what is enclosed: marks and lines, but no holes of the net, which are as large as a square each way."""
    regions, _ = ndimage.label(~bare)
    outside = regions[0, 0]
    filled = bare.copy()
    for number, box in enumerate(ndimage.find_objects(regions), start=1):
        if number != outside and min(side.stop - side.start for side in box) < window:
            filled[box] |= regions[box] == number
    return filled


def reached_from_rim(open_to):
    """What can be reached from the corner through pixels that are open."""
    regions, _ = ndimage.label(open_to)
    return regions == regions[0, 0]


def area_of(report, net):
    """In squares of the pitch."""
    return float(net.sum()) * pixel(report) ** 2 / report.pitch ** 2


def sides_of(report, net):
    """Height and width of what is set, the smaller one first, in millimetres."""
    spans = [numpy.flatnonzero(net.any(axis=axis)) for axis in (0, 1)]
    return sorted(float(span[-1] - span[0] + 1) * pixel(report) if len(span) else 0.0 for span in spans)


def pixel(report):
    """The side of a pixel in millimetres."""
    return MILLIMETRES_PER_INCH / report.dpi


judge_folders("png", judge)
