"""The sum of a warp by shuffles, drawn for 8 of the 32 lanes."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

VALUES = (3, 1, 4, 1, 5, 9, 2, 6)
LEFT, CELL, STEP = 176, 52, 82


def draw():
    rows = steps()
    canvas = Canvas(
        400,
        f"A reduction by shuffles for {len(VALUES)} lanes. Each step adds the value of the lane offset places to the "
        f"right: offsets 4, 2 and 1. Lane 0 ends with the sum, {rows[-1][1][0]}. A warp of 32 lanes needs 5 steps.",
    )
    for lane in range(len(VALUES)):
        canvas.note(LEFT + (lane + 0.5) * CELL, 30, f"lane {lane}", anchor="middle")
    for number, (offset, values) in enumerate(rows):
        y = 44 + number * STEP
        live = offset or len(VALUES)  # the lanes whose value still counts
        parts.cells(
            canvas,
            LEFT,
            y,
            CELL,
            34,
            [v if i < live else "" for i, v in enumerate(values)],
            lambda i, live=live: {"fill" if live == 1 else "tint": "blue"} if i < live else {"stroke": "rule"},
            size=15,
        )
        if number:
            arrows(canvas, y, offset)
            canvas.text(24, y - 18, f"offset {offset}", bold=True)
    canvas.note(24, 356, "A warp of 32 lanes: offsets 16, 8, 4, 2, 1. No barrier: the values move from")
    canvas.text(
        24,
        374,
        "register to register. Lanes that are left blank also add, but nothing uses the result.",
        SMALL,
        colour="muted",
    )
    return canvas


def steps():
    """(offset, values of the lanes) before the first step and after each."""
    rows, values = [(0, list(VALUES))], list(VALUES)
    offset = len(VALUES) // 2
    while offset:
        values = [v + (values[i + offset] if i + offset < len(values) else 0) for i, v in enumerate(values)]
        rows.append((offset, values))
        offset //= 2
    return rows


def arrows(canvas, y, offset):
    for lane in range(offset):
        x = LEFT + (lane + 0.5) * CELL
        canvas.arrow((x, y - STEP + 36), (x, y - 2))
        canvas.arrow((x + offset * CELL, y - STEP + 36), (x + 8, y - 3), colour="orange")
