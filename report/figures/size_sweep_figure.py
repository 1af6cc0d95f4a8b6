"""Draws the ratio of a kernel to its best rival over the size of the problem, both axes logarithmic."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from matplotlib.transforms import Bbox

import style

INCHES = (11.0, 4.4)
LABELLED = 4  # sizes with the least ratios below 1
UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))
STEPS = (1, 1.5, 2, 3, 5, 7)  # of the axis of ratios, in each power of ten
CLEAR = 12  # points between the middles of two labels
LETTER = 4.6  # points, the width of one on average


def size_sweep_figure(sweep, heading):
    """A mark for each size, one kind for each best rival; the line at 1, and the worst sizes named."""
    with plt.rc_context(style.RC | {"axes.spines.bottom": True, "axes.spines.left": True}):
        figure, axis = plt.subplots(figsize=INCHES)
        figure.subplots_adjust(left=0.07, right=0.98, top=0.84, bottom=0.12)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xlabel("bytes that any implementation must move")
        axis.set_title("time of the best rival over the kernel's; above 1 the kernel is faster", loc="left", fontsize=9)
        axis.grid(True, axis="y")
        axis.set_axisbelow(True)
        axis.axhline(1.0, color=style.INK, linewidth=1.2, zorder=1.5).set_gid("even")
        _draw_points(axis, sweep.points)
        _scale(axis, sweep.points)
        _name_worst(axis, sweep.points)
        axis.legend(title="best rival", fontsize=8, title_fontsize=8, frameon=False, loc="upper right")
        figure.text(0.012, 0.97, heading, va="top", fontsize=11, fontweight="bold")
    return figure


def worst(points):
    """The sizes where the kernel is slower than its best rival, the slowest first."""
    return sorted((one for one in points if one.ratio < 1), key=lambda one: one.ratio)[:LABELLED]


def _draw_points(axis, points):
    kinds = [value for role, value in style.ROLES.items() if role != "cpu"]
    for number, name in enumerate(sorted({one.best for one in points})):
        colour, mark = kinds[number % len(kinds)]
        mine = [one for one in points if one.best == name]
        xs, ys = [one.bytes for one in mine], [one.ratio for one in mine]
        axis.plot(xs, ys, mark, color=colour, markersize=6, label=name)


def _scale(axis, points):
    ratios = [1.0, *(one.ratio for one in points)]
    axis.set_ylim(min(ratios) / 1.3, max(ratios) * 1.3)
    axis.yaxis.set_major_locator(FixedLocator([step * 10**power for power in range(-3, 4) for step in STEPS]))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _bytes(value)))
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_minor_locator(NullLocator())


def _name_worst(axis, points):
    """Each label stands beside its mark, where it covers no mark and no other label; a line leads to a far one."""
    scale = axis.figure.dpi / 72
    marks = [axis.transData.transform((one.bytes, one.ratio)) for one in points]
    taken = [Bbox.from_extents(x, y, x, y).padded(4 * scale) for x, y in marks]
    for one in worst(points):
        text = f"{one.size}, {one.arrays}: {one.ratio:.2f}"
        at = axis.transData.transform((one.bytes, one.ratio))
        left, up, box = _free_place(axis, at, len(text) * LETTER * scale, CLEAR * scale, taken)
        taken.append(box)
        axis.annotate(
            text, (one.bytes, one.ratio), xytext=(-8 if left else 8, up / scale), textcoords="offset points",
            ha="right" if left else "left", va="center", fontsize=8, color=style.INK,
            arrowprops={"arrowstyle": "-", "color": style.INK, "linewidth": 0.5, "shrinkB": 4} if up else None,
        )  # fmt: skip


def _free_place(axis, at, width, height, taken):
    """Left of the mark or right, how far up, and the label's box, in pixels. Beside the mark if nothing is free."""
    x, y = at
    sides = (True, False) if x > axis.bbox.x0 + 0.6 * axis.bbox.width else (False, True)
    far = 8 * axis.figure.dpi / 72
    places = [
        (
            left,
            lines * height,
            Bbox.from_bounds(x - far - width if left else x + far, y + lines * height - height / 2, width, height),
        )
        for lines in (0, -1, 1, -2, 2, -3, 3)
        for left in sides
    ]
    inside = [place for place in places if axis.bbox.contains(*place[2].min) and axis.bbox.contains(*place[2].max)]
    free = [place for place in inside if not any(place[2].overlaps(other) for other in taken)]
    return (free or places)[0]


def _bytes(value):
    factor, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / factor:g} {unit}"
