"""The kernels of the fourth blind validation: five tasks of no lab (tasks/), and further constants of the labs.

Writes the same as variants.py:  python3 fourth_round.py FOLDER
None of these kernels and sizes is in an earlier round; the tasks were never used in development. Rows of one kernel do
not follow each other, so that Nsight Compute's launches can be told apart.
"""

import itertools

import variants
from third_round import constant, variant
from variants import among, text

TRANSPOSES = ["2700x3100", "5000x1800", "1900x2100"]
PRODUCTS = ["640x700x520", "1024x768x1200", "500x1500x500"]
MATRICES = ["3000x2000", "20000x700", "900x9000"]


def with_constants(lab, launcher, sizes, source, name, more=(), **values):
    """A kernel with other constants, of which some are declared together, and with `more` edits."""
    edits = [among("constexpr int", what, value) for what, value in values.items()]
    word = "_".join([name, *(f"{what}{value}" for what, value in values.items())])
    return variant(lab, launcher, sizes, word, [*edits, *more], source)


def tasks():
    lab = "41_row_sums"
    for warps in (2, 8, 16):
        yield with_constants(lab, "row_sums", MATRICES, "kernel.cu", "warp_a_row", warps=warps)
    for threads in (64, 256):
        yield with_constants(lab, "row_sums", MATRICES, "thread_a_row.cu", "thread_a_row", block_size=threads)
        yield with_constants(lab, "row_sums", MATRICES, "block_a_row.cu", "block_a_row", block_size=threads)
    lab, planes = "42_stencil", ["3000x2000", "1100x6000", "2500x700"]
    for wide, high in ((32, 8), (64, 4), (16, 16)):
        yield with_constants(lab, "stencil", planes, "kernel.cu", "direct", wide=wide, high=high)
        yield with_constants(lab, "stencil", planes, "shared.cu", "shared", wide=wide, high=high)
    for down in (4, 32):
        yield with_constants(lab, "stencil", planes, "column_down.cu", "column_down", down=down)
    lab = "43_softmax"
    for warps in (1, 4, 8):
        yield with_constants(lab, "softmax", MATRICES, "kernel.cu", "warp_a_row", warps=warps)
    for threads in (64, 256):
        yield with_constants(lab, "softmax", MATRICES, "block_a_row.cu", "block_a_row", block_size=threads)
    lab, degrees = "44_polynomial", ["3000000x40", "1000000x400", "7000000x9"]
    for threads in (64, 256, 1024):
        yield with_constants(lab, "polynomial", degrees, "kernel.cu", "one", block_size=threads)
    for elements in (2, 8):
        yield with_constants(lab, "polynomial", degrees, "four_elements.cu", "several", elements=elements)
    lab, counts = "45_gather", ["1000000", "9000000", "3000000"]
    for threads in (64, 256):
        yield with_constants(lab, "gather", counts, "kernel.cu", "one", block_size=threads)
    for elements in (4, 8):
        yield with_constants(lab, "gather", counts, "in_order.cu", "several", elements=elements)


def simple():
    for threads in (224, 448, 576):
        edits = [constant("block_size", threads)]
        yield variant("01_vector_add", "vector_add", ["3300000", "24000000"], f"block{threads}", edits)
        yield variant("10_grid_stride", "multiply", ["3500000", "18000000"], f"block{threads}", edits)
    for threads in (160, 320, 896):
        edits = [constant("block_size", threads)]
        sizes = ["3000000x200", "9000000x1000"]
        yield variant("11_atomics_histogram", "histogram", sizes, f"block{threads}", edits)
    for blocks, threads in ((200, 256), (1000, 128)):
        yield variant("10_grid_stride", "increment_with", [f"9000000x{blocks}x{threads}"], "solution")
    for rows in (6, 20):
        yield variant("14_mlp_forward", "forward", ["600", "2000"], f"rows{rows}", [constant("block_rows", rows)])


def transposes():
    for lab, launcher in (
        ("02_transpose_naive", "transpose"),
        ("02_transpose_naive", "transpose_coalesced_stores"),
        ("03_transpose_shared", "transpose"),
        ("04_transpose_padded", "transpose"),
    ):
        for tile, rows in ((24, 12), (20, 5), (28, 14)):
            edits = [constant("tile", tile), constant("block_rows", rows)]
            yield variant(lab, launcher, TRANSPOSES, f"tile{tile}_rows{rows}", edits)


def products():
    naive, tiled, work = "05_matmul_naive", "07_matmul_tiled", "13_matmul_work_per_thread"
    for lanes, warps in ((96, 2), (48, 4), (32, 6)):
        edits = [constant("lanes", lanes), constant("warps", warps)]
        yield variant(naive, "matmul", PRODUCTS, f"lanes{lanes}_warps{warps}", edits)
    yield variant(naive, "matmul_uncoalesced", PRODUCTS[:1], "lanes32_warps6", edits)
    for tile in (14, 18, 30):
        yield variant(tiled, "matmul", PRODUCTS, f"tile{tile}", [constant("tile", tile)])
    for tile in (12, 20):
        padded = [constant("tile", tile)]
        padded += [text(f"{matrix}_tile[tile][tile];", f"{matrix}_tile[tile][tile + 1];") for matrix in "ab"]
        yield variant(tiled, "matmul", PRODUCTS, f"tile{tile}_padded", padded)
    for side, outputs, depth in ((16, 4, 12), (8, 4, 32), (32, 2, 8), (16, 3, 8)):
        edits = [constant("side", side), constant("outputs", outputs), constant("depth", depth)]
        yield variant(work, "matmul", PRODUCTS, f"side{side}_outputs{outputs}_depth{depth}", edits)
    lab = "15_matmul_register_tiled"
    for high, wide in ((2, 1), (1, 2)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield variant(lab, "matmul", PRODUCTS, f"patches{high}x{wide}", edits)
    yield variant(lab, "matmul_vectors", PRODUCTS, "depth32", [constant("depth", 32)])


def others():
    for warps in (5, 10, 20):
        edits = [among("constexpr int lanes = 32", "warps", warps)]
        yield variant("08_matvec_ata", "matrix_vector", ["3333x3000", "1500x7000"], f"warps{warps}", edits)
    lab = "09_convolution"
    for line in (96, 448):
        yield variant(lab, "convolve_line", ["2500000x13", "5000000x27"], f"line{line}", [constant("line", line)])
    planes = ["1300x1700x3x3x1", "1100x1900x5x5x1", "1800x1300x6x6x2"]
    for tile, rows in ((20, 5), (28, 14)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        yield variant(lab, "convolve", planes, f"tile{tile}_rows{rows}", edits)


def all_variants():
    return list(itertools.chain(tasks(), simple(), transposes(), products(), others()))


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
