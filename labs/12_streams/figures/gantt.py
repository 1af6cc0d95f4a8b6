"""Three parts of a product in one stream and in three, with the events that branch and join."""

from lessons import parts
from lessons.canvas import Canvas

LEFT, PART, END = 106, 118, 622
COLOURS = ("blue", "green", "purple")


def draw():
    canvas = Canvas(
        400,
        "Gantt chart of a product in three parts. In one stream the parts run one after another. In three streams they "
        "overlap: an event in stream 0 lets them begin, and stream 0 waits for the event at the end of each.",
    )
    canvas.text(24, 28, "one stream: the parts run one after another", bold=True)
    canvas.text(24, 64, "stream 0")
    parts.bar(canvas, LEFT, 45, 56, 28, "c = 0", "muted")
    for part, colour in enumerate(COLOURS):
        parts.bar(canvas, LEFT + 60 + part * PART, 45, PART - 4, 28, f"part {part}", colour)
    parts.bar(canvas, LEFT + 60 + 3 * PART, 45, 96, 28, "next kernel", "muted")
    parts.time_axis(canvas, LEFT, END, 86)
    canvas.text(24, 140, "three more streams: the parts overlap", bold=True)
    streams(canvas, 158)
    parts.time_axis(canvas, LEFT, END, 316)
    canvas.note(24, 352, "Filled circles are events. Left: the parts wait until c = 0 is done. Right: the next kernel")
    canvas.note(24, 370, "waits for all parts. A part takes longer here, because the parts share the device.")
    return canvas


def streams(canvas, top):
    fork, join = LEFT + 66, LEFT + 306
    canvas.text(24, top + 19, "stream 0")
    parts.bar(canvas, LEFT, top, 56, 28, "c = 0", "muted")
    parts.bar(canvas, join + 34, top, 96, 28, "next kernel", "muted")
    canvas.line((LEFT + 56, top + 14), (join + 22, top + 14), colour="muted", dashed=True)
    for part, colour in enumerate(COLOURS):
        y = top + 36 * (part + 1)
        canvas.text(24, y + 19, f"stream {part + 1}")
        parts.bar(canvas, fork + 20, y, 196 + 8 * (part % 2), 28, f"part {part}", colour)
        end = fork + 216 + 8 * (part % 2)
        canvas.arrow((fork, top + 14), (fork, y + 14), (fork + 19, y + 14), colour="ink")
        canvas.line((end, y + 14), (end + 8, y + 14), colour="ink")
        canvas.line((end + 8, y + 14), (join + 16, y + 14), (join + 16, top + 14), colour="ink")
        dot(canvas, end + 8, y + 14)
    dot(canvas, fork, top + 14)
    canvas.arrow((join + 16, top + 14), (join + 33, top + 14), colour="ink")


def dot(canvas, x, y):
    canvas.rect(x - 5, y - 5, 10, 10, fill="orange", radius=5)
