"""The network: three layers as matrix products, then softmax."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

SIZES = (784, 100, 100, 10)


def draw():
    canvas = Canvas(
        330,
        f"The network. Images of {SIZES[0]} pixels pass two hidden layers of {SIZES[1]} and {SIZES[2]} outputs with "
        f"ReLU and a layer of {SIZES[3]} scores; softmax turns the scores into probabilities. Each layer is a matrix "
        "product with a bias.",
    )
    edges = (24, 210, 330, 450, 546)
    widths = (118, 52, 52, 28, 28)
    names = ("images", "layer 1", "layer 2", "scores", "softmax")
    counts = (*SIZES, SIZES[-1])
    for place, (x, width, name, count) in enumerate(zip(edges, widths, names, counts, strict=True)):
        colour = ("muted", "blue", "blue", "blue", "orange")[place]
        canvas.rect(x, 66, width, 84, tint=colour, stroke=colour, radius=3)
        canvas.text(x + width / 2, 44, name, SMALL, anchor="middle", bold=True)
        canvas.note(x + width / 2, 172, str(count), anchor="middle")
        if place:
            canvas.arrow((edges[place - 1] + widths[place - 1] + 6, 108), (x - 6, 108))
    parts.side_brace(canvas, 592, 66, 150, "B", left=False)
    canvas.note(24, 200, "B: images in a batch. Numbers below: columns of each matrix.")
    layer(canvas, 224)
    return canvas


def layer(canvas, y):
    canvas.text(24, y + 14, "one layer", bold=True)
    x = 122
    for text, width, colour in (("x", 96, "muted"), ("w", 72, "green"), ("b", 44, "green")):
        canvas.rect(x, y - 4, width, 28, tint=colour, stroke=colour, radius=3)
        canvas.centred(x, y - 4, width, 28, text)
        x += width
        if text != "b":
            canvas.centred(x, y - 4, 26, 28, {"x": "·", "w": "+"}[text], size=17)
            x += 26
    canvas.arrow((x + 8, y + 10), (x + 42, y + 10))
    canvas.rect(x + 48, y - 4, 70, 28, tint="purple", stroke="purple", radius=3)
    canvas.centred(x + 48, y - 4, 70, 28, "ReLU")
    canvas.arrow((x + 124, y + 10), (x + 158, y + 10))
    canvas.note(x + 166, y + 15, "next layer", colour="ink")
    canvas.note(24, y + 56, "Bias and ReLU are fused: the thread that has the sum in a register")
    canvas.note(24, y + 74, "adds the bias and applies ReLU before it stores.")
