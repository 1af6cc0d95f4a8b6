"""The kernels of the sixth blind validation: two tasks of no lab, and further constants and sizes of seen kernels.

Writes the same as variants.py:  python3 sixth_round.py FOLDER
"""

import itertools

import variants
from fourth_round import with_constants
from third_round import KERNELS, constant, variant
from variants import text

PRODUCTS = ["800x640x960", "1200x400x1700", "256x3000x256"]
MATRICES = ["2500x3000", "700x11000"]


def product(lab, name, source="kernel.cu", launcher="matmul", more=(), **values):
    return with_constants(lab, launcher, PRODUCTS, source, name, more, **values)


def products():
    lab = "13_matmul_work_per_thread"
    for side, outputs, depth in ((8, 5, 16), (16, 6, 16), (20, 2, 20), (16, 3, 32), (12, 6, 12)):
        yield product(lab, "own", side=side, outputs=outputs, depth=depth)
    for outputs, depth in ((3, 16), (5, 16)):
        yield product(lab, "prefetched", f"{KERNELS}/matmul_prefetched.cu", outputs=outputs, depth=depth)
    for block_size, outputs, depth in ((128, 4, 16), (96, 12, 8)):
        values = {"block_size": block_size, "outputs": outputs, "depth": depth}
        yield product(lab, "strips", f"{KERNELS}/matmul_column_strips.cu", **values)
    for high, depth in ((6, 16), (4, 32)):
        yield product(lab, "pairs", f"{KERNELS}/matmul_neighbor_pairs.cu", high=high, depth=depth)
    lab = "15_matmul_register_tiled"
    for side, depth, high, wide in ((16, 16, 3, 1), (16, 16, 2, 5), (8, 16, 1, 2), (8, 8, 3, 3), (16, 32, 1, 2)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield product(lab, f"patches{high}x{wide}", more=edits, side=side, depth=depth)
    yield product(lab, "vectors", launcher="matmul_vectors", side=8, depth=24)
    for tile in (15, 29):
        yield product("07_matmul_tiled", "own", tile=tile)
    for lanes, warps in ((32, 12), (80, 4)):
        yield product("05_matmul_naive", "own", lanes=lanes, warps=warps)
    for outputs in (3, 6):
        yield product("05_matmul_naive", "four_columns", f"{KERNELS}/matmul_four_columns.cu", outputs=outputs)


def tasks():
    lab = "50_longest_paths"
    for tile in (12, 16, 32):
        yield with_constants(lab, "longest_paths", PRODUCTS, "kernel.cu", "tiled", tile=tile)
    for high, wide, depth in ((4, 4, 16), (2, 4, 16), (6, 2, 8), (8, 8, 8), (1, 4, 32)):
        values = {"high": high, "wide": wide, "depth": depth}
        yield with_constants(lab, "longest_paths", PRODUCTS, "registers.cu", "registers", **values)
    lab = "51_outer_products"
    for wide, high in ((32, 8), (128, 1), (16, 16)):
        yield with_constants(lab, "outer_products", MATRICES, "kernel.cu", "one", wide=wide, high=high)
    for block_size, down in ((128, 8), (64, 3), (256, 16)):
        values = {"block_size": block_size, "down": down}
        yield with_constants(lab, "outer_products", MATRICES, "several_rows.cu", "several", **values)


def others():
    lab = "49_windows"
    for threads, outputs in ((128, 2), (96, 5)):
        values = {"block_size": threads, "outputs": outputs}
        yield with_constants(lab, "windows", MATRICES, "shared.cu", "several", **values)
    for points in (3, 8):
        yield with_constants("48_potential", "potential", ["9000", "30000"], "several.cu", "several", points=points)
    for threads in (96, 352):
        edits = [constant("block_size", threads)]
        yield variant("10_grid_stride", "multiply", ["2500000", "9000000"], f"block{threads}", edits)
    for tile, rows in ((32, 8), (22, 11)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        for source in ("02_transpose_naive", "04_transpose_padded"):
            yield variant(source, "transpose", ["2300x2900"], f"tile{tile}_rows{rows}", edits)
    for warps in (3, 12):
        yield with_constants("41_row_sums", "row_sums", MATRICES, "kernel.cu", "warp_a_row", warps=warps)
        yield with_constants("43_softmax", "softmax", MATRICES, "kernel.cu", "warp_a_row", warps=warps)


def all_variants():
    return list(itertools.chain(products(), tasks(), others()))


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
