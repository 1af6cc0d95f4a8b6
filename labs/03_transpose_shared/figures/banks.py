"""Banks that a warp's accesses to the tile need: a row and a column."""

from data import warp_access
from lessons import parts
from lessons.canvas import Canvas

WIDTH, COLUMN, ROW, LEFT, CELL = 32, 5, 3, 32, 18


def draw():
    row = warp_access.Access(4, tuple(4 * (ROW * WIDTH + lane) for lane in range(32)))
    column = warp_access.Access(4, tuple(4 * (lane * WIDTH + COLUMN) for lane in range(32)))
    worst = max(warp_access.words_of_banks(column))
    canvas = Canvas(
        312,
        f"The 32 banks of shared memory. A row of the tile lies in 32 banks and takes one wavefront. A column lies in "
        f"bank {COLUMN} alone and takes {worst} wavefronts.",
    )
    panel(canvas, 28, f"a row:  shared[{ROW}][lane]", row, "blue")
    panel(canvas, 172, f"a column:  shared[lane][{COLUMN}]", column, "orange")
    return canvas


def panel(canvas, top, title, access, colour):
    words = warp_access.words_of_banks(access)
    canvas.text(LEFT, top, title, mono=True)
    count = parts.plural(max(words), "wavefront")
    canvas.text(LEFT + 32 * CELL, top, count, anchor="end", bold=True, colour=colour)
    canvas.rects([(LEFT + i * CELL + 1, top + 14, CELL - 2, 16) for i in range(32)], tint=colour, stroke=colour)
    links = warp_access.lanes_to_banks(access)
    canvas.lines(
        [((LEFT + (lane + 0.5) * CELL, top + 31), (LEFT + (bank + 0.5) * CELL, top + 77)) for lane, bank in links],
        colour=colour,
    )
    boxes = [(LEFT + i * CELL + 1, top + 78, CELL - 2, 16) for i in range(32)]
    canvas.rects(boxes, stroke="muted")
    canvas.rects([box for box, count in zip(boxes, words, strict=True) if count], fill=colour)
    canvas.note(LEFT, top + 112, "32 lanes above, banks 0 to 31 below")
