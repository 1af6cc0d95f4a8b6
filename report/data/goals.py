"""How far the fastest kernels are meant to come, by an optional file of each solution, beside what was recorded."""

import dataclasses

import style
from data import limit_table
from data.documents import read_each


@dataclasses.dataclass(frozen=True)
class Goal:
    """Against a peer, or "copy" (the speed of a copy in memory): a ratio of at least `least`. Against "time": at most
    `most_ms`. `gap` says what stands in the way."""

    lab: str
    variant: str
    launcher: str
    size: str
    against: str
    least: float
    most_ms: float
    gap: str


@dataclasses.dataclass(frozen=True)
class Standing:
    """A goal and how far it was reached; `met` is None where nothing was measured."""

    goal: Goal
    wanted: str
    reached: str
    met: bool | None
    why: str


def load_goals(solutions):
    """All goals, and the complaints about files that could not be read."""
    return read_each(solutions, "goals.json", "goals", "goals", _goal)


def _goal(lab, row):
    return Goal(lab, **({"least": 0, "most_ms": 0, "gap": ""} | row))


def standings(goals, results):
    """[(source, its standings)] of each recorded GPU, newest last."""
    if not goals:
        return []
    rows = [row for row in results.bench if row.source.recorded and row.source.backend == "cuda" and row.kernel]
    places = {row.source.key: row.source for row in rows}
    told = []
    for key, source in sorted(places.items(), key=lambda item: item[1].date):
        here = [row for row in rows if row.source.key == key]
        told.append((source, [_standing(goal, here, _limit(goal, results.limits)) for goal in goals]))
    return told


def _standing(goal, rows, limit):
    wanted = f"at most {style.milliseconds(goal.most_ms)}" if goal.most_ms else f"at least {style.times(goal.least)}"
    same = (goal.lab, goal.variant, goal.launcher, goal.size)
    row = next((r for r in rows if (r.lab, r.variant, r.launcher, r.size) == same), None)
    reached, met = _reached(goal, row) if row else ("", None)
    why = "" if met else goal.gap
    return Standing(goal, wanted, reached, met, " ".join(part for part in (why, limit) if part))


def _reached(goal, row):
    if goal.against == "time":
        return style.milliseconds(row.kernel.median), row.kernel.median <= goal.most_ms
    if goal.against == "copy":
        return (style.times(row.of_ceiling), row.of_ceiling >= goal.least) if row.of_ceiling else ("", None)
    peer = next((peer for peer in row.peers if peer.name == goal.against), None)
    return (style.ratio(peer.ratio, peer.low, peer.high), peer.ratio >= goal.least) if peer else ("", None)


def _limit(goal, limits):
    """What limits this kernel by its profile, at the goal's size or, without one of that, at another."""
    kernel = (goal.lab, goal.variant, goal.launcher)
    rows = [one for one in limits if (one.lab, one.variant, one.launcher) == kernel]
    row = next((one for one in rows if one.size == goal.size), max(rows, key=lambda one: one.ms, default=None))
    return f"Profiled at {row.size}: {limit_table.finding(row)}" if row else ""
