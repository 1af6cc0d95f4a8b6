"""A tile with its halo in two dimensions, and the inputs of two neighbouring outputs."""

from lessons import parts
from lessons.canvas import Canvas

TILE, FILTER = 32, 3
UNIT = 6.5
SMALL_CELL = 30


def draw():
    inputs = TILE + FILTER - 1
    canvas = Canvas(
        334,
        f"A {FILTER} x {FILTER} filter in two dimensions. Two neighbouring outputs share six of their nine inputs. A "
        f"block of {TILE} x {TILE} outputs needs a tile of {inputs} x {inputs} inputs; the halo is two rows and two "
        "columns.",
    )
    neighbours(canvas, 36, 74)
    left, top, side, rim = 330, 74, TILE * UNIT, (FILTER - 1) * UNIT
    canvas.text(left, 30, f"{TILE} x {TILE} outputs", bold=True)
    canvas.note(left, 50, f"need {inputs} x {inputs} inputs")
    canvas.rect(left, top, side, side, tint="blue", stroke="blue", radius=0)
    canvas.rect(left + side, top, rim, side + rim, tint="orange", stroke="orange", radius=0)
    canvas.rect(left, top + side, side, rim, tint="orange", stroke="orange", radius=0)
    canvas.note(left + side / 2, top + side / 2 - 4, "one input for each", anchor="middle", colour="ink")
    canvas.note(left + side / 2, top + side / 2 + 14, "output of the block", anchor="middle", colour="ink")
    canvas.note(left + side / 2, top + side + rim + 20, "halo: 2 rows and 2 columns", anchor="middle", colour="orange")
    return canvas


def neighbours(canvas, left, top):
    canvas.text(left, 30, "inputs of two outputs", bold=True)
    canvas.note(left, 50, "in one row")
    cell, size = SMALL_CELL, FILTER * SMALL_CELL
    canvas.rect(left, top, size, size, tint="blue", radius=0)
    canvas.rect(left + cell, top, size, size, tint="orange", radius=0)
    parts.grid(canvas, left, top, 7, 5, cell)
    canvas.rect(left, top, size, size, stroke="blue", radius=0, thick=2.5)
    canvas.rect(left + cell, top, size, size, stroke="orange", radius=0, thick=2.5)
    canvas.note(left, top + 5 * cell + 28, "blue: inputs of output (0, 0)", colour="blue")
    canvas.note(left, top + 5 * cell + 48, "orange: inputs of output (0, 1)", colour="orange")
    shared = FILTER * (FILTER - 1)
    canvas.note(left, top + 5 * cell + 68, f"both: {shared} of {FILTER * FILTER} inputs")
