"""How the figures look: colours, marks and number formats; nothing here knows a lab."""

import math

# Okabe and Ito's palette, safe for the common kinds of colour blindness; every role has its own mark as well.
ROLES = {
    "cpu": ("#6f7782", "s"),
    "starter": ("#d55e00", "v"),
    "solution": ("#0072b2", "o"),
    "encore": ("#e69f00", "D"),
    "file": ("#cc79a7", "P"),
    "peer": ("#009e73", "^"),
}
NAMES = {
    "cpu": "CPU baseline",
    "starter": "your kernel",
    "solution": "solution",
    "encore": "encore",
    "file": "kernel from a file",
    "peer": "library (peer)",
}
# Text, grid lines and paper have colours of their own, so that the page can swap them for its theme's.
INK, MUTED, RULE, PAPER = "#1b1e23", "#59606b", "#d9dde3", "#fefefe"

RC = {
    "text.parse_math": False,
    "text.color": INK,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": RULE,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.facecolor": PAPER,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "xtick.color": RULE,
    "xtick.labelcolor": MUTED,
    "ytick.color": RULE,
    "ytick.labelcolor": INK,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "svg.fonttype": "none",
}


def role(variant):
    return variant if variant in ROLES else "file"


def tip(text, number):
    """The id of a mark in an SVG that carries a text, which the page shows to whoever points at it."""
    return f"tip-{number}-{text.encode().hex()}"


def significant(value):
    """Three significant digits, never in scientific notation: 0.0283, 4.71, 33700."""
    rounded = float(f"{value:.3g}")
    digits = 2 - math.floor(math.log10(rounded)) if rounded else 0
    return f"{rounded:.{max(digits, 0)}f}"


def count(value):
    """A count for reading: 4, 32 or 4.13."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.005 else significant(value)


def counted(value, unit):
    """A count with its unit in the plural: "1 wavefront", "4 sectors"."""
    return f"{count(value)} {unit.removesuffix('s') if count(value) == '1' else unit}"


def milliseconds(ms):
    """A duration in the unit that suits it: 0.0283 -> "28.3 µs"."""
    if ms is None:
        return "–"
    for factor, unit in ((1e6, "ns"), (1e3, "µs"), (1, "ms")):
        if ms * factor < 999.5 and (ms * factor >= 0.9995 or unit == "ns"):
            return f"{significant(ms * factor)} {unit}"
    return f"{significant(ms / 1e3)} s"


def times(factor):
    return "–" if factor is None else f"{significant(factor)}×"


def ratio(value, low, high):
    """With its spread, if that is known: "1.05×, 1.03 to 1.07"."""
    return f"{times(value)}, {significant(low)} to {significant(high)}" if low and high else times(value)


def percent(share):
    return "–" if share is None else f"{share * 100:.0f} %" if share >= 0.1 else f"{share * 100:.1f} %"
