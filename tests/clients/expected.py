"""What the files of one puzzle folder have to be, from its `report.json` and from plain arithmetic (millimetres).

Every judge takes puzzle folders, asks a real program about the files in them, and prints one JSON line a file.
"""

import json
import sys
from pathlib import Path

SIZE_TOLERANCE = 1e-3  # mm: far below what any printer does, far above what single precision loses.
REPORT_KEYS = ("cubewright", "puzzle", "slug", "pitch_mm", "inset_mm", "relief_mm", "bed_mm", "dpi", "style", "target", "solve",
               "pieces", "files")
PIECE_KEYS = ("name", "file", "colour", "mark_colours", "volume_mm3", "count", "cells")
FILE_KEYS = ("path", "bytes", "sha256")


class Report:
    """The report of one puzzle folder; refuses one that lacks a key, so that no judge passes for want of a figure."""

    def __init__(self, folder):
        self.folder = Path(folder)
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        require(report, REPORT_KEYS, "report.json")
        for piece in report["pieces"]:
            require(piece, PIECE_KEYS, f"report.json: piece {piece.get('name')!r}")
        for file in report["files"]:
            require(file, FILE_KEYS, f"report.json: file {file.get('path')!r}")
        self.puzzle, self.slug, self.dpi, self.style = (report[key] for key in ("puzzle", "slug", "dpi", "style"))
        self.pitch, self.inset, self.relief = report["pitch_mm"], report["inset_mm"], report["relief_mm"]
        self.bed = report["bed_mm"]
        self.target, self.pieces, self.files = report["target"], report["pieces"], report["files"]
        self.solved = report["solve"]["assemblies"] > 0
        self.bodies = sum(piece["count"] for piece in self.pieces)
        self.volume = sum(piece["count"] * piece["volume_mm3"] for piece in self.pieces)

    def piece_files(self, folder, suffix):
        """Every piece with the file of it that `build` owes."""
        return [(piece, self.folder / folder / (piece["file"] + suffix)) for piece in self.pieces]

    def plate_files(self):
        """The plates to print, in order; their number is for the pieces on them to justify."""
        plates = [file["path"] for file in self.files if file["path"].startswith("plate-")]
        return sorted((self.folder / path for path in plates), key=lambda path: int(path.stem.removeprefix("plate-")))

    def assembly_files(self, suffix):
        """The files of the whole that `build` owes: none when the puzzle has no solution."""
        return [self.folder / (name + suffix) for name in ("assembled", "exploded")] if self.solved else []

    def piece_size_failures(self, size, cells):
        """A piece is a whole number of pitches less two insets along each axis, one pitch if it has one cell."""
        reliefs = (0, self.relief, 2 * self.relief) if self.style == "proud" else (0,)
        most = 1 if cells == 1 else cells
        fits = [n * self.pitch - 2 * self.inset + relief for n in range(1, most + 1) for relief in reliefs]
        return [f"{side:.4f} mm along {axis} is no whole number of pitches less two insets"
                for axis, side in zip("xyz", size) if not any(abs(side - fit) <= SIZE_TOLERANCE for fit in fits)]

    def assembly_size_failures(self, name, size):
        """Assembled, the puzzle is as large as its target less two insets; exploded, or with proud marks, larger."""
        tight = [n * self.pitch - 2 * self.inset for n in self.target]
        exact = name == "assembled" and self.style != "proud"
        return [f"{side:.4f} mm along {axis}, wanted {'' if exact else 'at least '}{fit:g}"
                for axis, side, fit in zip("xyz", size, tight)
                if side < fit - SIZE_TOLERANCE or (exact and side > fit + SIZE_TOLERANCE)]

    def volume_failures(self, piece):
        """What the report says of a piece's volume is possible at all: marks and bevels take little of the cells."""
        volume, cells = piece["volume_mm3"], piece["cells"]
        least, most = 0.5 * cells * (self.pitch - 2 * self.inset) ** 3, cells * self.pitch ** 3
        return [] if least < volume < most else [f"the report's volume {volume:g} is outside {least:g} to {most:g}"]


def require(table, keys, where):
    missing = [key for key in keys if key not in table]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}")


def say(judge, path, failures, **facts):
    """Prints one verdict."""
    line = {"judge": judge, "file": str(path), "ok": not failures, **facts, "failures": failures}
    print(json.dumps(line, ensure_ascii=False), file=sys.stdout, flush=True)


def judge_folders(judge, judge_folder):
    """Runs `judge_folder` on each folder of the command line; what it cannot read is a failure of its own."""
    for folder in sys.argv[1:]:
        try:
            judge_folder(Report(folder))
        except Exception as error:  # noqa: BLE001: whatever goes wrong, the verdict is that the folder is not good
            say(judge, folder, [f"{type(error).__name__}: {error}"])


def judge_file(judge, path, look):
    """Says what `look` finds in one file: it returns failures and facts."""
    try:
        failures, facts = look(path)
    except Exception as error:  # noqa: BLE001: a file no program can open is a bad file
        failures, facts = [f"{type(error).__name__}: {error}"], {}
    say(judge, path, failures, **facts)
