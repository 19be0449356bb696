"""Are the files that the report lists the files on disk, whole, and are all there that a puzzle owes?"""

import hashlib

from expected import judge_folders, say


def judge(report):
    failures = [f"{piece['name']}: {failure}" for piece in report.pieces for failure in report.volume_failures(piece)]
    listed = [file["path"] for file in report.files]
    on_disk = {path.relative_to(report.folder).as_posix() for path in report.folder.rglob("*") if path.is_file()}
    failures += [f"{path} is listed but not there" for path in sorted(set(listed) - on_disk)]
    failures += [f"{path} is there but not listed" for path in sorted(on_disk - set(listed) - {"report.json"})]
    if len({path.casefold() for path in listed}) != len(listed):
        failures.append("two files have one name where case does not count")
    for file in report.files:
        path = report.folder / file["path"]
        if path.is_file():
            content = path.read_bytes()
            if (len(content), hashlib.sha256(content).hexdigest()) != (file["bytes"], file["sha256"]):
                failures.append(f"{file['path']} is not what the report says: {len(content)} bytes")
    kinds = [("pieces", suffix) for suffix in (".stl", ".step", ".3mf", ".glb", ".png")]
    owed = [path for folder, suffix in kinds + [("nets", ".png"), ("nets", ".svg")]
            for _, path in report.piece_files(folder, suffix)]
    owed += [path for suffix in (".stl", ".step", ".glb", ".png") for path in report.assembly_files(suffix)]
    owed += [report.folder / name for name in ("assembled.3mf", "plate-1.3mf") if report.solved]
    owed += [report.folder / "nets" / f"sheet{suffix}" for suffix in (".png", ".svg")]
    failures += [f"{path.relative_to(report.folder)} is owed but not there" for path in owed if not path.is_file()]
    if report.folder.name != report.slug:
        failures.append(f"the folder is not named {report.slug}")
    say("report", report.folder / "report.json", failures, files=len(listed), pieces=len(report.pieces))


judge_folders("report", judge)
