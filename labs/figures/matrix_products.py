"""The matrix products of labs 05 to 17: the recorded rate of each step, and what limits it."""

import math

import style
from data import source_labels
from lessons import records
from lessons.canvas import SMALL, Canvas

SIZE = "4096x4096x4096"
LEFT, RIGHT = 172, 448
FLOAT = ("05", "07", "13", "15")
NAMES = {
    "05": "naive",
    "07": "tiled",
    "13": "4 x 4 results",
    "15": "register tiles",
    "16": "tensor cores",
    "17": "TMA, wgmma",
}
# What the lessons count in the inner loop, for steps that were not profiled.
COUNTED = {
    "05": "2 loads from L1 for each multiply-add",
    "07": "2 loads from shared memory for each multiply-add",
    "13": "8 loads from shared memory for 16 multiply-adds",
}
ROW = 52


def draw():
    groups = (
        ("float", "blue", [(lab, row(lab, "matmul")) for lab in FLOAT], "cublas_sgemm"),
        (
            "bfloat16 on tensor cores",
            "orange",
            [(lab, row(lab, "matmul_bf16")) for lab in ("16", "17")],
            "cublas_gemm_ex",
        ),
    )
    first = groups[0][2][0][1]
    canvas = Canvas(
        552,
        f"Matrix products of {SIZE.replace('x', ' x ')} on an {first.source.device}, one bar for each lab from 05 to "
        "17 and for cuBLAS. The rate grows with each step; below each bar stands what limits it.",
    )
    y = 58
    for title, colour, rows, library in groups:
        canvas.text(24, y - 26, title, bold=True, colour=colour)
        canvas.note(616, y - 26, "time, rate", anchor="end")
        for lab, found in rows:
            bar(canvas, y, f"{lab} {NAMES[lab]}", found.kernel.median, colour, True)
            canvas.note(LEFT, y + 29, limiter(lab, found))
            y += ROW
        bar(canvas, y, "cuBLAS", records.peer_ms(rows[-1][1], library), colour, False)
        y += ROW + 26
    device, size = first.source.device, SIZE.replace("x", " x ")
    days = source_labels.days([found for _, _, rows, _ in groups for _, found in rows])
    canvas.note(24, 518, f"{device}, {size}, recorded {days}; rate on a log scale")
    canvas.note(24, 536, f"busiest unit: by Nsight Compute, at {records.profiled_size('17', 'matmul_bf16')}")
    return canvas


def row(lab, launcher):
    return records.timed(lab, launcher, SIZE)


def limiter(lab, found):
    return records.busiest(lab, found.launcher) or COUNTED[lab]


def bar(canvas, y, name, ms, colour, solid):
    rate = 2 * math.prod(map(int, SIZE.split("x"))) / ms / 1e9  # TFLOP/s
    low, high = 3, 900
    width = (RIGHT - LEFT) * math.log(rate / low) / math.log(high / low)
    canvas.text(24, y + 12, name, SMALL, bold=solid)
    canvas.rect(LEFT, y, width, 14, **({"fill": colour} if solid else {"tint": colour, "stroke": colour}))
    canvas.note(616, y + 12, f"{style.milliseconds(ms)}, {style.significant(rate)} TFLOP/s", anchor="end", colour="ink")
