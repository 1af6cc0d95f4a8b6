"""Reads what `lab report` kept of each kernel's memory accesses: counts by line, and the addresses of one warp."""

import dataclasses

import warps
from fields import Fields

SOURCE_LIMIT = 60_000  # characters of a kernel that the page shows


@dataclasses.dataclass(frozen=True)
class Traffic:
    """All accesses of one kind that one source line made; requests are instructions of a warp."""

    line: int
    op: str
    space: str
    requests: int
    cost: int
    ideal: int
    access: warps.Access | None

    @property
    def unit(self):
        return "sectors" if self.space == "global" else "wavefronts"

    @property
    def per_request(self):
        return self.cost / self.requests if self.requests else 0

    @property
    def waste(self):
        """How many times what was needed; 1 is the best."""
        return self.cost / self.ideal if self.ideal else 1


@dataclasses.dataclass(frozen=True)
class Profile:
    """One kernel file, traced on the simulator; `calls` are launchers with sizes, `before` is what it improves on."""

    lab: str
    variant: str
    calls: tuple
    source: str
    message: str
    traffic: tuple
    before: object = None


def read_profile(document):
    """The profile in a document of `lab profile --json` with its source. Raises DamagedDocument."""
    launches = document.objects("launches")
    file = document.text("file", "kernel.cu")
    before = document.object("before", None)
    return Profile(
        lab=document.text("lab"),
        variant=document.text("variant"),
        calls=tuple(dict.fromkeys((one.text("launcher", ""), one.text("size", "")) for one in launches)),
        source=document.text("source", "")[:SOURCE_LIMIT],
        message=document.text("message", ""),
        traffic=_by_line([line for one in launches for line in one.objects("lines")], file),
        before=read_profile(before) if before and not before.has("before") else None,
    )


def _by_line(rows, file):
    """What all launches did at each line of the kernel's own file."""
    found = {}
    for row in rows:
        if row.text("file") == file:
            one = _traffic(row)
            key = (one.line, one.space, one.op)
            found[key] = _sum(found[key], one) if key in found else one
    return tuple(found[key] for key in sorted(found))


def _traffic(row):
    space = row.text("space")
    unit = "sectors" if space == "global" else "wavefronts"
    sample = row.object("sample", None)
    return Traffic(
        line=int(row.number("line")),
        op=row.text("op"),
        space=space,
        requests=int(row.number("requests")),
        cost=int(row.number(unit)),
        ideal=int(row.number(f"{unit}_ideal")),
        access=_access(sample) if sample and space in ("global", "shared") else None,
    )


def _access(sample: Fields):
    """Offsets of 32 lanes, null for an idle one."""
    offsets = sample.whole_numbers("offsets")
    width = int(sample.number("bytes"))
    if len(offsets) != 32 or not 1 <= width <= 16:
        raise sample.error("offsets", f"expected 32 lanes of 1 to 16 bytes, found {len(offsets)} of {width}")
    return warps.Access(width, tuple(offsets))


def _sum(a, b):
    return dataclasses.replace(
        a, requests=a.requests + b.requests, cost=a.cost + b.cost, ideal=a.ideal + b.ideal, access=a.access or b.access
    )

