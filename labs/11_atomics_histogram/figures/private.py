"""A private histogram for each block, added to the bins of the whole grid at the end."""

from lessons import parts
from lessons.canvas import Canvas

PRIVATE = ((3, 1, 6, 1), (2, 2, 4, 1), (4, 1, 6, 2))  # no zero, because the kernel skips empty bins
COLOURS = ("blue", "green", "purple")
LEFT, WIDE, CELL = 24, 204, 42


def draw():
    bins = [sum(counts) for counts in zip(*PRIVATE, strict=True)]
    adds = len(PRIVATE) * len(bins)
    canvas = Canvas(
        322,
        f"{len(PRIVATE)} blocks count their samples in private bins in shared memory. Then each block adds each of its "
        f"{len(bins)} bins to the bins in global memory: {adds} atomics in global memory for {sum(bins)} samples.",
    )
    for block, (counts, colour) in enumerate(zip(PRIVATE, COLOURS, strict=True)):
        x = LEFT + block * WIDE
        parts.box(canvas, x, 22, 184, 40, [f"block {block}: {sum(counts)} samples"], colour)
        canvas.arrow((x + 92, 64), (x + 92, 116), colour=colour)
        parts.cells(canvas, x + 8, 118, CELL, 32, counts, lambda _, colour=colour: {"tint": colour}, size=15)
        canvas.arrow((x + 92, 152), (320 + (block - 1) * 56, 232), colour=colour)
    for x, y, text in (
        (136, 84, "atomicAdd in shared"),
        (136, 102, "memory, one a sample"),
        (418, 248, "atomicAdd in global"),
        (418, 266, "memory, one a block and bin"),
    ):
        canvas.note(x, y, text)
    parts.cells(canvas, 236, 234, CELL, 34, bins, lambda _: {"fill": "orange"}, size=17)
    canvas.text(224, 256, "bins", anchor="end", bold=True)
    canvas.note(24, 304, f"{sum(bins)} samples: {sum(bins)} atomics in shared memory, {adds} in global memory")
    return canvas
