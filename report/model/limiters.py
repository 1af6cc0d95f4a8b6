#!/usr/bin/python3
"""Compares the time model's limiters of the second round with Nsight Compute's throughputs: python3 limiters.py

Nsight Compute calls a kernel limited by latency where no unit reaches 60% of its peak, else by the busiest unit.
"""

import collections
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
LEAST = 60  # per cent of peak
CLASSES = {
    "DRAM throughput": "dram",
    "L2 throughput": "l2",
    "shared memory (L1/TEX) throughput": "l1",
    "uncoalesced accesses": "l1",
    "issue slots": "sm",
}


def measured(row):
    unit = max(("dram", "l2", "l1", "sm"), key=lambda name: row[name])
    return unit if row[unit] >= LEAST else "latency"


def main():
    found = json.loads((HERE / "h200_variants_2_limiters.json").read_text())["rows"]
    units = {(row["number"], row["launcher"], row["size"]): measured(row) for row in found}
    counts = collections.Counter()
    for line in (HERE / "h200_variants_2_modelled.jsonl").read_text().splitlines():
        row = json.loads(line)
        unit = units.get((int(row["variant"]), row["launcher"], row["size"]))
        if unit and "limit" in row:
            counts[CLASSES.get(row["limit"], "latency"), unit] += 1
    right = sum(count for (said, unit), count in counts.items() if said == unit)
    print(f"limiter: {right} of {sum(counts.values())} as Nsight Compute's")
    for (said, unit), count in counts.most_common():
        print(f"  modelled {said:8} measured {unit:8} {count}")


if __name__ == "__main__":
    main()
