"""Orders measurements for comparison: labs of one stem are a family, one launcher at one size is a group."""

import dataclasses
import re

from data import peaks
from data.load import Timing

# The tutorials' programs are plain loops; only the fast one is what a CPU can do.
CPU_LABELS = {
    "one_thread": "CPU: the tutorials' loop, one thread",
    "all_threads": "CPU: the tutorials' loop, all threads",
    "fast": "CPU: fast program",
}


@dataclasses.dataclass(frozen=True)
class Point:
    """One line of a plot or table: a CPU baseline, a kernel or a peer."""

    label: str
    role: str
    kernel: object
    warm: object = None
    with_copies: object = None
    speed_up: float | None = None  # over the fast CPU program
    gain: float | None = None  # over the kernel of the step before
    gbytes_per_s: float | None = None
    gflops: float | None = None
    of_ceiling: float | None = None


@dataclasses.dataclass(frozen=True)
class Group:
    launcher: str
    size: str
    points: tuple

    @property
    def title(self):
        return f"{self.launcher}, {self.size}" if self.launcher else self.size


def stem(lab):
    """The family of a lab: "04_transpose_padded" and "02_transpose_naive" are both "transpose"."""
    return re.sub(r"^\d+_", "", lab).split("_")[0] or lab


def title(labs):
    """What to call a family: its stem, or the whole name of its only lab."""
    if len(labs) == 1:
        return re.sub(r"^\d+_", "", labs[0]).replace("_", " ").capitalize() or labs[0]
    return stem(labs[0]).capitalize()


def families(labs):
    """Stem -> labs, in the order of the labs' numbers."""
    found = {}
    for lab in sorted(labs):
        found.setdefault(stem(lab), []).append(lab)
    return found


def sources(rows):
    """The places of measurement, those of this machine first; of one place the newest date counts."""
    newest = {}
    for row in rows:
        known = newest.get(row.source.key)
        if not known or row.source.date > known.date:
            newest[row.source.key] = row.source
    return [newest[key] for key in sorted(newest)]


def groups(rows):
    """The rows of one family and one source, by launcher and size, small problems first."""
    found = {}
    for row in rows:
        if row.kernel:
            found.setdefault((row.launcher, row.size), []).append(row)
    ordered = sorted(found, key=lambda key: (key[0], volume(key[1])))
    return [Group(launcher, size, _points(found[launcher, size])) for launcher, size in ordered]


def volume(size):
    """A number that grows with the problem, for sorting."""
    product = 1
    for extent in re.findall(r"\d+", size):
        product *= int(extent)
    return (product, size)


def _points(rows):
    cpu = {name: min((r.cpu[name] for r in rows if r.cpu[name]), default=None) for name in CPU_LABELS}
    fast = cpu["fast"]
    points = [_plain(CPU_LABELS[name], "cpu", ms, fast) for name, ms in cpu.items() if ms]
    before = None
    for row in sorted(rows, key=lambda r: (r.lab, _VARIANTS.get(r.variant, 9), r.variant)):
        points.append(_of_kernel(row, fast, before if row.variant in ("solution", "encore") else None))
        before = row if row.variant in ("solution", "encore") else before
    solutions = {row.lab for row in rows if row.variant == "solution"}  # such a rival has a line of its own
    peers = {}
    for row in sorted(rows, key=lambda r: -r.kernel.median):  # what was measured beside the fastest kernel remains
        peers |= {peer.name: peer.ms for peer in row.peers if peer.name not in solutions}
    return tuple(points + [_plain(name, "peer", ms, fast) for name, ms in sorted(peers.items())])


_VARIANTS = {"starter": 0, "file": 1, "solution": 2, "encore": 3}


def _of_kernel(row, fast, before):
    return Point(
        label=label(row),
        role=row.variant,
        kernel=row.kernel,
        warm=row.warm,
        with_copies=row.with_copies,
        speed_up=fast / row.kernel.median if fast else None,
        gain=before.kernel.median / row.kernel.median if before else None,
        gbytes_per_s=row.gbytes_per_s,
        gflops=row.gflops,
        of_ceiling=_of_ceiling(row),
    )


def _of_ceiling(row):
    """Of the bandwidth of memory, or, where arithmetic is the limit, of its peak, if that is known."""
    if not peaks.counts_operations(row):
        return row.of_ceiling
    peak = peaks.peak_above(row.source, row.gflops)
    return row.gflops / peak[1] if peak else None


def label(row):
    """What a kernel is called in plots and tables."""
    return row.lab if row.variant == "solution" else f"{row.lab} ({_spoken(row.variant)})"


def _spoken(variant):
    return {"starter": "yours", "file": "from a file"}.get(variant, variant)


def _plain(label, role, ms, fast):
    return Point(label=label, role=role, kernel=Timing(ms, ms, ms), speed_up=fast / ms if fast else None)
