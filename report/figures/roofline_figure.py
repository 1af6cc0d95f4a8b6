"""Draws the roofline: speed over operations per byte, with names that do not lie on each other."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator
from matplotlib.transforms import Bbox

import style

WIDE, NARROW = (11.0, 5.4), (4.6, 6.0)  # inches
CLEAR = 1.5  # points around a name


def roofline_figure(points, source, heading, inches=WIDE):
    """GFLOP/s over operations per compulsory byte, under the roof of memory and arithmetic."""
    narrow = inches[0] < WIDE[0]
    with plt.rc_context(style.RC | {"axes.spines.bottom": True, "axes.spines.left": True}):
        figure, axis = plt.subplots(figsize=inches)
        axis.set_xscale("log")
        axis.set_yscale("log")
        left, top = (0.2, 0.95) if narrow else (0.09, 0.88)
        figure.subplots_adjust(left=left, right=0.985, top=top, bottom=0.09 if narrow else 0.1)
        axis.set_xlabel("operations per byte that must move" if narrow else
                        "operations per byte that any implementation must move")  # fmt: skip
        axis.text(0, 1.01, "GFLOP/s", transform=axis.transAxes, ha="right", fontsize=9, color=style.MUTED)
        for scale in (axis.xaxis, axis.yaxis):
            scale.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
            scale.set_minor_locator(NullLocator())
        axis.grid(True)
        axis.set_axisbelow(True)
        roofs = _roofs(axis, points, source)
        for number, point in enumerate(points):
            colour, mark = style.ROLES[style.role(point.role)]
            (drawn,) = axis.plot([point.intensity], [point.gflops], mark, color=colour, markersize=7)
            said = f"{point.label}: {style.significant(point.gflops)} GFLOP/s"
            if point.modelled:
                drawn.set(markerfacecolor=style.PAPER, markeredgewidth=1.6)
                said += ", modelled"
            drawn.set_gid(style.tip(said, number))
        _name_points(figure, axis, points, roofs)
        figure.text(0.012, 0.975, heading, va="top", fontsize=11, fontweight="bold")
        if any(point.modelled for point in points):
            _say_modelled(figure)
    return figure


def _say_modelled(figure):
    hollow = Line2D([], [], marker="o", linestyle="", markersize=7, color=style.MUTED, markerfacecolor=style.PAPER,
                    markeredgewidth=1.6, label="modelled")  # fmt: skip
    figure.legend(handles=[hollow], loc="upper right", frameon=False, fontsize=8, handletextpad=0.2, borderpad=0)


def _roofs(axis, points, source):
    """Draws the roofs; gives their names, which no other name may cover."""
    low, high = min(p.intensity for p in points) / 3, max(p.intensity for p in points) * 6
    knees = [peak / source.ceiling for _, peak in source.peaks] if source.ceiling else []
    x = np.array(sorted([low, high, *(knee for knee in knees if low < knee < high)]))
    axis.set_xlim(low, high)
    axis.set_ylim(min(p.gflops for p in points) / 3, 3 * max([p.gflops for p in points] + [p for _, p in source.peaks]))
    memory = source.ceiling * x if source.ceiling else np.full_like(x, np.inf)
    names = []
    for name, peak in source.peaks or (("", np.inf),):
        roof = np.minimum(memory, peak)
        if np.isfinite(roof).any():
            axis.plot(x, roof, color=style.MUTED, linewidth=1.6)
        if np.isfinite(peak) and memory[-1] > peak:
            names.append(axis.text(high / 1.1, peak * 1.1, name, ha="right", fontsize=8, color=style.MUTED))
    if source.ceiling:
        text = f"copy in memory, {style.significant(source.ceiling)} GB/s"
        names.append(axis.annotate(
            text, (low * 1.1, source.ceiling * low * 1.1), xytext=(-2, 4), textcoords="offset points",
            rotation=_slope(axis, low, source.ceiling), rotation_mode="anchor", fontsize=8, color=style.MUTED,
        ))  # fmt: skip
    return names


def _slope(axis, low, ceiling):
    """The angle of the roof of memory on the paper, in degrees."""
    (x0, y0), (x1, y1) = axis.transData.transform([(low, ceiling * low), (10 * low, ceiling * 10 * low)])
    return np.degrees(np.arctan2(y1 - y0, x1 - x0))


def _name_points(figure, axis, points, roofs):
    """Each name at the free place nearest to its point, with a line to it where that is not beside it."""
    figure.canvas.draw()
    scale = figure.dpi / 72
    marks = [_around(axis.transData.transform((p.intensity, p.gflops)), 8 * scale) for p in points]
    taken = [*marks, *(name.get_window_extent() for name in roofs)]
    lines = [line.get_transform().transform_path(line.get_path()) for line in axis.lines if len(line.get_xdata()) > 1]
    for point in sorted(points, key=lambda p: -p.gflops):
        name = axis.annotate(
            point.label, (point.intensity, point.gflops), xytext=(8, 0), textcoords="offset points", va="center",
            fontsize=8, color=style.INK,
        )  # fmt: skip
        box = _place(name, axis.get_window_extent(), taken, lines, scale)
        taken.append(box)
        _lead(axis, point, name)


def _place(name, frame, taken, lines, scale):
    """Moves a name to the first of its places where it covers nothing and no line crosses it; gives its box there."""
    for x, y, side in _places():
        name.set_position((x, y))
        name.set_horizontalalignment(side)
        box = name.get_window_extent().padded(CLEAR * scale)
        inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
        crossed = any(line.intersects_bbox(box, filled=False) for line in lines)
        if inside and not crossed and not any(box.overlaps(other) for other in taken):
            return box
    return name.get_window_extent()


def _places():
    """Offsets in points, the nearest first, to the right before to the left."""
    steps = [dy for step in range(40) for dy in ((step * 6, -step * 6) if step else (0,))]
    places = [(x, y, side) for y in steps for x, side in ((8, "left"), (-8, "right"), (40, "left"), (-40, "right"))]
    return sorted(places, key=lambda place: abs(place[0]) + abs(place[1]))


def _lead(axis, point, name):
    x, y = name.get_position()
    if abs(y) > 8 or abs(x) > 8:
        end = (x - 1 if x > 0 else x + 1, y)
        axis.annotate("", (point.intensity, point.gflops), xytext=end, textcoords="offset points",
                      arrowprops={"arrowstyle": "-", "color": style.MUTED, "linewidth": 0.6, "shrinkB": 3})  # fmt: skip


def _around(centre, side):
    return Bbox.from_bounds(centre[0] - side / 2, centre[1] - side / 2, side, side)
