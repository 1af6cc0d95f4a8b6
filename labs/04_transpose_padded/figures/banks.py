"""Where a column of the tile lies in the 32 banks, for rows of 32 and of 33 words."""

from data import warp_access
from lessons import parts
from lessons.canvas import Canvas

COLUMN, CELL = 5, 8
TOP = 66


def draw():
    canvas = Canvas(
        400,
        f"Shared memory as 32 banks. With rows of 32 words, column {COLUMN} of the tile lies in one bank. With rows of "
        "33 words it lies on a diagonal through all 32 banks.",
    )
    panel(canvas, 36, 32, "orange")
    panel(canvas, 348, 33, "blue")
    return canvas


def panel(canvas, left, width, colour):
    column = warp_access.Access(4, tuple(4 * (row * width + COLUMN) for row in range(32)))
    worst = max(warp_access.words_of_banks(column))
    lines = -(-32 * width // 32)
    canvas.text(left, 28, f"width = {width}", mono=True, bold=True)
    canvas.text(left + 256, 28, parts.plural(worst, "wavefront"), anchor="end", bold=True, colour=colour)
    canvas.note(left, 56, "bank 0")
    canvas.note(left + 256, 56, "bank 31", anchor="end")
    parts.grid(canvas, left, TOP, 32, lines, CELL)
    padding = [row * width + 32 for row in range(32)] if width > 32 else []
    canvas.rects([place(left, word) for word in padding], fill="rule")
    canvas.rects([place(left, offset // 4) for _, offset in column.lanes()], fill=colour)
    canvas.note(left, 356, f"column {COLUMN} of the tile", colour=colour)
    if padding:
        canvas.note(left, 376, "grey: the unused words")


def place(left, word):
    """The cell of a word: its bank across, its line downwards."""
    line, bank = divmod(word, 32)
    return (left + bank * CELL, TOP + line * CELL, CELL, CELL)
