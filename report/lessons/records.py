"""What the figures tell of a GPU: the recorded times, limits and memories of report/results/."""

import functools
import json
import pathlib

from data.load import load

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"


@functools.cache
def results():
    found = load([], RESULTS)
    if found.problems:
        raise ValueError("; ".join(found.problems))
    return found


@functools.cache
def memory(name="h200"):
    """The document of record_memory.py: {"device": ..., "latencies": {level: cycles}, "bandwidths": {level: GB/s}}."""
    document = json.loads((RESULTS / f"{name}_memory.json").read_text(encoding="utf-8"))
    document["latencies"] = {row["level"]: row["cycles"] for row in document["latencies"]}
    document["bandwidths"] = {row["level"]: row["gbytes_per_s"] for row in document["bandwidths"]}
    return document


def timed(lab, launcher, size, variant="solution"):
    """The recorded row of a kernel on the GPU."""
    for row in results().bench:
        same = (row.lab[:2], row.launcher, row.size, row.variant) == (lab, launcher, size, variant)
        if same and row.source.recorded and row.source.backend == "cuda":
            return row
    raise KeyError(f"no record of {variant} {lab}, {launcher} {size}")


def peer_ms(row, name):
    """The time of a kernel that ran beside it, in ms."""
    return next(peer.ms for peer in row.peers if peer.name == name)


def busiest(lab, launcher, variant="solution"):
    """The busiest unit of the GPU and its share of the peak; nothing if the kernel was not profiled."""
    row = _profile(lab, launcher, variant)
    if not row:
        return ""
    unit, busy = max(row.units.items(), key=lambda item: item[1])
    return f"busiest unit: {unit}, {busy:.0f}% of peak"


def profiled_size(lab, launcher, variant="solution"):
    return _profile(lab, launcher, variant).size.replace("x", " x ")


def _profile(lab, launcher, variant):
    rows = (r for r in results().limits if (r.lab[:2], r.launcher, r.variant) == (lab, launcher, variant))
    return next(rows, None)
