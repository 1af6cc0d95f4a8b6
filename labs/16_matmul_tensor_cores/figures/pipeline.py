"""Three pairs of tiles in shared memory: one is multiplied while two are being copied."""

from lessons import parts
from lessons.canvas import Canvas

STAGES, STEPS = 3, 6
LEFT, STEP, TOP, ROW = 112, 84, 56, 42
COLOURS = ("blue", "orange", "green")


def draw():
    canvas = Canvas(
        282,
        f"Time line of {STAGES} pairs of tiles in shared memory. Step i multiplies pair i while pairs i + 1 and i + 2 "
        "are being copied. The copies of pair i + 2 go where pair i - 1 was. Each step begins with one barrier.",
    )
    for step in range(STEPS):
        x = LEFT + step * STEP
        canvas.note(x + STEP / 2, 32, f"step {step}", anchor="middle")
        canvas.rect(x - 2, 42, 4, TOP - 42 + STAGES * ROW, fill="ink", radius=1)
    for stage in range(STAGES):
        y = TOP + stage * ROW
        canvas.text(24, y + 19, f"place {stage}")
        for pair in range(stage, STEPS + STAGES - 1, STAGES):
            piece(canvas, y, pair, pair - (STAGES - 1), pair, solid=False)
            piece(canvas, y, pair, pair, pair + 1, solid=True)
    parts.time_axis(canvas, LEFT, LEFT + STEPS * STEP, TOP + STAGES * ROW + 16)
    canvas.note(24, 250, "tinted: the copies of a pair, asynchronous; solid: the warps multiply it")
    canvas.note(24, 268, "vertical bars: wait for the copies of this step's pair, then a barrier")
    return canvas


def piece(canvas, y, pair, start, end, solid):
    """The copy of a pair, or its multiplication, as far as it lies in the drawing."""
    start, end = max(start, 0), min(end, STEPS)
    if start < end:
        canvas.rect(LEFT + start * STEP + 4, y, (end - start) * STEP - 8, 28, fill="paper", radius=3)
        text = f"multiply {pair}" if solid else f"copy {pair}"
        parts.bar(canvas, LEFT + start * STEP + 4, y, (end - start) * STEP - 8, 28, text, COLOURS[pair % STAGES], solid)
