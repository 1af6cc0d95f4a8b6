"""The errors of the time model on the variants: python3 validate.py [MODELLED.jsonl]"""

import itertools
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
APART = 1.25


def measured():
    rows = json.loads((HERE / "h200_variants.json").read_text())["rows"]
    good = (row for row in rows if not row["problem"] and row["difference"] <= 1e-3)
    return {(row["number"], row["launcher"], row["size"]): row["us"] for row in good}


def compared(path):
    """(task, limiter, modelled, measured) of each kernel and size that has both times."""
    times = measured()
    for line in path.read_text().splitlines():
        row = json.loads(line)
        time = times.get((int(row["variant"]), row["launcher"], row["size"]))
        if "us" in row and time:
            yield (row["launcher"], row["size"]), row["limit"], row["us"], time


def error(row):
    return abs(row[2] / row[3] - 1)


def ratio(a, b):
    return max(a / b, b / a)


def summary(name, rows):
    errors = sorted(map(error, rows))
    p90 = errors[int(0.9 * len(errors))]
    over = sum(e > 0.3 for e in errors) / len(errors)
    return f"{name}: {len(rows)}, median {statistics.median(errors):.0%}, p90 {p90:.0%}, over 30%: {over:.0%}"


def pairs(rows):
    same = [(a, b) for a, b in itertools.combinations(rows, 2) if a[0] == b[0] and ratio(a[3], b[3]) >= APART]
    said = [(a, b) for a, b in same if ratio(a[2], b[2]) >= APART]

    def right(some):
        return sum((a[2] > b[2]) == (a[3] > b[3]) for a, b in some)

    return f"pairs: {right(same)} of {len(same)}; where the model tells them apart: {right(said)} of {len(said)}"


def main():
    rows = list(compared(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "h200_variants_modelled.jsonl"))
    print(summary("all", rows))
    for low, high in ((0, 10), (10, 100), (100, 1e9)):
        print(summary(f"{low} to {high:g} us", [row for row in rows if low <= row[3] < high]))
    for limiter in sorted({row[1] for row in rows}):
        print(summary(limiter, [row for row in rows if row[1] == limiter]))
    print(pairs(rows))


if __name__ == "__main__":
    main()
