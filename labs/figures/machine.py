"""The machine: a multiprocessor, the memories with their sizes, and their latencies to scale."""

import style
from lessons import parts, records
from lessons.canvas import SMALL, Canvas

SCHEDULERS, L1_KB = 4, 256  # of a multiprocessor: NVIDIA H100 architecture white paper, Hopper tuning guide
LEFT, WIDE = 24, 306  # of the boxes
BAR, LONGEST = 356, 260  # where the bars of the latencies begin, and their greatest length


def draw():
    found = records.memory()
    device, latencies = found["device"], found["latencies"]
    registers = device["registers_per_multiprocessor"]
    warps = device["threads_per_multiprocessor"] // 32
    canvas = Canvas(
        594,
        f"The {device['name']}: {device['multiprocessors']} multiprocessors, each with {SCHEDULERS} warp schedulers, "
        f"{registers * 4 // 1024} KB of registers and {L1_KB} KB of L1 cache and shared memory. All share the L2 cache "
        "and the memory. Bars show the latency of a load to scale, from "
        f"{latencies['shared memory']:.0f} cycles for shared memory to {latencies['memory']:.0f} for the memory.",
    )
    multiprocessors(canvas, device["multiprocessors"])
    canvas.rect(LEFT, 92, WIDE, 258, stroke="blue", radius=6, thick=1.5)
    canvas.text(LEFT + 12, 114, f"one SM, with up to {warps} warps", SMALL, bold=True, colour="blue")
    for i in range(SCHEDULERS):
        scheduler(canvas, LEFT + 12 + i * 72, 126, registers // SCHEDULERS)
    parts.box(canvas, LEFT + 12, 282, WIDE - 24, 54, ["L1 cache and shared memory", f"{L1_KB} KB in each SM"], "green")
    l2, memory = device["l2_bytes"] / 2**20, device["memory_bytes"] / 2**30
    canvas.arrow((LEFT + WIDE / 2, 354), (LEFT + WIDE / 2, 380))
    parts.box(canvas, LEFT, 384, WIDE, 60, ["L2 cache", f"{l2:.0f} MB, shared by all SMs"], "yellow")
    canvas.arrow((LEFT + WIDE / 2, 448), (LEFT + WIDE / 2, 474))
    parts.box(canvas, LEFT, 478, WIDE, 60, ["memory (DRAM)", f"{memory:.0f} GB"], "orange")
    bars(canvas, latencies, found["bandwidths"])
    clock = device["mhz"] / 1000
    when = f"{device['name']} at {clock:.2f} GHz, measured {found['recorded']['date']}"
    canvas.note(LEFT, 564, when)
    canvas.note(LEFT, 582, "latency: loads of one thread, each needs the one before; rate: loads of all threads")
    return canvas


def multiprocessors(canvas, count):
    """One small square each, the first one filled: it is drawn large below."""
    across = 66
    canvas.text(LEFT, 26, f"{count} streaming multiprocessors (SMs)", bold=True)
    boxes = [(LEFT + i % across * 9, 40 + i // across * 10, 7, 7) for i in range(count)]
    canvas.rects(boxes[1:], tint="blue", stroke="muted")
    canvas.rects(boxes[:1], fill="blue")
    canvas.lines([((LEFT, 60), (LEFT, 92)), ((LEFT + 7, 48), (LEFT + WIDE, 92))], colour="blue")


def scheduler(canvas, x, y, registers):
    canvas.rect(x, y, 66, 144, tint="blue", stroke="muted", radius=4)
    for i, text in enumerate(("warp", "scheduler")):
        canvas.text(x + 33, y + 18 + 16 * i, text, 12, anchor="middle")
    canvas.rect(x + 4, y + 44, 58, 38, tint="purple", stroke="purple")
    canvas.note(x + 33, y + 59, f"{registers * 4 // 1024} KB", anchor="middle", colour="ink")
    canvas.text(x + 33, y + 75, "registers", 12, anchor="middle")
    canvas.rect(x + 4, y + 86, 58, 54, tint="muted", stroke="muted")
    for i, text in enumerate(("32 lanes,", "1 tensor", "core")):
        canvas.text(x + 33, y + 101 + 16 * i, text, 12, anchor="middle")


def bars(canvas, latencies, bandwidths):
    canvas.text(BAR, 114, "latency, to scale; rate of all SMs", SMALL, bold=True)
    rows = (
        ("registers", "a dependent multiply-add", 166, "purple"),
        ("shared memory", "shared memory", 272, "green"),
        ("L1", "L1", 320, "green"),
        ("L2", "L2", 410, "yellow"),
        ("memory", "memory", 504, "orange"),
    )
    for level, name, y, colour in rows:
        cycles = latencies[level]
        canvas.rect(BAR, y, max(cycles / latencies["memory"] * LONGEST, 1.5), 14, fill=colour, radius=0)
        rate = f", {style.significant(bandwidths[level] / 1000)} TB/s" if level in bandwidths else ""
        canvas.note(BAR, y - 7, f"{name}: {cycles:.0f} cycles{rate}", colour="ink")
