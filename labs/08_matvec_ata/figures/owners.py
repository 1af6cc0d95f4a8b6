"""Who reads what of A: a warp owns a row in the first product, a lane owns a column in the second."""

from lessons import parts
from lessons.canvas import Canvas

CELL, COLUMNS, ROWS = 16, 14, 9
TOP = 66
COLOURS = ("blue", "orange", "green")


def draw():
    canvas = Canvas(
        330,
        "Two ways through the matrix A. For b = A v each warp walks along a row and its 32 lanes add up one sum. For "
        "c = A^T b each lane walks down a column and the warps of the block share the rows. Both load 32 neighbours.",
    )
    rows(canvas, 78)
    columns(canvas, 386)
    return canvas


def rows(canvas, left):
    canvas.text(left, 28, "b = A v: warps own rows", bold=True)
    parts.grid(canvas, left, TOP, COLUMNS, ROWS, CELL)
    for warp, colour in enumerate(COLOURS):
        y = TOP + warp * CELL
        canvas.rect(left, y, COLUMNS * CELL, CELL, tint=colour, radius=0)
        canvas.rect(left, y, 5 * CELL, CELL, fill=colour, radius=0)
        canvas.note(left - 8, y + 13, f"warp {warp}", anchor="end", colour=colour)
    canvas.arrow((left + 5 * CELL + 8, TOP + 4.5 * CELL), (left + COLUMNS * CELL, TOP + 4.5 * CELL))
    parts.brace(canvas, left, left + 5 * CELL, TOP + ROWS * CELL + 6, "32 lanes")
    canvas.note(left, TOP + ROWS * CELL + 70, "32 partial sums in a warp:")
    canvas.text(left, TOP + ROWS * CELL + 90, "added by shuffles", bold=True)


def columns(canvas, left):
    canvas.text(left, 28, "c = Aᵀ b: lanes own columns", bold=True)
    parts.grid(canvas, left, TOP, COLUMNS, ROWS, CELL)
    x = left
    canvas.rect(x, TOP, 5 * CELL, ROWS * CELL, tint="muted", radius=0)
    for row in range(ROWS):
        canvas.rect(x, TOP + row * CELL + 1, 5 * CELL, CELL - 2, **{"fill" if row < 3 else "tint": COLOURS[row % 3]})
    for warp, colour in enumerate(COLOURS):
        canvas.note(x - 8, TOP + warp * CELL + 13, f"warp {warp}", anchor="end", colour=colour)
    canvas.arrow((x + 5 * CELL + 14, TOP + 8), (x + 5 * CELL + 14, TOP + ROWS * CELL))
    parts.brace(canvas, x, x + 5 * CELL, TOP + ROWS * CELL + 6, "32 lanes")
    canvas.note(left, TOP + ROWS * CELL + 70, "a partial sum in each warp:")
    canvas.text(left, TOP + ROWS * CELL + 90, "added in shared memory", bold=True)
