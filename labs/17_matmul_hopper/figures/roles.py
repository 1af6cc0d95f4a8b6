"""Producer, ring of stages, consumers, and the barriers between them."""

from lessons import parts
from lessons.canvas import SMALL, Canvas

STAGES = 4
COLOURS = ("blue", "orange", "green", "purple")


def draw():
    canvas = Canvas(
        350,
        f"One thread of the producer starts TMA copies into a ring of {STAGES} stages in shared memory. The barrier "
        "full tells the consumers that a stage is there. The barrier empty tells the producer that both consumers are "
        "done.",
    )
    parts.box(canvas, 24, 96, 132, 76, ["producer", "one thread", "starts TMA"], "muted")
    canvas.text(320, 30, f"ring of {STAGES} stages in shared memory", anchor="middle", bold=True)
    for stage in range(STAGES):
        y = 48 + stage * 46
        canvas.rect(246, y, 148, 38, tint=COLOURS[stage], stroke=COLOURS[stage], radius=4)
        canvas.note(256, y + 24, f"stage {stage}", colour="ink")
        canvas.note(384, y + 24, "a, b: 48 KB", anchor="end")
    for consumer, rows in enumerate(("rows 0-63", "rows 64-127")):
        parts.box(canvas, 470, 48 + consumer * 98, 146, 76, [f"consumer {consumer}", "4 warps, wgmma", rows], "yellow")
    canvas.arrow((160, 120), (240, 120), colour="ink", thick=2)
    canvas.note(200, 110, "fill", anchor="middle", colour="ink")
    canvas.arrow((400, 90), (464, 90), colour="ink", thick=2)
    canvas.arrow((400, 184), (464, 184), colour="ink", thick=2)
    barrier(canvas, 252, "full[s]", "TMA's 48 KB are there", (90, 543), "blue")
    barrier(canvas, 302, "empty[s]", "both consumers are done", (543, 90), "orange")
    return canvas


def barrier(canvas, y, name, text, ends, colour):
    canvas.arrow((ends[0], y + 14), (ends[1], y + 14), colour=colour, thick=2)
    canvas.rect(176, y, 288, 30, fill="paper", stroke=colour, radius=4)
    canvas.text(188, y + 20, name, SMALL, mono=True, colour=colour)
    canvas.note(454, y + 20, text, anchor="end", colour="ink")
