"""The sectors of one warp's load and store."""

from data import warp_access
from lessons import parts
from lessons.canvas import Canvas

ROWS = COLS = 2048
LANES, LEFT, WIDTH = 32, 32, 576


def draw():
    load = warp_access.Access(4, tuple(4 * lane for lane in range(LANES)))
    store = warp_access.Access(4, tuple(4 * lane * ROWS for lane in range(LANES)))
    counts = [len(warp_access.sectors(access)) for access in (load, store)]
    canvas = Canvas(
        498,
        f"One warp of the naive transpose. Its load of 32 neighbours in a row touches {counts[0]} sectors and uses all "
        f"bytes; its store down a column touches {counts[1]} sectors and uses 4 of 32 bytes in each.",
    )
    matrices(canvas)
    panel(canvas, 240, "load  in[row * cols + col]", load, "blue")
    panel(canvas, 376, "store  out[col * rows + row]", store, "orange")
    return canvas


def matrices(canvas):
    canvas.text(84, 50, "in", anchor="end", bold=True)
    parts.grid(canvas, 94, 52, 10, 6, 16)
    canvas.rect(94, 100, 160, 16, fill="blue", radius=0)
    canvas.text(430, 34, "out", anchor="end", bold=True)
    parts.grid(canvas, 440, 20, 6, 10, 16)
    canvas.rect(488, 20, 16, 160, fill="orange", radius=0)
    canvas.note(174, 204, "a warp loads along a row", anchor="middle", colour="blue")
    canvas.note(488, 204, "and stores down a column", anchor="middle", colour="orange")
    canvas.arrow((272, 104), (424, 104))


def panel(canvas, top, title, access, colour):
    """Lanes above, the sectors that they touch below; the filled part of a sector is used."""
    sectors = warp_access.sectors(access)
    used = sum(sector.used for sector in sectors) / (len(sectors) * warp_access.SECTOR)
    cell, wide = WIDTH / LANES, WIDTH / len(sectors)
    canvas.text(LEFT, top, title, mono=True)
    canvas.text(
        LEFT + WIDTH,
        top,
        f"{parts.plural(len(sectors), 'sector')}, {used:.1%} used".replace(".0%", "%"),
        anchor="end",
        bold=True,
        colour=colour,
    )
    lanes = [(LEFT + lane * cell + 1, top + 14, cell - 2, 16) for lane in range(LANES)]
    canvas.rects(lanes, tint=colour, stroke=colour)
    ends = [
        (LEFT + (lane + 0.5) * cell, LEFT + place * wide + (offset % 32 + 2) * (wide - 4) / 32 + 2)
        for (lane, place), (_, offset) in zip(warp_access.lanes_to_sectors(access), access.lanes(), strict=True)
    ]
    canvas.lines([((x, top + 31), (to, top + 65)) for x, to in ends], colour=colour)
    boxes = [(LEFT + i * wide + 2, top + 66, wide - 4, 18) for i in range(len(sectors))]
    canvas.rects(boxes, stroke="muted")
    canvas.rects(
        [(x, y, w * sector.used / warp_access.SECTOR, h) for (x, y, w, h), sector in zip(boxes, sectors, strict=True)],
        fill=colour,
    )
    canvas.note(LEFT, top + 102, "32 lanes above, sectors of 32 bytes below")
