"""Softmax of one row of scores: two reductions, and a maximum that keeps exp from overflowing."""

import math

from lessons import parts
from lessons.canvas import Canvas

SCORES = (2.0, -1.0, 5.0, 0.0, 3.0)
CELL, LEFT = 74, 236


def draw():
    largest = max(SCORES)
    powers = [math.exp(score - largest) for score in SCORES]
    total = sum(powers)
    canvas = Canvas(
        296,
        "Softmax of five scores. The first reduction finds the largest score, which is subtracted from all. After exp, "
        "the second reduction adds the powers, and each power is divided by the sum.",
    )
    rows = (
        ("scores s", [f"{score:g}" for score in SCORES], "blue"),
        ("exp(s - m)", [f"{power:.3f}" for power in powers], "green"),
        ("divide by the sum", [f"{power / total:.3f}" for power in powers], "orange"),
    )
    for number, (name, texts, colour) in enumerate(rows):
        y = 30 + number * 92
        canvas.text(24, y + 22, name, bold=True)
        parts.cells(canvas, LEFT, y, CELL, 34, texts, lambda _, colour=colour: {"tint": colour}, size=15)
    reduction(canvas, 64, f"reduction 1: m = max = {largest:g}", "blue")
    reduction(canvas, 156, f"reduction 2: sum = {total:.3f}", "green")
    canvas.note(24, 276, "The largest exponent is 0, so no power overflows, and the sum is at least 1.")
    return canvas


def reduction(canvas, y, text, colour):
    middle = LEFT + 2.5 * CELL
    canvas.lines([((LEFT + (i + 0.5) * CELL, y + 1), (middle, y + 20)) for i in range(5)], colour=colour)
    canvas.note(middle, y + 36, text, anchor="middle", colour=colour)
    canvas.arrow((middle, y + 41), (middle, y + 56), colour=colour)
