#!/usr/bin/python3
"""Compares the time model's limiters with Nsight Compute's: python3 limiters.py [h200_variants_N [MODELLED.jsonl]]

Nsight Compute calls a kernel limited by latency where no unit reaches 60% of its peak, else by the busiest unit.
"""

import collections
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEAST = 60  # per cent of peak
CLASSES = {
    "DRAM throughput": "dram",
    "L2 throughput": "l2",
    "shared memory (L1/TEX) throughput": "l1",
    "uncoalesced accesses": "l2",  # the model's rate is that of sectors that L2 writes in part
    "issue slots": "sm",
    "FP32 pipeline": "sm",
}


def measured(row):
    unit = max(("dram", "l2", "l1", "sm"), key=lambda name: row[name])
    return unit if row[unit] >= LEAST else "latency"


def agreement(modelled, throughputs):
    """Sentences: how many limiters agree, and the pairs of limiters."""
    found = json.loads(throughputs.read_text())["rows"]
    units = {(row["number"], row["launcher"], row["size"]): measured(row) for row in found}
    counts = collections.Counter()
    for line in modelled.read_text().splitlines():
        row = json.loads(line)
        unit = units.get((int(row["variant"]), row["launcher"], row["size"]))
        if unit and "limit" in row:
            counts[CLASSES.get(row["limit"], "latency"), unit] += 1
    right = sum(count for (said, unit), count in counts.items() if said == unit)
    first = f"limiter: {right} of {sum(counts.values())} as Nsight Compute's"
    return [first, *(f"  modelled {said:8} measured {unit:8} {count}" for (said, unit), count in counts.most_common())]


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "h200_variants_2"
    modelled = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / f"{name}_modelled.jsonl"
    print("\n".join(agreement(modelled, HERE / f"{name}_limiters.json")))


if __name__ == "__main__":
    main()
