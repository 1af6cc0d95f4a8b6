"""The tiles of a and b that a block multiplies, one pair a round."""

from lessons import parts
from lessons.canvas import Canvas

TILE = 44
ROUNDS = ("blue", "green", "purple")
A, B, C = (56, 232), (262, 44), (262, 232)


def draw():
    canvas = Canvas(
        436,
        "A block owns one tile of c. In round t it copies tile t of its rows of a and tile t of its columns of b to "
        "shared memory and multiplies them. Each round has a barrier after the copy and one after the multiplication.",
    )
    parts.grid(canvas, *A, 3, 2, TILE)
    parts.grid(canvas, *B, 4, 3, TILE)
    parts.grid(canvas, *C, 4, 2, TILE)
    for (x, y), name in ((A, "a"), (B, "b"), (C, "c")):
        canvas.text(x - 14, y + 18, name, 17, anchor="end", bold=True)
    for number, colour in enumerate(ROUNDS):
        tile(canvas, A[0] + number * TILE, A[1] + TILE, colour, str(number))
        tile(canvas, B[0] + 2 * TILE, B[1] + number * TILE, colour, str(number))
    canvas.rect(C[0] + 2 * TILE, C[1] + TILE, TILE, TILE, fill="orange", radius=0)
    canvas.centred(C[0] + 2 * TILE, C[1] + TILE, TILE, TILE, "sum", colour="paper")
    canvas.arrow((A[0] + 2, A[1] + 2 * TILE + 12), (A[0] + 3 * TILE, A[1] + 2 * TILE + 12))
    canvas.arrow((B[0] + 4 * TILE + 14, B[1]), (B[0] + 4 * TILE + 14, B[1] + 3 * TILE))
    canvas.note(B[0] + 4 * TILE + 30, B[1] + 52, "along m,")
    canvas.note(B[0] + 4 * TILE + 30, B[1] + 70, "one pair of")
    canvas.note(B[0] + 4 * TILE + 30, B[1] + 88, "tiles a round")
    canvas.note(C[0] + 4 * TILE + 14, C[1] + TILE + 18, "the block's", colour="orange")
    canvas.note(C[0] + 4 * TILE + 14, C[1] + TILE + 36, "tile of c", colour="orange")
    rounds(canvas, 362)
    return canvas


def tile(canvas, x, y, colour, text):
    canvas.rect(x, y, TILE, TILE, tint=colour, stroke=colour, radius=0, thick=1.5)
    canvas.centred(x, y, TILE, TILE, text, size=17)


def rounds(canvas, y):
    """Two rounds on a time line: copy, barrier, multiply, barrier."""
    x = 56
    for number in (0, 1):
        for text, width in ((f"copy {number}", 74), ("multiply", 136)):
            parts.bar(canvas, x, y, width, 26, f"{text} {number}" if width > 80 else text, ROUNDS[number])
            canvas.rect(x + width + 5, y - 3, 6, 32, fill="ink", radius=1)
            x += width + 16
    parts.time_axis(canvas, 56, 576, y + 42, "time")
    canvas.note(56, y + 57, "vertical bars: barriers, __syncthreads()")
