#!/usr/bin/python3
"""Makes small inputs of Rodinia's programs, which its repository lacks, and checks what the programs make of them.

rodinia_data.py make bfs     writes the inputs into the current folder
rodinia_data.py check bfs    compares the outputs there, or on standard input, with plain loops
"""

import collections
import random
import re
import sys
from pathlib import Path

NODES, DEGREE = 500, 3
SIDE, LAYERS, STEPS = 64, 8, 4  # of hotspot's grids; hotspot3D compares its result itself
RECORDS, NEAREST, TARGET = 300, 5, (30.0, 90.0)


def draw() -> random.Random:
    return random.Random(7)


def edges_of_bfs() -> list[list[int]]:
    """Every node but the last 20 has edges; no edge leads to the last 10, so a search never reaches them."""
    chance = draw()
    return [[chance.randrange(NODES - 10) for _ in range(DEGREE if node < NODES - 20 else 0)] for node in range(NODES)]


def make_bfs() -> None:
    edges = edges_of_bfs()
    starts = [sum(map(len, edges[:node])) for node in range(NODES)]
    nodes = [f"{start} {len(to)}" for start, to in zip(starts, edges, strict=True)]
    ends = [f"{node} 1" for to in edges for node in to]
    Path("graph.txt").write_text("\n".join([str(NODES), *nodes, "", "0", "", str(len(ends)), *ends]) + "\n")


def check_bfs() -> str:
    edges, distance, waiting = edges_of_bfs(), {0: 0}, collections.deque([0])
    while waiting:
        node = waiting.popleft()
        for to in edges[node]:
            if to not in distance:
                distance[to] = distance[node] + 1
                waiting.append(to)
    wanted = [f"{node}) cost:{distance.get(node, -1)}" for node in range(NODES)]
    return "" if Path("result.txt").read_text().split("\n")[:-1] == wanted else "result.txt has wrong distances"


def grids(layers: int) -> tuple[list[float], list[float]]:
    """Temperatures and powers."""
    chance, cells = draw(), SIDE * SIDE * layers
    return [chance.uniform(320, 340) for _ in range(cells)], [chance.uniform(0, 0.001) for _ in range(cells)]


def make_grids(layers: int) -> None:
    for name, values in zip(("temperature.txt", "power.txt"), grids(layers), strict=True):
        Path(name).write_text("".join(f"{value:.6f}\n" for value in values))


def check_hotspot() -> str:
    """Heat flows to the four neighbors and to the surroundings, which have 80 degrees."""
    now, power = grids(1)
    cell, thickness, conductivity = 0.016 / SIDE, 0.0005, 100.0
    capacity = 0.5 * 1.75e6 * thickness * cell * cell
    step = 0.001 / (3.0e6 / (0.5 * thickness * 1.75e6))
    sideways = 2.0 * conductivity * thickness
    upwards = conductivity * cell * cell / thickness
    for _ in range(STEPS):
        before = now

        def at(row: int, col: int, of: list[float] = before) -> float:
            return of[min(max(row, 0), SIDE - 1) * SIDE + min(max(col, 0), SIDE - 1)]

        now = []
        for i, own in enumerate(before):
            row, col = divmod(i, SIDE)
            around = at(row - 1, col) + at(row + 1, col) + at(row, col - 1) + at(row, col + 1)
            flow = power[i] + (around - 4 * own) * sideways + (80.0 - own) * upwards
            now.append(own + step / capacity * flow)
    given = [float(line.split()[1]) for line in Path("output.txt").read_text().splitlines()]
    wrong = [i for i, value in enumerate(now) if i >= len(given) or abs(given[i] - value) > 2e-5 * value]
    return f"cell {wrong[0]} of output.txt should be {now[wrong[0]]:g}" if wrong else ""


def places_of_nn() -> list[tuple[float, float]]:
    chance = draw()
    return [(round(chance.uniform(7, 70), 1), round(chance.uniform(10, 99), 1)) for _ in range(RECORDS)]


def make_nn() -> None:
    lines = [f"{f'record {i}':28}{lat:5.1f}{lng:5.1f}{'':10}\n" for i, (lat, lng) in enumerate(places_of_nn())]
    Path("records.db").write_text("".join(lines))
    Path("list.txt").write_text("records.db\n")


def check_nn() -> str:
    lat, lng = TARGET
    all_distances = sorted(((lat - x) ** 2 + (lng - y) ** 2) ** 0.5 for x, y in places_of_nn())
    told = [float(each) for each in re.findall(r"Distance=([0-9.]+)", sys.stdin.read())]
    same = len(told) == NEAREST and all(abs(a - b) < 1e-3 for a, b in zip(told, all_distances[:NEAREST], strict=True))
    return "" if same else f"the distances should be {all_distances[:NEAREST]}"


MAKE = {"bfs": make_bfs, "hotspot": lambda: make_grids(1), "hotspot3D": lambda: make_grids(LAYERS), "nn": make_nn}
CHECK = {"bfs": check_bfs, "hotspot": check_hotspot, "nn": check_nn}


def main() -> int:
    what, name = sys.argv[1:]
    if what == "make":
        return MAKE[name]() or 0
    problem = CHECK[name]()
    print(problem or "right")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
