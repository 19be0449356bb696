"""The same packings with dancing links in C, to be timed beside `cubewright solve soma --count --threads 1`.

    pip install exact-cover
    cargo run --release -- formulate soma -o soma.lp
    python benches/peer_dlx.py soma.lp [PIECE]

Reads the rows and columns of the integer programme, counts every exact cover and says how many seconds of CPU that took.
Symmetric assemblies are found one by one, unless a PIECE is given: then it is held in the first of its orientations. In
a cube with a piece that has 24 of them that leaves one assembly of each 24, as cubewright does it.
"""

import re
import sys
import time
from collections import defaultdict

import exact_cover
import numpy


def columns(text):
    """The rows of each variable, by number; every row has to be filled once."""
    body = text[text.index("Subject To") : text.index("Binar")]
    rows = re.findall(r"^ (\w+):(.*?)(<=|>=|=) (\d+)$", body, re.MULTILINE | re.DOTALL)
    found = defaultdict(list)
    for number, (name, terms, relation, amount) in enumerate(rows):
        if (relation, amount) != ("=", "1"):
            sys.exit(f"{name}: an exact cover fills every row once")
        for variable in re.findall(r"\w+", terms):
            found[variable].append(number)
    return found, len(rows)


def main(path, piece=None):
    with open(path, encoding="utf-8") as file:
        found, count = columns(file.read())
    if piece:
        orientation = min(name.split("_")[1] for name in found if name.startswith(f"{piece}_"))
        found = {name: rows for name, rows in found.items() if not name.startswith(f"{piece}_") or name.split("_")[1] == orientation}
    matrix = numpy.zeros((len(found), count), dtype=numpy.int32)
    for line, rows in enumerate(found.values()):
        matrix[line, rows] = 1
    before = time.process_time()
    solutions = exact_cover.get_solution_count(matrix)
    print(f"{len(found)} placements, {solutions} exact covers, {time.process_time() - before:.2f} s")


main(*sys.argv[1:])
