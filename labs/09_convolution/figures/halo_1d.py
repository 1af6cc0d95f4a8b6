"""A block of outputs in one dimension, and the inputs that it needs."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

BLOCK, FILTER, CELL = 8, 5, 34
LEFT = 116
INPUTS = BLOCK + FILTER - 1


def draw():
    canvas = Canvas(
        290,
        f"A filter of {FILTER} in one dimension. A block of {BLOCK} outputs needs {INPUTS} inputs: one for each output "
        f"and a halo of {FILTER - 1}. Neighbouring outputs share {FILTER - 1} of their {FILTER} inputs.",
    )
    canvas.text(LEFT - 12, 88, "inputs", anchor="end")
    parts.cells(canvas, LEFT, 66, CELL, 34, range(INPUTS), lambda i: {"tint": "blue" if i < BLOCK else "orange"})
    parts.brace(canvas, LEFT + 2, LEFT + BLOCK * CELL - 2, 60, "one input for each output", False, "blue")
    parts.brace(canvas, LEFT + BLOCK * CELL + 2, LEFT + INPUTS * CELL - 2, 60, f"halo: {FILTER - 1}", False, "orange")
    canvas.text(LEFT - 12, 210, "outputs", anchor="end")
    parts.cells(
        canvas,
        LEFT,
        188,
        CELL,
        34,
        [i if i not in (2, BLOCK - 1) else "" for i in range(BLOCK)],
        lambda i: {"tint": "green"},
    )
    for output, colour in ((2, "green"), (BLOCK - 1, "orange")):
        x = LEFT + (output + 0.5) * CELL
        ends = [LEFT + (output + i + 0.5) * CELL for i in range(FILTER)]
        canvas.lines([((end, 101), (x, 187)) for end in ends], colour=colour, thick=1.5)
        canvas.rect(LEFT + output * CELL, 188, CELL, 34, fill=colour)
        canvas.centred(LEFT + output * CELL, 188, CELL, 34, str(output), size=SMALL, colour="paper")
    canvas.note(320, 256, f"The block loads {INPUTS} inputs once, into shared memory.", anchor="middle")
    canvas.note(
        320, 274, f"Without it, its {BLOCK} threads load {FILTER} inputs each: {BLOCK * FILTER}.", anchor="middle"
    )
    return canvas
