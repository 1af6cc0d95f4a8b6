"""The kernels of the third blind validation: six kernels of no lab, further right mutants, and further constants.

Writes the same as variants.py:  python3 third_round.py FOLDER
None of these kernels and sizes is in an earlier round.
"""

import itertools

import variants
from second_round import FASTER, MUTANTS, patched
from variants import among, constant, text, variant

TRANSPOSES = ["1500x2500", "3600x2048"]
PRODUCTS = ["448x896x576", "900x900x900", "1280x1100x800"]
VECTORS = ["2500000", "16000000"]
KERNELS = "../../report/model/kernels"


def new(lab, launcher, sizes, name, edits=()):
    word = "_".join([name, *(f"{what}{value}" for what, value in edits)])
    changes = [constant(what, value) for what, value in edits]
    return variant(lab, launcher, sizes, word, changes, f"{KERNELS}/{name}.cu")


def new_kernels():
    for edits in ((), (("block_size", 64),), (("block_size", 256),)):
        yield new("08_matvec_ata", "matrix_vector", ["3000x2000", "1024x6000"], "matrix_vector_blocks", edits)
    for edits in ((), (("outputs", 2),), (("outputs", 8),), (("warps", 4), ("outputs", 4))):
        yield new("05_matmul_naive", "matmul", PRODUCTS, "matmul_four_columns", edits)
    for edits in ((), (("warps", 1),), (("warps", 4),)):
        yield new("04_transpose_padded", "transpose", TRANSPOSES, "transpose_strips", edits)
    for edits in ((), (("outputs", 2),), (("outputs", 8),)):
        yield new("09_convolution", "convolve_line", ["2000000x9", "4000000x25"], "line_of_four", edits)
    for edits in ((), (("samples", 8),), (("block_size", 512),)):
        yield new("11_atomics_histogram", "histogram", ["2000000x100", "6000000x800"], "histogram_stripes", edits)
    for edits in ((), (("blocks", 132),), (("blocks", 1056),), (("block_size", 512),)):
        yield new("10_grid_stride", "multiply", ["4000000", "14000000"], "multiply_fixed_grid", edits)


def vector_additions():
    lab = "01_vector_add"
    for threads in (160, 320, 384, 640, 896):
        yield variant(lab, "vector_add", VECTORS, f"block{threads}", [constant("block_size", threads)])
    yield variant(lab, "vector_add", VECTORS, "solution")


def transposes():
    two = ("transpose", "transpose_coalesced_stores")
    tiles = ((12, 6), (16, 2), (20, 10), (28, 7))
    for lab, launchers in (
        ("02_transpose_naive", two),
        ("03_transpose_shared", two[:1]),
        ("04_transpose_padded", two[:1]),
    ):
        for launcher, (tile, rows) in itertools.product(launchers, tiles):
            edits = [constant("tile", tile), constant("block_rows", rows)]
            yield variant(lab, launcher, TRANSPOSES, f"tile{tile}_rows{rows}", edits)
    for width in (37, 38, 44):
        yield variant("04_transpose_padded", "transpose", TRANSPOSES, f"width{width}", [constant("width", width)])


def products():
    naive, tiled, work = "05_matmul_naive", "07_matmul_tiled", "13_matmul_work_per_thread"
    for lanes, warps in ((16, 8), (64, 8), (64, 2)):
        edits = [constant("lanes", lanes), constant("warps", warps)]
        yield variant(naive, "matmul", PRODUCTS, f"lanes{lanes}_warps{warps}", edits)
        yield variant(naive, "matmul_uncoalesced", PRODUCTS[:2], f"lanes{lanes}_warps{warps}", edits)
    for tile in (10, 20, 28):
        yield variant(tiled, "matmul", PRODUCTS, f"tile{tile}", [constant("tile", tile)])
    for tile in (8, 24):
        padded = [
            constant("tile", tile),
            text("a_tile[tile][tile];", "a_tile[tile][tile + 1];"),
            text("b_tile[tile][tile];", "b_tile[tile][tile + 1];"),
        ]
        yield variant(tiled, "matmul", PRODUCTS, f"tile{tile}_padded", padded)
    for side, outputs, depth in ((16, 2, 8), (8, 2, 16), (16, 8, 8), (8, 8, 8), (16, 5, 16)):
        edits = [constant("side", side), constant("outputs", outputs), constant("depth", depth)]
        yield variant(work, "matmul", PRODUCTS, f"side{side}_outputs{outputs}_depth{depth}", edits)
    lab = "15_matmul_register_tiled"
    for high, wide in ((1, 1), (1, 3), (3, 2)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield variant(lab, "matmul", PRODUCTS, f"patches{high}x{wide}", edits)
    yield variant(lab, "matmul_vectors", PRODUCTS, "depth8", [constant("depth", 8)])


def matrix_vectors():
    lab, sizes = "08_matvec_ata", ["2500x2500", "6000x1024"]
    for launcher, warps in itertools.product(("ata_vector", "matrix_vector", "transpose_vector"), (3, 6, 12)):
        edits = [among("constexpr int lanes = 32", "warps", warps)]
        yield variant(lab, launcher, sizes, f"warps{warps}", edits)


def convolutions():
    lab, lines = "09_convolution", ["2000000x11", "4000000x21"]
    for line in (160, 320, 768):
        yield variant(lab, "convolve_line", lines, f"line{line}", [constant("line", line)])
    yield patched(lab, "convolve_line", lines, MUTANTS, "line_halo_by_two_threads")
    planes = ["1200x1600x3x3x1", "1400x1400x7x7x1", "2048x1500x5x5x2"]
    for tile, rows in ((12, 6), (16, 2), (20, 10), (28, 7)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        yield variant(lab, "convolve", planes, f"tile{tile}_rows{rows}", edits)


def others():
    for blocks, threads in itertools.product((99, 396, 792), (192, 384)):
        yield variant("10_grid_stride", "increment_with", [f"12000000x{blocks}x{threads}"], "solution")
    for threads in (96, 160, 640):
        yield variant("10_grid_stride", "multiply", VECTORS, f"block{threads}", [constant("block_size", threads)])
    for threads in (96, 384, 640):
        edits = [constant("block_size", threads)]
        yield variant("11_atomics_histogram", "histogram", ["2000000x100", "6000000x800"], f"block{threads}", edits)
    yield patched("11_atomics_histogram", "histogram", ["2000000x100", "6000000x800"], MUTANTS, "one_sample_a_thread")
    for rows in (4, 12, 24):
        yield variant("14_mlp_forward", "forward", ["384", "1500"], f"rows{rows}", [constant("block_rows", rows)])
    yield variant("14_mlp_forward", "forward_tiled", ["384", "1500"], "small20", [constant("small", 20)])
    yield patched("04_transpose_padded", "transpose", TRANSPOSES, FASTER, "padded_by_2")


def all_variants():
    groups = (new_kernels, vector_additions, transposes, products, matrix_vectors, convolutions, others)
    return [one for group in groups for one in group()]


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
