"""Two threads add 1 to one counter: without and with an atomic operation."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

LEFT = 108


def draw():
    canvas = Canvas(
        330,
        "Two threads add 1 to a counter that holds 7. Without an atomic operation both load 7 and both store 8, so one "
        "update is lost. With atomicAdd the second addition waits for the first, and the counter ends at 9.",
    )
    canvas.text(LEFT, 28, "counter[0] = counter[0] + 1", mono=True)
    canvas.text(616, 28, "one update is lost", anchor="end", bold=True, colour="orange")
    row(canvas, 44, "thread 0", [(0, "load 7"), (1, "add: 8"), (2, "store 8")], "orange")
    row(canvas, 78, "thread 1", [(1, "load 7"), (2, "add: 8"), (3, "store 8")], "purple")
    memory(canvas, 116, [(0, 2.9, "7"), (2.9, 5, "8")])
    canvas.text(LEFT, 196, "atomicAdd(counter, 1)", mono=True)
    canvas.text(616, 196, "both updates count", anchor="end", bold=True, colour="blue")
    row(canvas, 212, "thread 0", [(0, "7 + 1 = 8")], "blue", wide=1.9)
    row(canvas, 246, "thread 1", [(2, "8 + 1 = 9")], "green", wide=1.9, waits=True)
    memory(canvas, 284, [(0, 1.85, "7"), (1.85, 3.85, "8"), (3.85, 5, "9")])
    return canvas


STEP = 101.6


def row(canvas, y, name, pieces, colour, wide=0.92, waits=False):
    canvas.text(24, y + 19, name)
    if waits:
        canvas.rect(LEFT, y, 1.92 * STEP, 28, stroke="muted", dashed=True, radius=3)
        canvas.centred(LEFT, y, 1.92 * STEP, 28, "waits", size=SMALL, colour="muted")
    for start, text in pieces:
        parts.bar(canvas, LEFT + start * STEP, y, wide * STEP, 28, text, colour)


def memory(canvas, y, values):
    canvas.text(24, y + 17, "counter")
    for start, end, text in values:
        x, width = LEFT + start * STEP, (end - start) * STEP
        canvas.rect(x, y, width, 24, stroke="muted", radius=0)
        canvas.centred(x, y, width, 24, text, bold=True)
