"""Sixteen results of one thread: the products of a step, and where the results lie in the block's tile."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

SIDE, THREADS, CELL = 4, 16, 42
X, Y = 5, 2  # the thread that is drawn
TILE, UNIT = SIDE * THREADS, 3.75  # elements, and units for each


def draw():
    loads, products = 2 * SIDE, SIDE * SIDE
    canvas = Canvas(
        360,
        f"For each k a thread loads {SIDE} numbers of a and {SIDE} of b into registers and makes {products} products. "
        f"Its results are {THREADS} rows and {THREADS} columns apart in the block's tile of c.",
    )
    outer_product(canvas, 88, 90)
    canvas.text(28, 300, f"{loads} loads, {products} multiply-adds", bold=True)
    canvas.note(28, 322, f"lab 07: {2 * products} loads for {products}")
    tile(canvas, 356, 60)
    return canvas


def outer_product(canvas, left, top):
    canvas.text(28, 28, "one thread, one step k", bold=True)
    for i in range(SIDE):
        canvas.rect(left + i * CELL, top - 36, CELL - 4, 28, fill="blue")
        canvas.centred(left + i * CELL, top - 36, CELL - 4, 28, f"b{i}", colour="paper")
        canvas.rect(left - 50, top + i * CELL, 40, CELL - 4, fill="orange")
        canvas.centred(left - 50, top + i * CELL, 40, CELL - 4, f"a{i}", colour="paper")
        for j in range(SIDE):
            canvas.rect(left + j * CELL, top + i * CELL, CELL - 4, CELL - 4, tint="green", stroke="green")
            canvas.centred(left + j * CELL, top + i * CELL, CELL - 4, CELL - 4, f"a{i}b{j}", size=SMALL)


def tile(canvas, left, top):
    side = TILE * UNIT
    canvas.text(left, 28, f"the block's {TILE} x {TILE} results", bold=True)
    parts.grid(canvas, left, top, SIDE, SIDE, THREADS * UNIT)
    canvas.rects(
        [
            (left + (X + THREADS * j) * UNIT - 2, top + (Y + THREADS * i) * UNIT - 2, 8, 8)
            for i in range(SIDE)
            for j in range(SIDE)
        ],
        fill="green",
    )
    for j in range(SIDE):
        x = left + (X + THREADS * j + 0.5) * UNIT
        canvas.note(x, top - 8, str(X + THREADS * j), anchor="middle")
        y = top + (Y + THREADS * j + 0.5) * UNIT
        canvas.note(left - 8, y + 4, str(Y + THREADS * j), anchor="end")
    canvas.note(left, top + side + 22, f"green: results of thread ({X}, {Y}),", colour="green")
    canvas.note(left, top + side + 40, f"{THREADS} apart in both directions", colour="green")
