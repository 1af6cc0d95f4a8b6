"""Draws one family as measured at one place: time, speed-up over the fast CPU program, share of the ceiling."""

import html
import io
import re

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: E402
from matplotlib.transforms import blended_transform_factory  # noqa: E402

import style  # noqa: E402

ROW_INCHES, WIDTH_INCHES = 0.27, 11.0


def family_figure(groups, heading):
    """A figure of up to three panels over one common list of rows; the caller closes it."""
    panels = [draw_time]
    points = [point for group in groups for point in group.points]
    panels += [draw_speed_up] * any(p.speed_up for p in points) + [draw_share] * any(p.of_ceiling for p in points)
    rows = _rows(groups)
    height = ROW_INCHES * len(rows) + 1.45
    with plt.rc_context(style.RC):
        figure, axes = plt.subplots(1, len(panels), figsize=(WIDTH_INCHES, height), sharey=True, squeeze=False)
        for axis, draw in zip(axes[0], panels, strict=False):
            _prepare(axis, rows)
            draw(axis, rows)
        _name_rows(axes[0][0], rows)
        figure.text(0.012, 1 - 0.12 / height, heading, va="top", fontsize=11, fontweight="bold")
        _legend(figure, points)
        figure.subplots_adjust(left=0.235, right=0.945, wspace=0.2, top=1 - 0.66 / height, bottom=0.68 / height)
    return figure


def draw_time(axis, rows):
    """Median time on a log scale with a whisker from the fastest sample to the 95th percentile."""
    drawn = [(y, point) for y, _, point in rows if point]
    for y, point in drawn:
        colour, mark = style.ROLES[style.role(point.role)]
        time = point.kernel
        axis.plot([time.low, time.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
        axis.plot([time.median], [y], mark, color=colour, markersize=6)
        _say(axis, time.high, y, style.milliseconds(time.median))
    _log_axis(axis, [p.kernel.high for _, p in drawn], style.milliseconds)
    axis.set_title("Time, median")
    axis.set_xlabel("time per run, log scale")


def draw_speed_up(axis, rows):
    """How many times faster than the fast CPU program; left of the line at 1 is slower."""
    drawn = [(y, point) for y, _, point in rows if point and point.speed_up]
    axis.axvline(1, color=style.MUTED, linewidth=1)
    for y, point in drawn:
        colour, mark = style.ROLES[style.role(point.role)]
        axis.plot([1, point.speed_up], [y, y], color=colour, linewidth=1.6)
        axis.plot([point.speed_up], [y], mark, color=colour, markersize=6)
        _say(axis, max(point.speed_up, 1), y, style.times(point.speed_up))
    _log_axis(axis, [1, *(p.speed_up for _, p in drawn)], style.times)
    axis.set_title("Speed-up")
    axis.set_xlabel("times the fast CPU program, log scale")


def draw_share(axis, rows):
    """Achieved bandwidth over that of a copy, or operations over the arithmetic peak where those are the limit."""
    drawn = [(y, point) for y, _, point in rows if point and point.of_ceiling]
    for y, point in drawn:
        colour, _ = style.ROLES[style.role(point.role)]
        axis.barh([y], [100 * point.of_ceiling], color=colour, height=0.55)
        _say(axis, 100 * point.of_ceiling, y, style.percent(point.of_ceiling))
    axis.axvline(100, color=style.MUTED, linewidth=1)
    axis.set_xlim(0, max(118, *(100 * p.of_ceiling * 1.18 for _, p in drawn)))
    axis.set_title("Share of the ceiling")
    axis.set_xlabel("% of a copy in memory, or of arithmetic")


def png(figure):
    """The figure as the bytes of a PNG file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=160)
    return buffer.getvalue()


def svg(figure, name):
    """The figure as the text of an SVG file, which depends on nothing but figure and name."""
    buffer = io.StringIO()
    with plt.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def close(figure):
    plt.close(figure)


def inline(svg, name, description):
    """The SVG for an HTML page: colours become CSS variables, ids get the name as prefix."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r"(\.\d\d)\d+", r"\1", svg)  # a hundredth of a point is fine enough
    svg = re.sub(r"\n\s*", "\n", svg)
    svg = re.sub(r'<g id="tip-\d+-([0-9a-f]+)">', _with_tip, svg)
    svg = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    for colour, variable in _themed():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = svg.replace("'DejaVu Sans'", "system-ui, 'DejaVu Sans'")
    svg = re.sub(
        r'<svg [^>]*?viewBox="([^"]+)"[^>]*>', r'<svg viewBox="\1" role="img" ' + description + ">", svg, count=1
    )
    return svg


def _with_tip(found):
    """What a reader sees who points at a mark."""
    return f"{found[0]}<title>{html.escape(bytes.fromhex(found[1]).decode())}</title>"


def _themed():
    roles = [(colour, f"role-{role}") for role, (colour, _) in style.ROLES.items()]
    return [*roles, (style.INK, "ink"), (style.MUTED, "muted"), (style.RULE, "rule"), (style.PAPER, "surface")]


def _rows(groups):
    """(y, text, point) from top to bottom; a group's heading has no point."""
    rows, y = [], 0
    for group in groups:
        rows.append((y, group.title, None))
        for point in group.points:
            y += 1
            rows.append((y, point.label, point))
        y += 1.4
    return rows


def _prepare(axis, rows):
    axis.set_ylim(rows[-1][0] + 0.7, -0.6)
    axis.set_yticks([y for y, _, point in rows if point])
    axis.tick_params(axis="y", length=0, labelleft=False)
    axis.tick_params(axis="x", length=3)
    axis.grid(True, axis="x")
    axis.set_axisbelow(True)


def _name_rows(axis, rows):
    left_edge = blended_transform_factory(axis.figure.transFigure, axis.transData)
    for y, text, point in rows:
        if point:
            axis.annotate(_short(text), (0, y), xytext=(-6, 0), xycoords=axis.get_yaxis_transform(),
                          textcoords="offset points", ha="right", va="center", color=style.INK)  # fmt: skip
        else:
            axis.text(0.012, y, _short(text), transform=left_edge, va="center", weight="bold", color=style.MUTED)


def _short(text, limit=36):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _say(axis, x, y, text):
    behind = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.6}
    axis.annotate(
        text, (x, y), xytext=(7, 0), textcoords="offset points", va="center", fontsize=8, color=style.INK, bbox=behind
    )


def _log_axis(axis, values, name):
    low, high = min(values), max(values)
    axis.set_xscale("log")
    left, right = low / 1.6, high * max(4, (high / low) ** 0.28)
    axis.set_xlim(left, right)
    steps = (1,) if right / left > 100 else (1, 3) if right / left > 15 else (1, 2, 5)
    axis.xaxis.set_major_locator(LogLocator(base=10, subs=steps, numticks=5))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _round(name(value))))


def _round(text):
    """ "10.0 ms" -> "10 ms", "0.0100×" -> "0.01×"."""
    return re.sub(r"(\.\d*?)0+(?!\d)", r"\1", text).replace(". ", " ").replace(".×", "×")


def _legend(figure, points):
    handles = []
    for role in style.ROLES:
        if any(style.role(point.role) == role for point in points):
            colour, mark = style.ROLES[role]
            handles.append(
                Line2D([], [], marker=mark, color=colour, linestyle="", markersize=6, label=style.NAMES[role])
            )
    figure.legend(handles=handles, loc="upper right", ncols=len(handles), frameon=False, fontsize=8, handletextpad=0.2)
