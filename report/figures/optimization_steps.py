"""The steps of a family at one size, each against the next, the peer and the ceiling; and the roofline's points."""

import dataclasses
import re

from data import families, peaks

STEPS = ("starter", "solution", "encore")
MOST_CHARTS = 6
NAIVE = "naive"  # a rival in peers/ of this name is what a lab begins with


@dataclasses.dataclass(frozen=True)
class Step:
    label: str
    role: str
    value: float


@dataclasses.dataclass(frozen=True)
class StepChart:
    """Values in `unit`; `ceiling` is (name, value) or None."""

    title: str
    unit: str
    steps: tuple
    peers: tuple
    ceiling: tuple | None


@dataclasses.dataclass(frozen=True)
class RooflinePoint:
    label: str
    role: str
    intensity: float
    gflops: float
    modelled: bool = False


def step_charts(rows, source):
    """One chart for each launcher and size with at least two steps, the largest sizes if there are many."""
    found = [step_chart(group, source) for group in families.groups(rows)]
    return [one for one in found if one][-MOST_CHARTS:]


def step_chart(group, source):
    """The group's chart, None if it has fewer than two steps or no rate to compare."""
    measured = [p for p in group.points if p.role in STEPS and (p.gbytes_per_s or p.gflops)]
    if not measured:
        return None
    arithmetic = peaks.counts_operations(measured[0])
    work = max((p.gflops if arithmetic else p.gbytes_per_s) * p.kernel.median for p in measured)
    scale = 1e-3 if arithmetic else 1

    def step(point):
        return Step(short(point.label), point.role, scale * work / point.kernel.median)

    rivals = [p for p in group.points if p.role == "peer"]
    first = [dataclasses.replace(step(p), role="cpu") for p in rivals if p.label == NAIVE]
    labs = [dataclasses.replace(p, role="solution") for p in rivals if _is_lab(p)]
    steps = tuple(first + [step(p) for p in sorted(measured + labs, key=lambda p: p.label[:2])])
    if len(steps) < 2:
        return None
    peers = tuple(step(p) for p in rivals if p.label != NAIVE and not _is_lab(p))
    top = max(s.value for s in (*steps, *peers))
    ceiling = _ceiling(source, arithmetic, top / scale)
    scaled = ceiling and (ceiling[0], scale * ceiling[1])
    return StepChart(group.title, "TFLOP/s" if arithmetic else "GB/s", steps, peers, scaled)


def _is_lab(point):
    """Whether a rival is another lab's solution, and so a step."""
    return re.match(r"\d\d_", point.label) is not None


def _ceiling(source, arithmetic, top):
    """(name, value) of the roof over a rate in GFLOP/s or GB/s, None if it is not known."""
    if arithmetic:
        return peaks.peak_above(source, top)
    return ("copy in memory", source.ceiling) if source.ceiling else None


def short(label):
    """ "04_transpose_padded (encore)" -> "04 encore", "05_matmul_naive" -> "05 naive"."""
    number, _, variant = re.fullmatch(r"(\d*)(.*?)(?: \((.*)\))?", label).groups()
    if not number:
        return label.replace("_", " ")
    words = re.sub(r" \(.*\)$", "", label).split("_")
    return f"{number} {variant or ' '.join(words[2:] or words[1:])}"


def roofline_points(rows, modelled=False):
    """Each kernel with arithmetic at its fastest size, of its fastest launcher."""
    best = {}
    for row in rows:
        if row.gflops and row.gbytes_per_s and row.variant in STEPS and (modelled or row.kernel):
            known = best.setdefault((row.lab, row.variant), row)
            best[row.lab, row.variant] = max(known, row, key=lambda r: r.gflops)
    return [
        RooflinePoint(short(families.label(row)), row.variant, row.gflops / row.gbytes_per_s, row.gflops, modelled)
        for _, row in sorted(best.items())
    ]
