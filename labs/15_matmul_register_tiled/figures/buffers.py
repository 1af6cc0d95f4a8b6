"""Two buffers: the next tiles arrive while the present ones are multiplied."""

from lessons import parts
from lessons.canvas import Canvas

LEFT, ROUND, ROUNDS = 152, 152, 3
COLOURS = ("blue", "orange")


def draw():
    canvas = Canvas(
        250,
        "Time line of double buffering. In round r the block multiplies the tiles in buffer r % 2 while the next tiles "
        "are loaded into registers. They are stored to the other buffer at the round's end, before its one barrier.",
    )
    for y, text in ((66, "load"), (106, "multiply"), (146, "store")):
        canvas.text(24, y + 18, text)
    canvas.note(24, y + 36, "to the buffer")
    for number in range(ROUNDS):
        x = LEFT + number * ROUND
        now, following = COLOURS[number % 2], COLOURS[(number + 1) % 2]
        canvas.note(x + (ROUND - 16) / 2, 34, f"round {number}", anchor="middle")
        parts.bar(canvas, x, 66, 88, 28, f"tiles {number + 1}", following)
        parts.bar(canvas, x, 106, 104, 28, f"tiles {number}", now, solid=True)
        parts.bar(canvas, x + 90, 146, 42, 28, f"{number + 1}", following)
        canvas.rect(x + ROUND - 14, 52, 6, 130, fill="ink", radius=1)
    parts.time_axis(canvas, LEFT, LEFT + ROUNDS * ROUND - 6, 200)
    end = parts.key(canvas, 24, 232, [(COLOURS[0], True, "buffer 0"), (COLOURS[1], True, "buffer 1")])
    canvas.note(end + 10, 232, "vertical bars: barriers")
    return canvas
