"""The producer's copies and the consumers' products on a time line; a small schedule computes when each begins."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

STAGES, PAIRS = 4, 9
FILL, MULTIPLY = 27, 50  # time of one pair, in units of the drawing
LEFT = 128
COLOURS = ("blue", "orange", "green", "purple")


def schedule():
    """(start of the copy, its end, end of the products) of each pair of tiles."""
    rows = []
    for pair in range(PAIRS):
        start = max(rows[-1][1] if rows else 0, rows[pair - STAGES][2] if pair >= STAGES else 0)
        ready = max(start + FILL, rows[-1][2] if rows else 0)
        rows.append((start, start + FILL, ready + MULTIPLY))
    return rows


def draw():
    rows = schedule()
    canvas = Canvas(
        282,
        f"Time line of the ring of {STAGES} stages. The producer copies pairs of tiles ahead of the consumers until "
        "all stages are full. Then it waits at the barrier empty until the consumers are done with the oldest stage.",
    )
    canvas.text(24, 67, "producer,")
    canvas.text(24, 85, "TMA")
    canvas.text(24, 155, "consumers,")
    canvas.text(24, 173, "wgmma")
    for pair, (start, _, done) in enumerate(rows):
        colour = COLOURS[pair % STAGES]
        parts.bar(canvas, LEFT + start + 1, 56, FILL - 2, 32, str(pair), colour)
        parts.bar(canvas, LEFT + done - MULTIPLY + 1, 144, MULTIPLY - 2, 32, str(pair), colour, solid=True)
        if pair + STAGES < len(rows):
            canvas.arrow((LEFT + done, 142), (LEFT + rows[pair + STAGES][0] + 4, 91), colour=colour, dashed=True)
    canvas.arrow((LEFT + FILL, 90), (LEFT + FILL + 3, 142), colour="blue")
    canvas.text(LEFT + FILL - 6, 121, "full[0]", SMALL, anchor="end", colour="blue", mono=True)
    wait(canvas, rows)
    parts.time_axis(canvas, LEFT, 622, 194)
    end = parts.key(canvas, 24, 240, [(colour, True, f"stage {i}") for i, colour in enumerate(COLOURS)])
    canvas.note(end, 240, "number: pair of tiles")
    canvas.note(24, 264, "dashed: both consumers arrive at empty, so the producer may fill the stage again")
    return canvas


def wait(canvas, rows):
    """Where the producer waits because every stage is full."""
    for before, after in zip(rows, rows[1:], strict=False):
        if after[0] > before[1] + 16:
            canvas.note(LEFT + (before[1] + after[0]) / 2, 46, "wait", anchor="middle")
