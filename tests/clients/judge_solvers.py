"""What glpsol, cbc and HiGHS make of our integer programmes, and whether their answers come back as solutions.

    judge_solvers.py CUBEWRIGHT

Every puzzle is formulated, solved by each solver, and its answer read back; the cells that come out are counted here. An
answer that is spoiled has to be refused, and a puzzle without a solution has to be called infeasible.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from expected import say

PUZZLES = ["soma", "steinhaus", "slothouber-graatsma"]
CELLS = sorted([x, y, z] for x in range(3) for y in range(3) for z in range(3))
SECONDS = 60
NO_SOLUTION = """cubewright = 1
name = "The five tetrominoes fill no rectangle"
target.box = [5, 4, 1]
piece = [{ name = "I", layers = ["XXXX"] }, { name = "O", layers = ["XX/XX"] }, { name = "T", layers = ["XXX/.X."] },
         { name = "S", layers = ["XX./.XX"] }, { name = "L", layers = ["XXX/X.."] }]
"""
# Both pieces are needed, since one cell alone may stay empty, and each has its red end on red.
TINTED = """cubewright = 1
name = "Two red ends"
packing = { most_empty = 1, tints = { letters = "RB", colours = ["red", "blue"], may_lie_on = ["RR"] } }
target = { layers = ["X+++"], tints = ["RBBR"] }
piece = [{ name = "d", layers = ["XX"], tints = ["R."], count = [0, 2] }]
"""
# In a process of its own: HiGHS writes its banner to stdout whatever it is told.
HIGHS = """
import highspy, sys
solver = highspy.Highs()
solver.setOptionValue("time_limit", float(sys.argv[3]))
solver.readModel(sys.argv[1])
solver.run()
solver.writeSolution(sys.argv[2], 0)
"""


def main(cubewright):
    with tempfile.TemporaryDirectory() as scratch:
        hopeless = Path(scratch, "tetrominoes.toml")
        hopeless.write_text(NO_SOLUTION, encoding="utf-8")
        tinted = Path(scratch, "tinted.toml")
        tinted.write_text(TINTED, encoding="utf-8")
        for puzzle in PUZZLES + [hopeless, tinted]:
            programme = Path(scratch, f"{Path(puzzle).stem}.lp")
            made = run(cubewright, "formulate", puzzle, "-o", programme)
            if made.returncode:
                say("solvers", programme.name, [made.stderr.strip()])
                continue
            for name, solve in SOLVERS.items():
                answer = programme.with_suffix(f".{name}")
                solve(programme, answer)
                back = run(cubewright, "solve", "--json", "--from", answer, puzzle)
                cells = [[x, 0, 0] for x in range(4)] if puzzle is tinted else CELLS
                failures = hopeless_failures(back) if puzzle is hopeless else solution_failures(back, cells)
                say("solvers", answer.name, failures)
        spoiled = Path(scratch, "soma.spoiled")
        spoiled.write_text(without_a_piece(Path(scratch, "soma.glpk-raw").read_text()))
        back = run(cubewright, "solve", "--from", spoiled, "soma")
        is_refused = back.returncode == 1 and "left empty" in back.stderr
        say("solvers", spoiled.name, [] if is_refused else [f"an answer without a piece is taken: {back.stderr.strip()}"])


def solution_failures(back, wanted):
    if back.returncode:
        return [back.stderr.strip()]
    placements = json.loads(back.stdout)["found"][0]["placements"]
    cells = sorted(cell for placement in placements for cell in placement["cells"])
    return [] if cells == wanted else [f"the cells are {cells}"]


def hopeless_failures(back):
    is_said = back.returncode == 1 and "infeasible" in back.stderr
    return [] if is_said else [f"exit {back.returncode}, not called infeasible: {back.stderr.strip()}"]


def without_a_piece(raw):
    """GLPK's raw answer with the first column that is 1 set to 0."""
    lines = raw.splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line.startswith("j ") and line.endswith(" 1\n"))
    lines[first] = lines[first].replace(" 1\n", " 0\n")
    return "".join(lines)


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=2 * SECONDS, check=False)


SOLVERS = {
    "glpk": lambda programme, answer: run("glpsol", "--lp", programme, "--tmlim", SECONDS, "-o", answer),
    "glpk-raw": lambda programme, answer: run("glpsol", "--lp", programme, "--tmlim", SECONDS, "-w", answer),
    "cbc": lambda programme, answer: run("cbc", programme, "sec", SECONDS, "solve", "solution", answer),
    "highs": lambda programme, answer: run(sys.executable, "-c", HIGHS, programme, answer, SECONDS),
}

if __name__ == "__main__":
    main(sys.argv[1])
