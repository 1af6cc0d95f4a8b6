"""Draws modelled times of a lab: a band with a tick at the time, and marks for a GPU's times of the same kernels."""

import dataclasses

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

import style
from data import modelled

WIDTH_INCHES, ROW_INCHES = 5.4, 0.28  # narrow, so that it can be read on a telephone
STEPS = (1, 1.5, 2, 3, 5, 7)
MOST_TICKS = 5


@dataclasses.dataclass(frozen=True)
class Line:
    """A band, or a measured time in microseconds; a heading has neither."""

    label: str
    role: str = ""
    band: object = None
    measured: float | None = None


def modelled_figure(rows, bench, heading):
    """One axis in microseconds for the rows of a lab; `bench` has the times of GPUs."""
    lines = _lines([row for row in rows if row.time], bench)
    height = ROW_INCHES * len(lines) + 1.5
    with plt.rc_context(style.RC):
        figure, axis = plt.subplots(figsize=(WIDTH_INCHES, height))
        _prepare(axis, lines)
        for y, line in enumerate(lines):
            _draw(axis, y, line)
        head = heading.replace(": ", "\n", 1).replace("; ", ";\n", 1)
        figure.text(0.012, 1 - 0.08 / height, head, va="top", fontsize=9, fontweight="bold")
        figure.subplots_adjust(left=0.38, right=0.95, top=1 - 0.62 / height, bottom=0.76 / height)
        _legend(figure, any(line.measured for line in lines))
    return figure


def kernel_name(row):
    """Whose kernel of its lab a row is about."""
    return style.NAMES.get(row.variant, row.variant)


def _lines(rows, bench):
    """Each call with its kernels; a step before that several of them improve on stands there once."""
    calls = {}
    for row in rows:
        calls.setdefault(f"{row.launcher}, {row.size}", []).append(row)
    found = []
    for call, mine in calls.items():
        own = [line for row in mine for line in _of_kernel(row, bench)]
        before = [line for row in mine for line in _of_step_before(row, bench)]
        found += [Line(call), *own, *dict.fromkeys(before)]
    return found


def _of_kernel(row, bench):
    role = style.role(row.variant)
    return [Line(kernel_name(row), role, row.time), *(_measured(one, role) for one in modelled.measured(row, bench))]


def _of_step_before(row, bench):
    if not row.before:
        return []
    measured = [_measured(one, "cpu") for one in modelled.measured_before(row, bench)]
    return [Line(row.step_before, "cpu", row.before), *measured]


def _measured(one, role):
    return Line(modelled.measured_words(one), role, measured=1000 * one.kernel.median)


def _draw(axis, y, line):
    if not line.role:
        return
    colour, _ = style.ROLES[line.role]
    if line.band:
        low, high, us = line.band.low, line.band.high, line.band.us
        axis.barh([y], [high - low], left=[low], height=0.5, color=colour, alpha=0.35)
        (tick,) = axis.plot([us, us], [y - 0.36, y + 0.36], color=colour, linewidth=2.2, solid_capstyle="butt")
        tick.set_gid(style.tip(f"{line.label}: {style.significant(us)} µs, modelled", y))
        _say(axis, high, y, f"{style.significant(low)} to {style.significant(high)} µs")
    else:
        axis.plot([line.measured], [y], "o", color=colour, markersize=6)
        _say(axis, line.measured, y, f"{style.significant(line.measured)} µs")


def _say(axis, x, y, text):
    axis.annotate(text, (x, y), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8.5, color=style.INK)


def _prepare(axis, lines):
    values = [v for line in lines for v in ((line.band.low, line.band.high) if line.band else (line.measured,)) if v]
    room = max(1.3, (max(values) / min(values)) ** 0.55)  # for the texts beside the bands
    left, right = min(values) / 1.1, max(values) * room
    axis.set_xscale("log")
    axis.set_xlim(left, right)
    axis.xaxis.set_major_locator(FixedLocator(_ticks(left, right)))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_xlabel("time in µs, log scale")
    axis.grid(True, axis="x")
    axis.set_axisbelow(True)
    axis.set_ylim(len(lines) - 0.4, -0.6)
    axis.set_yticks([])
    for y, line in enumerate(lines):
        _name(axis, y, line)


def _name(axis, y, line):
    """A kernel's name ends at the axis; a call's stands over the whole width."""
    heading = not line.role
    axis.annotate(
        _short(line.label, 62 if heading else 29), (0.012 if heading else 0.365, y),
        xycoords=("figure fraction", "data"), ha="left" if heading else "right", va="center", fontsize=8.5,
        color=style.MUTED if heading else style.INK, weight="bold" if heading else "normal", annotation_clip=False,
    )  # fmt: skip


def _ticks(left, right):
    """Round numbers from left to right, not more than fit."""
    for steps in (STEPS, (1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in range(-6, 19) for step in steps if left <= step * 10.0**power <= right]
        if len(found) <= MOST_TICKS:
            break
    return found[:: -(-len(found) // MOST_TICKS) or 1]


def _short(text, limit):
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _legend(figure, has_measured):
    handles = [Patch(color=style.MUTED, alpha=0.35, label="modelled: band, with a tick at the time")]
    if has_measured:
        handles.append(Line2D([], [], marker="o", linestyle="", color=style.MUTED, markersize=6, label="measured"))
    figure.legend(handles=handles, loc="lower left", ncols=2, frameon=False, fontsize=8, borderpad=0.3)
