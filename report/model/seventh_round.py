"""The kernels of the seventh blind validation: one task of no lab, and further constants and sizes of seen kernels.

Writes the same as variants.py:  python3 seventh_round.py FOLDER
measure_round.py times them on a GPU.
"""

import itertools

import variants
from fourth_round import with_constants
from third_round import KERNELS, constant, variant
from variants import text

PRODUCTS = ["900x480x1100", "1500x300x1300", "320x2500x320"]
MATRICES = ["2300x3300", "600x12000"]
PLANES = ["1250x1650x3x3x1", "1000x2000x5x5x1"]


def product(lab, name, source="kernel.cu", launcher="matmul", more=(), **values):
    return with_constants(lab, launcher, PRODUCTS, source, name, more, **values)


def products():
    lab = "13_matmul_work_per_thread"
    for side, outputs, depth in ((8, 7, 8), (16, 4, 20), (20, 3, 16), (12, 8, 16), (24, 3, 8)):
        yield product(lab, "own", side=side, outputs=outputs, depth=depth)
    for outputs, depth in ((2, 32), (4, 24)):
        yield product(lab, "prefetched", f"{KERNELS}/matmul_prefetched.cu", outputs=outputs, depth=depth)
    for block_size, outputs, depth in ((160, 6, 16), (64, 8, 24)):
        values = {"block_size": block_size, "outputs": outputs, "depth": depth}
        yield product(lab, "strips", f"{KERNELS}/matmul_column_strips.cu", **values)
    for high, depth in ((3, 16), (5, 24)):
        yield product(lab, "pairs", f"{KERNELS}/matmul_neighbor_pairs.cu", high=high, depth=depth)
    lab = "15_matmul_register_tiled"
    for side, depth, high, wide in ((16, 16, 2, 3), (16, 8, 4, 2), (8, 32, 3, 2), (16, 32, 1, 3)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield product(lab, f"patches{high}x{wide}", more=edits, side=side, depth=depth)
    for tile in (11, 27):
        yield product("07_matmul_tiled", "own", tile=tile)
    for lanes, warps in ((64, 3), (32, 9)):
        yield product("05_matmul_naive", "own", lanes=lanes, warps=warps)
    for outputs in (5, 7):
        yield product("05_matmul_naive", "four_columns", f"{KERNELS}/matmul_four_columns.cu", outputs=outputs)


def new_task():
    lab = "52_column_sums"
    for block_size in (64, 256):
        yield with_constants(lab, "column_sums", MATRICES, "kernel.cu", "thread_a_column", block_size=block_size)
    for wide, high in ((32, 8), (32, 24), (64, 4)):
        yield with_constants(lab, "column_sums", MATRICES, "block_of_columns.cu", "block", wide=wide, high=high)


def tasks():
    lab = "50_longest_paths"
    for tile in (10, 20):
        yield with_constants(lab, "longest_paths", PRODUCTS, "kernel.cu", "tiled", tile=tile)
    for high, wide, depth in ((4, 2, 16), (2, 8, 8), (6, 4, 16)):
        values = {"high": high, "wide": wide, "depth": depth}
        yield with_constants(lab, "longest_paths", PRODUCTS, "registers.cu", "registers", **values)
    lab = "51_outer_products"
    for wide, high in ((64, 6), (32, 20)):
        yield with_constants(lab, "outer_products", MATRICES, "kernel.cu", "one", wide=wide, high=high)
    for block_size, down in ((128, 5), (96, 12), (256, 24)):
        values = {"block_size": block_size, "down": down}
        yield with_constants(lab, "outer_products", MATRICES, "several_rows.cu", "several", **values)
    for points in (5, 6):
        yield with_constants("48_potential", "potential", ["10000", "36000"], "several.cu", "several", points=points)
    for threads, outputs in ((160, 3), (64, 4)):
        values = {"block_size": threads, "outputs": outputs}
        yield with_constants("49_windows", "windows", MATRICES, "shared.cu", "several", **values)


def others():
    for threads in (288, 736):
        edits = [constant("block_size", threads)]
        yield variant("10_grid_stride", "multiply", ["2700000", "11000000"], f"block{threads}", edits)
    for tile, rows in ((26, 13), (32, 1)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        for source in ("02_transpose_naive", "04_transpose_padded"):
            yield variant(source, "transpose", ["2100x3300"], f"tile{tile}_rows{rows}", edits)
        yield variant("09_convolution", "convolve", PLANES, f"tile{tile}_rows{rows}", edits)
    for warps in (6, 10):
        yield with_constants("41_row_sums", "row_sums", MATRICES, "kernel.cu", "warp_a_row", warps=warps)
        yield with_constants("43_softmax", "softmax", MATRICES, "kernel.cu", "warp_a_row", warps=warps)


def all_variants():
    return list(itertools.chain(products(), new_task(), tasks(), others()))


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
