"""Both matrices go to shared memory in a cooperative copy, then one block computes all of c."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

N, M, P = 2, 5, 4  # of a block with one thread for each element of c
THREADS, A_ELEMENTS, B_ELEMENTS = N * P, N * M, M * P
CELL, LEFT = 19, 35
ROUNDS = ("blue", "green", "purple")


def draw():
    canvas = Canvas(
        378,
        f"A block of {N} x {P} threads copies the {A_ELEMENTS} elements of a and the {B_ELEMENTS} of b from global to "
        "shared memory, in rounds: neighbouring threads copy neighbouring elements. After a barrier the block computes "
        "all of c from shared memory.",
    )
    canvas.note(LEFT, 20, f"global memory: the number of the thread that copies it ({N} x {P} threads)")
    for left, count, name in ((LEFT, A_ELEMENTS, "a"), (LEFT + A_ELEMENTS * CELL, B_ELEMENTS, "b")):
        shift = 0 if name == "a" else 12
        parts.cells(canvas, left + shift - 6, 58, CELL, 26, [i % THREADS for i in range(count)], look)
        parts.brace(canvas, left + shift - 6, left + shift - 6 + count * CELL, 54, name, False, "ink")
        canvas.arrow((left + shift - 6 + count * CELL / 2, 90), (left + count * CELL / 2, 150))
    parts.key(canvas, 155, 124, [(colour, True, f"round {i}") for i, colour in enumerate(ROUNDS)])
    shared(canvas)
    canvas.arrow((320, 222), (320, 262))
    canvas.note(332, 247, "barrier, then every product from here")
    parts.box(canvas, 190, 266, 260, 56, ["one block", "c: one element for each thread"], "orange")
    canvas.note(320, 354, "at most 1024 threads, so c has at most 32 x 32 elements", anchor="middle", colour="orange")
    return canvas


def look(place):
    return {"tint": ROUNDS[place // THREADS]}


def shared(canvas):
    middle, right = LEFT + A_ELEMENTS * CELL, LEFT + (A_ELEMENTS + B_ELEMENTS) * CELL
    canvas.rect(LEFT, 152, middle - LEFT, 34, stroke="ink", thick=1.5)
    canvas.rect(middle, 152, right - middle, 34, stroke="ink", thick=1.5)
    canvas.centred(LEFT, 152, middle - LEFT, 34, "a: n * m elements", size=SMALL)
    canvas.centred(middle, 152, right - middle, 34, "b: m * p elements", size=SMALL)
    canvas.text(LEFT, 206, "shared", SMALL, mono=True)
    canvas.text(middle, 206, "shared + n * m", SMALL, mono=True)
    canvas.note(right, 206, "48 KB at most", anchor="end")
