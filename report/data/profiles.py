"""Reads what `lab report` kept of each kernel's memory accesses: counts by line, and the addresses of one warp."""

import dataclasses

from data import warp_access

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
    access: warp_access.Access | None

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
    """One kernel file, traced on the simulator; `calls` are launchers with sizes, `before` is what it improves on.

    `compared` is one launcher: `counts` and `accesses` are its own, `changed` is a sentence on them. All launchers have
    part in `traffic`."""

    lab: str
    variant: str
    calls: tuple
    source: str
    message: str
    traffic: tuple
    counts: dict = dataclasses.field(default_factory=dict)
    changed: str = ""
    before: object = None
    compared: str = ""
    accesses: tuple = ()


def read_profile(document):
    """The profile in a document of `lab profile --json` with its source."""
    launches = document["launches"]
    file = document.get("file", "kernel.cu")
    before, compared = document.get("before"), document.get("compared", "")
    chosen = [one for one in launches if not compared or one.get("launcher") == compared]
    return Profile(
        lab=document["lab"],
        variant=document["variant"],
        calls=tuple(dict.fromkeys((one.get("launcher", ""), one.get("size", "")) for one in chosen)),
        source=document.get("source", "")[:SOURCE_LIMIT],
        message=document.get("message", ""),
        traffic=_by_line([line for one in launches for line in one["lines"]], file),
        counts=document.get("counts", {}),
        changed=document.get("changed", ""),
        before=read_profile(before) if before and "before" not in before else None,
        compared=compared,
        accesses=_by_line([line for one in chosen for line in one["lines"]], file),
    )


def _by_line(rows, file):
    """What all launches did at each line of the kernel's own file."""
    found = {}
    for row in rows:
        if row["file"] == file:
            one = _traffic(row)
            key = (one.line, one.space, one.op)
            found[key] = _sum(found[key], one) if key in found else one
    return tuple(found[key] for key in sorted(found))


def _traffic(row):
    space, sample = row["space"], row.get("sample")
    unit = "sectors" if space == "global" else "wavefronts"
    drawn = sample and space in ("global", "shared")
    return Traffic(
        line=row["line"],
        op=row["op"],
        space=space,
        requests=row["requests"],
        cost=row[unit],
        ideal=row[f"{unit}_ideal"],
        access=warp_access.Access(sample["bytes"], tuple(sample["offsets"])) if drawn else None,
    )


def _sum(a, b):
    return dataclasses.replace(
        a, requests=a.requests + b.requests, cost=a.cost + b.cost, ideal=a.ideal + b.ideal, access=a.access or b.access
    )

