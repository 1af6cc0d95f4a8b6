"""The 8 x 16 results of one thread in the block's tile of 128 x 256, and the vectors that a step needs."""

from lessons import parts
from lessons.canvas import Canvas

SIDE, ROW_FOURS, COL_FOURS = 16, 2, 4  # threads on a side of the block, patches of a thread
ROWS, COLS = SIDE * 4 * ROW_FOURS, SIDE * 4 * COL_FOURS
UNIT, LEFT, TOP = 1.9, 92, 74
X, Y = 5, 6  # the thread that is drawn


def draw():
    loads, products = ROW_FOURS + COL_FOURS, ROW_FOURS * COL_FOURS * 16
    canvas = Canvas(
        386,
        f"A thread's {4 * ROW_FOURS} x {4 * COL_FOURS} results are {ROW_FOURS} x {COL_FOURS} patches of 4 x 4 in the "
        f"block's tile of {ROWS} x {COLS} elements. A step k needs {loads} vector loads for {products} multiply-adds.",
    )
    canvas.text(LEFT, 24, f"the block's {ROWS} x {COLS} elements of c", bold=True)
    parts.grid(canvas, LEFT, TOP, COL_FOURS, ROW_FOURS, 64 * UNIT)
    columns = [LEFT + (64 * j + 4 * X) * UNIT for j in range(COL_FOURS)]
    rows = [TOP + (64 * i + 4 * Y) * UNIT for i in range(ROW_FOURS)]
    patch = 4 * UNIT
    canvas.rects([(x, TOP - 22, patch, 16) for x in columns], fill="blue")
    canvas.rects([(LEFT - 22, y, 16, patch) for y in rows], fill="orange")
    canvas.rects([(x, TOP, patch, ROWS * UNIT) for x in columns], tint="blue")
    canvas.rects([(LEFT, y, COLS * UNIT, patch) for y in rows], tint="orange")
    canvas.rects([(x, y, patch, patch) for x in columns for y in rows], fill="green")
    for j, x in enumerate(columns):
        canvas.note(x + 14, TOP - 9, f"float4 at {64 * j + 4 * X}", colour="blue")
    for i, y in enumerate(rows):
        canvas.note(LEFT - 28, y - 4, "float4", anchor="end", colour="orange")
        canvas.note(LEFT - 28, y + 13, f"at {64 * i + 4 * Y}", anchor="end", colour="orange")
    end = TOP + ROWS * UNIT
    words = f"green: patches of 4 x 4 results of thread {Y * SIDE + X}: x {X}, y {Y}"
    canvas.note(LEFT, end + 28, words, colour="green")
    canvas.text(LEFT, end + 54, f"step k: {loads} vector loads, {products} multiply-adds", bold=True)
    return canvas
