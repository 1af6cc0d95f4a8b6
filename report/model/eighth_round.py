"""The kernels of the eighth blind validation: one task of no lab, and further constants and sizes of seen kernels.

Writes the same as variants.py:  python3 eighth_round.py FOLDER
measure_round.py times them on a GPU.
"""

import itertools

import variants
from fourth_round import with_constants
from third_round import KERNELS, constant, variant
from variants import text

PRODUCTS = ["700x600x1200", "1300x360x1000", "288x2000x352"]
MATRICES = ["2200x3100", "500x13000"]
PLANES = ["1300x1500x3x3x1", "900x2100x5x5x1"]


def product(lab, name, source="kernel.cu", launcher="matmul", more=(), **values):
    return with_constants(lab, launcher, PRODUCTS, source, name, more, **values)


def products():
    lab = "13_matmul_work_per_thread"
    for side, outputs, depth in ((16, 3, 24), (8, 4, 24), (20, 4, 10), (12, 5, 24)):
        yield product(lab, "own", side=side, outputs=outputs, depth=depth)
    for outputs, depth in ((3, 32), (4, 12), (6, 16)):
        yield product(lab, "prefetched", f"{KERNELS}/matmul_prefetched.cu", outputs=outputs, depth=depth)
    for block_size, outputs, depth in ((128, 4, 32), (192, 10, 8)):
        values = {"block_size": block_size, "outputs": outputs, "depth": depth}
        yield product(lab, "strips", f"{KERNELS}/matmul_column_strips.cu", **values)
    yield product(lab, "pairs", f"{KERNELS}/matmul_neighbor_pairs.cu", high=6, depth=8)
    lab = "15_matmul_register_tiled"
    for side, depth, high, wide in ((16, 16, 1, 5), (16, 32, 2, 1), (8, 8, 2, 2)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield product(lab, f"patches{high}x{wide}", more=edits, side=side, depth=depth)
    for tile in (13, 22):
        yield product("07_matmul_tiled", "own", tile=tile)
    yield product("05_matmul_naive", "own", lanes=32, warps=5)
    yield product("05_matmul_naive", "four_columns", f"{KERNELS}/matmul_four_columns.cu", outputs=3)


def new_task():
    lab, counts = "53_nearest", ["20000x9000", "60000x3000"]
    for threads in (96, 512):
        yield with_constants(lab, "nearest", counts, "kernel.cu", "one", block_size=threads)
    for threads, points in ((128, 2), (64, 4), (256, 6)):
        values = {"block_size": threads, "points": points}
        yield with_constants(lab, "nearest", counts, "shared.cu", "several", **values)


def tasks():
    lab = "50_longest_paths"
    yield with_constants(lab, "longest_paths", PRODUCTS, "kernel.cu", "tiled", tile=24)
    for high, wide, depth in ((3, 4, 16), (5, 2, 24)):
        values = {"high": high, "wide": wide, "depth": depth}
        yield with_constants(lab, "longest_paths", PRODUCTS, "registers.cu", "registers", **values)
    for wide, high in ((64, 3), (32, 12)):
        yield with_constants("42_stencil", "stencil", MATRICES, "kernel.cu", "direct", wide=wide, high=high)
        yield with_constants("42_stencil", "stencil", MATRICES, "shared.cu", "shared", wide=wide, high=high)
    yield with_constants("44_polynomial", "polynomial", ["2000000x60"], "kernel.cu", "one", block_size=192)
    yield with_constants("44_polynomial", "polynomial", ["2000000x60"], "four_elements.cu", "several", elements=6)
    for threads, points in ((128, 7), (96, 3), (192, 2)):
        values = {"block_size": threads, "points": points}
        yield with_constants("48_potential", "potential", ["11000", "32000"], "several.cu", "several", **values)
    for block_size, down in ((192, 6), (64, 20)):
        values = {"block_size": block_size, "down": down}
        yield with_constants("51_outer_products", "outer_products", MATRICES, "several_rows.cu", "several", **values)
    for wide, high in ((32, 16), (128, 4)):
        values = {"wide": wide, "high": high}
        yield with_constants("52_column_sums", "column_sums", MATRICES, "block_of_columns.cu", "block", **values)
    yield with_constants("52_column_sums", "column_sums", MATRICES, "kernel.cu", "thread_a_column", block_size=96)


def others():
    for threads in (224, 416):
        edits = [constant("block_size", threads)]
        yield variant("10_grid_stride", "multiply", ["2900000", "12000000"], f"block{threads}", edits)
    for tile, rows in ((18, 9), (24, 4)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        for source in ("02_transpose_naive", "03_transpose_shared", "04_transpose_padded"):
            yield variant(source, "transpose", ["2200x3500"], f"tile{tile}_rows{rows}", edits)
        yield variant("09_convolution", "convolve", PLANES, f"tile{tile}_rows{rows}", edits)
    for warps in (5, 12):
        yield with_constants("41_row_sums", "row_sums", MATRICES, "kernel.cu", "warp_a_row", warps=warps)
    yield with_constants("43_softmax", "softmax", MATRICES, "kernel.cu", "warp_a_row", warps=7)
    yield with_constants("43_softmax", "softmax", MATRICES, "block_a_row.cu", "block_a_row", block_size=512)


def all_variants():
    return list(itertools.chain(products(), new_task(), tasks(), others()))


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
