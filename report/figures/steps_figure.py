"""Draws optimization steps, one panel for each launcher and size."""

import textwrap

import matplotlib.pyplot as plt

import style

PANEL_INCHES, WIDTH_INCHES = 2.75, 11.0


def steps_figure(charts, heading):
    """A figure with up to two panels a row."""
    rows, columns = (len(charts) + 1) // 2, 2
    height = PANEL_INCHES * rows + 0.5
    with plt.rc_context(style.RC | {"axes.spines.bottom": True}):
        figure, axes = plt.subplots(rows, columns, figsize=(WIDTH_INCHES, height), squeeze=False)
        for axis, chart in zip(axes.flat, charts, strict=False):
            draw_steps(axis, chart)
        for axis in axes.flat[len(charts) :]:
            axis.set_visible(False)
        figure.text(0.012, 1 - 0.12 / height, heading, va="top", fontsize=11, fontweight="bold")
        figure.subplots_adjust(
            left=0.06, right=0.875, wspace=0.46, hspace=0.68, top=1 - 0.8 / height, bottom=0.55 / height
        )
    return figure


def draw_steps(axis, chart):
    """A bar for each step, with the factor over the step before; lines for the best peer and the ceiling."""
    top = max(s.value for s in (*chart.steps, *chart.peers))
    top = max(top, chart.ceiling[1]) if chart.ceiling and chart.ceiling[1] < 3 * top else top
    for x, step in enumerate(chart.steps):
        axis.bar([x], [step.value], width=0.62, color=style.ROLES[style.role(step.role)][0])
        gain = style.times(step.value / chart.steps[x - 1].value) if x else ""
        text = style.significant(step.value) + (f"\n{gain}" if gain else "")
        _say(axis, x, step.value, text, ha="center", dy=2)
    _lines(axis, chart, top)
    axis.set_xlim(-0.6, len(chart.steps) - 0.4)
    axis.set_ylim(0, top * 1.3)
    axis.set_xticks(range(len(chart.steps)), ["\n".join(textwrap.wrap(s.label, 13)) for s in chart.steps])
    axis.tick_params(axis="x", length=0, labelcolor=style.INK, labelsize=8)
    axis.grid(True, axis="y")
    axis.set_axisbelow(True)
    axis.set_title(f"{chart.title}, {chart.unit}", pad=17)


def _lines(axis, chart, top):
    lines = [(p.value, p.label, style.ROLES["peer"][0], "--") for p in chart.peers]
    if chart.ceiling and chart.ceiling[1] <= top:
        lines.append((chart.ceiling[1], chart.ceiling[0], style.MUTED, "-"))
    last = -1.0
    for value, name, colour, dash in sorted(lines):
        axis.axhline(value, color=colour, linestyle=dash, linewidth=1.2, zorder=0.5)
        last = max(value, last + 0.1 * top)  # names must not lie on each other
        text = f"{_short(name)} {style.significant(value)}"
        axis.annotate(text, (1.015, last), xycoords=axis.get_yaxis_transform(), va="center", fontsize=8, color=colour)
    if chart.ceiling and chart.ceiling[1] > top:
        text = f"{chart.ceiling[0]}: {style.significant(chart.ceiling[1])}"
        axis.text(1, 1.02, text, transform=axis.transAxes, ha="right", va="bottom", fontsize=8, color=style.MUTED)


def _short(name):
    return name if len(name) <= 16 else name[:15] + "…"


def _say(axis, x, y, text, ha, dy):
    axis.annotate(
        text, (x, y), xytext=(0, dy), textcoords="offset points", ha=ha, va="bottom", fontsize=8, color=style.INK,
        bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.4},
    )  # fmt: skip
