"""What limits the recorded kernels: read, and told as a table and a sentence each in the solutions' READMEs."""

import dataclasses

import style
from data import source_labels

# What a warp did that did not issue, in the profiler's words and in ours.
STALLS = {
    "barrier": "at a barrier",
    "branch_resolving": "until a branch was decided",
    "dispatch_stall": "held back by the dispatcher",
    "drain": "for their last stores",
    "gmma": "for matrix products",
    "imc_miss": "for constants",
    "lg_throttle": "for room in the queue to global memory",
    "long_scoreboard": "for global memory",
    "math_pipe_throttle": "for a free arithmetic unit",
    "membar": "for a fence",
    "mio_throttle": "for room in the queue to shared memory",
    "no_instruction": "for their next instruction to be fetched",
    "not_selected": "for their turn, ready to go on",
    "short_scoreboard": "for shared memory",
    "sleeping": "asleep",
    "tex_throttle": "for room in the queue to textures",
    "wait": "for the fixed delay of the instruction before",
}
HEAD = (
    "", "time", "bytes moved", "memory", "L2", "L1, shared", "FMA", "ALU", "tensor", "issue", "occupancy", "eligible",
    "registers",
)  # fmt: skip
UNITS = ("memory", "L2", "L1 and shared memory", "FMA units", "ALUs", "tensor cores", "issue slots")
ONE_THING = ("memory", "L2", "L1 and shared memory")
BUSY, IDLE = 80, 60  # per cent of a unit's peak, from which on it limits, and below which it does not


@dataclasses.dataclass(frozen=True)
class Limits:
    """How busy the GPU's units were during a launcher's longest kernel, and what its warps did, by Nsight Compute."""

    source: object
    lab: str
    variant: str
    launcher: str
    size: str
    kernel: str
    ms: float
    share: float
    read_bytes: float
    written_bytes: float
    units: dict
    stalls: dict
    registers: float
    occupancy: float
    eligible_warps: float
    date: str = ""


def read_limits(row, source):
    """A row of a document of record_limits.py."""
    return Limits(source, **{"date": source.date[:10], **row})


def block(limits, lab):
    """The lab's kernels, and where they were profiled."""
    rows = [row for row in limits if row.lab == lab and row.source.recorded]
    if not rows:
        return "No profile is recorded yet.\n"
    rows.sort(key=lambda row: (row.variant != "solution", row.launcher, [int(n) for n in row.size.split("x")]))
    source = rows[0].source
    lines = ["| " + " | ".join(HEAD) + " |", "|---|" + "--:|" * (len(HEAD) - 1)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    days = source_labels.days(rows)
    where = f"Nsight Compute on {source.device}, driver {source.driver}, {days}; units in per cent of peak."
    return "\n".join([*lines, "", "\\\n".join(sentence(row) for row in rows), "", where, ""])


def cells(row):
    return (
        _name(row),
        style.milliseconds(row.ms),
        f"{(row.read_bytes + row.written_bytes) / 1e9:.3g} GB",
        *(style.percent(row.units[unit] / 100) if row.units.get(unit) else "" for unit in UNITS),
        style.percent(row.occupancy / 100),
        f"{row.eligible_warps:.2f}",
        f"{row.registers:.0f}",
    )


def sentence(row):
    """Of which kernel, and its finding."""
    return f"{_name(row)}: {finding(row)}"


def finding(row):
    """What is nearest to its limit, and what the warps mostly wait for."""
    unit, busy = max(row.units.items(), key=lambda item: item[1])
    used = f"{unit if unit in ONE_THING else 'the ' + unit}, at {style.percent(busy / 100)} of peak"
    if busy >= BUSY:
        told = f"limited by {used}"
    elif busy >= IDLE:
        told = f"nearest to a limit: {used}"
    else:
        told = f"no unit is near a limit, most used: {used}"
    waits = sorted(((share, name) for name, share in row.stalls.items() if name != "selected"), reverse=True)[:2]
    told_of = [f"{style.percent(share)} {STALLS.get(name, name.replace('_', ' '))}" for share, name in waits]
    return told + (f"; of their time the warps wait {' and '.join(told_of)}." if waits else ".")


def _name(row):
    of_several = f", {row.kernel} ({style.percent(row.share)} of its time)" if row.share < 0.95 else ""
    return f"{row.variant}, {row.launcher} {row.size}{of_several}"
