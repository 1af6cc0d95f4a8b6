"""A kernel's source with the traffic of each line beside it."""

import dataclasses
import math

import style

SHADES = 5


@dataclasses.dataclass(frozen=True)
class SourceLine:
    """`heat` from 0 (no access) to SHADES (the most traffic of the kernel); `wasteful` if more than was needed."""

    number: int
    text: str
    heat: int
    wasteful: bool
    accesses: tuple


def heated(profile):
    """Every line of the source; the blanks at its end left out."""
    by_line = {}
    for traffic in profile.traffic:
        by_line.setdefault(traffic.line, []).append(traffic)
    most = max((sum(t.cost for t in found) for found in by_line.values()), default=0)
    texts = profile.source.rstrip().split("\n")
    return [_line(number, text, by_line.get(number, []), most) for number, text in enumerate(texts, 1)]


def _line(number, text, found, most):
    cost = sum(traffic.cost for traffic in found)
    # A line with a thousandth of the busiest line's traffic is as cold as one can be and still have some.
    share = 1 + math.log10(cost / most) / 3 if cost and most else 0
    heat = max(1, round(SHADES * share)) if cost else 0
    return SourceLine(number, text, heat, any(t.waste > 1.05 for t in found), tuple(map(_spoken, found)))


def _spoken(traffic):
    """kind, cost per request, what would do, all requests: as texts."""
    ideal = traffic.ideal / traffic.requests if traffic.requests else 0
    return {
        "kind": f"{traffic.space} {traffic.op}",
        "cost": style.counted(traffic.per_request, traffic.unit),
        "ideal": style.count(ideal),
        "requests": f"{traffic.requests:,}",
        "wasteful": traffic.waste > 1.05,
    }
