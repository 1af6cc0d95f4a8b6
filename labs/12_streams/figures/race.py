"""Two streams add their parts to the same element of c."""

from lessons import parts
from lessons.canvas import Canvas

LEFT, STEP = 106, 103


def draw():
    canvas = Canvas(
        234,
        "A race between streams. Part 0 in stream 1 and part 1 in stream 2 both load 0 from the same element of c. "
        "Part 1 stores 5, then part 0 stores 3, so the sum of part 1 is lost.",
    )
    canvas.text(24, 28, "c[i] += sum", mono=True)
    canvas.note(146, 28, "in two streams: no barrier orders them")
    canvas.text(24, 67, "stream 1")
    canvas.text(24, 105, "stream 2")
    for y, name, colour, pieces in (
        (48, "part 0", "blue", ((0, "load 0"), (1.6, "0 + 3"), (3, "store 3"))),
        (86, "part 1", "purple", ((0.5, "load 0"), (1.5, "0 + 5"), (2, "store 5"))),
    ):
        for (start, text), width in zip(pieces, (0.9, 0.45, 0.9) if name == "part 1" else (0.9, 0.6, 0.9), strict=True):
            parts.bar(canvas, LEFT + start * STEP, y, width * STEP, 28, text, colour)
    canvas.text(24, 155, "c[i]", mono=True)
    for start, end, value in ((0, 2.9, "0"), (2.9, 3.9, "5"), (3.9, 5, "3")):
        canvas.rect(LEFT + start * STEP, 136, (end - start) * STEP, 28, stroke="muted", radius=0)
        canvas.centred(LEFT + start * STEP, 136, (end - start) * STEP, 28, value, bold=True)
    parts.time_axis(canvas, LEFT, LEFT + 5 * STEP, 178)
    canvas.text(24, 214, "right: 0 + 3 + 5 = 8", colour="green")
    canvas.text(240, 214, "here: 3, the 5 of stream 2 is lost", bold=True, colour="orange")
    return canvas
