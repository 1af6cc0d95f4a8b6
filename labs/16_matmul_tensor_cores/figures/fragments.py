"""The fragments that a warp loads and multiplies in one step, and where its results lie in the block's tile."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

PATCH, SIDE, WARPS = 4, 16, 2
CELL, UNIT = 42, 1.75


def draw():
    reach = PATCH * SIDE
    canvas = Canvas(
        366,
        f"In a step of {SIDE} along the common dimension a warp loads {PATCH} fragments of a and {PATCH} of b from "
        f"shared memory and makes {PATCH * PATCH} products on the tensor cores. A warp owns {reach} x {reach} elements "
        f"of c, a block {WARPS * reach} x {WARPS * reach}.",
    )
    canvas.text(28, 28, f"one warp, one step of {SIDE}", bold=True)
    outer_product(canvas, 88, 94)
    canvas.text(28, 308, f"{2 * PATCH} fragments loaded, {PATCH * PATCH} products", bold=True)
    canvas.note(28, 330, f"a fragment: {SIDE} x {SIDE} elements")
    canvas.note(28, 348, "in the registers of 32 threads")
    tile(canvas, 356, 60, reach)
    return canvas


def outer_product(canvas, left, top):
    for i in range(PATCH):
        canvas.rect(left + i * CELL, top - 40, CELL - 4, 32, fill="blue")
        canvas.centred(left + i * CELL, top - 40, CELL - 4, 32, f"b{i}", colour="paper")
        canvas.rect(left - 54, top + i * CELL, 44, CELL - 4, fill="orange")
        canvas.centred(left - 54, top + i * CELL, 44, CELL - 4, f"a{i}", colour="paper")
        for j in range(PATCH):
            canvas.rect(left + j * CELL, top + i * CELL, CELL - 4, CELL - 4, tint="green", stroke="green")
            canvas.centred(left + j * CELL, top + i * CELL, CELL - 4, CELL - 4, f"{i}{j}", size=SMALL)


def tile(canvas, left, top, reach):
    side = WARPS * reach * UNIT
    canvas.text(left, 28, f"the block's {WARPS * reach} x {WARPS * reach} elements", bold=True)
    parts.grid(canvas, left, top, WARPS * PATCH, WARPS * PATCH, SIDE * UNIT)
    for warp, colour in enumerate(("green", "purple", "yellow", "blue")):
        x, y = left + warp % WARPS * reach * UNIT, top + warp // WARPS * reach * UNIT
        canvas.rect(x, y, reach * UNIT, reach * UNIT, tint=colour, stroke=colour, radius=0, thick=1.5)
        canvas.centred(x, y, reach * UNIT, reach * UNIT, f"warp {warp}")
    canvas.note(left, top + side + 24, f"a small square: one fragment, {SIDE} x {SIDE}")
