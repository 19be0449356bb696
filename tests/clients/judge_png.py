"""Do the nets print at their real size? Reads the resolution from the PNG and measures the squares in its pixels."""

import numpy
from PIL import Image
from scipy import ndimage

from expected import judge_file, judge_folders

MILLIMETRES_PER_INCH = 25.4
PAPER = 250  # a pixel with every channel at least this is bare paper
COARSE = 4  # pixels become one while measuring
SQUARE = 0.93  # of a pitch: a window of this size fits into squares of the net and into nothing else on the sheet
SIZE_TOLERANCE = 0.5  # mm
AREA_TOLERANCE = 0.05  # of a square, for each square


def judge(report):
    squares = {}
    for piece, path in report.piece_files("nets", ".png"):
        judge_file("png", path, lambda path: look_at_net(report, piece, path, squares))
    sheet = report.folder / "nets" / "sheet.png"
    judge_file("png", sheet, lambda path: look_at_sheet(report, path, sum(squares.values())))


def look_at_net(report, piece, path, squares):
    """One piece: four squares by three for a cubie, 2 to 4n + 2 in even number for n cells, mostly in its colour."""
    image, failures = read(report, path)
    net = squares_of(report, image)
    area = net.sum() * coarse_pixel(report) ** 2 / report.pitch ** 2
    squares[piece["name"]] = count = 6 if piece["cells"] == 1 else 2 * round(area / 2)
    if not 6 <= count <= 4 * piece["cells"] + 2 or abs(area - count) > AREA_TOLERANCE * count:
        wanted = "6" if piece["cells"] == 1 else f"an even number from 6 to {4 * piece['cells'] + 2}"
        failures.append(f"{area:.2f} squares of {report.pitch:g} mm, wanted {wanted}")
    size = sides_of(net, report)
    if piece["cells"] == 1 and any(abs(side - n * report.pitch) > SIZE_TOLERANCE for side, n in zip(size, (3, 4))):
        failures.append(f"the cross is {size[1]:.1f} x {size[0]:.1f} mm, wanted 4 x 3 squares of {report.pitch:g} mm")
    share = share_of(piece["colour"], image, net)
    if share < 0.5:
        failures.append(f"{share:.0%} of the net has the colour {piece['colour']}")
    return failures, {"squares": round(float(area), 2), "cross_mm": [round(side, 1) for side in size],
                      "in_colour": round(share, 2)}


def look_at_sheet(report, path, wanted):
    image, failures = read(report, path)
    area = squares_of(report, image).sum() * coarse_pixel(report) ** 2 / report.pitch ** 2
    if abs(area - wanted) > AREA_TOLERANCE * wanted:
        failures.append(f"{area:.1f} squares, {wanted} on the single nets")
    size = [round(side * MILLIMETRES_PER_INCH / report.dpi) for side in image.shape[1::-1]]
    return failures, {"squares": round(float(area), 1), "size_mm": size}


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


def squares_of(report, image):
    """Where the squares are: all that paper does not reach from the rim, less what is narrower than a square."""
    ink = (image < PAPER).any(axis=2)
    rows, columns = (side // COARSE * COARSE for side in ink.shape)
    ink = ink[:rows, :columns].reshape(rows // COARSE, COARSE, columns // COARSE, COARSE).any(axis=(1, 3))
    filled = ndimage.binary_fill_holes(ink)
    window = round(SQUARE * report.pitch / coarse_pixel(report))
    padded = numpy.pad(filled, window).astype(numpy.uint8)
    opened = ndimage.maximum_filter(ndimage.minimum_filter(padded, window), window, origin=-1 if window % 2 == 0 else 0)
    return opened[window:-window, window:-window].astype(bool)


def sides_of(net, report):
    """Height and width of what is set, the smaller one first, in millimetres."""
    spans = [numpy.flatnonzero(net.any(axis=axis)) for axis in (0, 1)]
    return sorted(float(span[-1] - span[0] + 1) * coarse_pixel(report) if len(span) else 0.0 for span in spans)


def coarse_pixel(report):
    """The side of a coarse pixel in millimetres."""
    return COARSE * MILLIMETRES_PER_INCH / report.dpi


def share_of(colour, image, net):
    """How much of the net is in this colour."""
    wanted = [int(colour[at:at + 2], 16) for at in (1, 3, 5)]
    inside = numpy.kron(net, numpy.ones((COARSE, COARSE), bool))
    pixels = image[:inside.shape[0], :inside.shape[1]][inside]
    return float((abs(pixels.astype(int) - wanted) <= 3).all(axis=1).mean()) if len(pixels) else 0.0


judge_folders("png", judge)
