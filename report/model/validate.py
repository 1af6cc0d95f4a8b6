"""The errors of the time model on measured variants: python3 validate.py [MODELLED.jsonl [MEASURED.json]]"""

import itertools
import json
import math
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
APART = 1.25


def measured(path):
    rows = json.loads(path.read_text())["rows"]
    good = (row for row in rows if not row["problem"] and row["difference"] <= 1e-3)
    return {(row["number"], row["launcher"], row["size"]): row["us"] for row in good}


def compared(path, times):
    """(task, limiter, modelled, measured, lab) of each kernel and size that has both times."""
    for line in path.read_text().splitlines():
        row = json.loads(line)
        time = times.get((int(row["variant"]), row["launcher"], row["size"]))
        if "us" in row and time:
            yield (row["launcher"], row["size"]), row["limit"], row["us"], time, row["lab"]


def error(row):
    return abs(row[2] / row[3] - 1)


def ratio(a, b):
    return max(a / b, b / a)


def figures(rows):
    """Rows, median error, p90, share over 30%."""
    errors = sorted(map(error, rows))
    p90 = errors[int(0.9 * len(errors))]
    over = sum(e > 0.3 for e in errors) / len(errors)
    return str(len(rows)), f"{statistics.median(errors):.0%}", f"{p90:.0%}", f"{over:.0%}"


def summary(name, rows):
    count, median, p90, over = figures(rows)
    return f"{name}: {count}, median {median}, p90 {p90}, over 30%: {over}"


def interval(right, count):
    """Wilson's interval of a share, 95%."""
    z, share = 1.96, right / count
    middle, half = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + z * z / (4 * count**2))
    return [(middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)]


def pairs(rows):
    same = [(a, b) for a, b in itertools.combinations(rows, 2) if a[0] == b[0] and ratio(a[3], b[3]) >= APART]
    said = [(a, b) for a, b in same if ratio(a[2], b[2]) >= APART]

    def right(some):
        return sum((a[2] > b[2]) == (a[3] > b[3]) for a, b in some)

    low, high = interval(right(same), len(same))
    return (
        f"pairs: {right(same)} of {len(same)} ({low:.0%} to {high:.0%}); "
        f"where the model tells them apart: {right(said)} of {len(said)}"
    )


def main():
    modelled, times = (*map(pathlib.Path, sys.argv[1:3]), None, None)[:2]
    times = measured(times or HERE / "h200_variants.json")
    rows = list(compared(modelled or HERE / "h200_variants_modelled.jsonl", times))
    print(summary("all", rows))
    for low, high in ((0, 10), (10, 100), (100, 1e9)):
        print(summary(f"{low} to {high:g} us", [row for row in rows if low <= row[3] < high]))
    for limiter in sorted({row[1] for row in rows}):
        print(summary(limiter, [row for row in rows if row[1] == limiter]))
    for lab in sorted({row[4] for row in rows}):
        print(summary(lab, [row for row in rows if row[4] == lab]))
    print(pairs(rows))


if __name__ == "__main__":
    main()
