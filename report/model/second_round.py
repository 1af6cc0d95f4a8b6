"""The kernels of the second blind validation: right mutants, simple peers, and the solutions with further constants.

Writes the same as variants.py:  python3 second_round.py FOLDER
None of these kernels and sizes is in the first round.
"""

import itertools

import variants
from variants import among, constant, text, variant

TRANSPOSES = ["1024x3000", "3001x2222"]
PRODUCTS = ["384x768x640", "800x800x800", "1500x700x1100"]
VECTORS = ["1000000", "12000000"]
MUTANTS = "../../tests/mutants"
FASTER = "../../tests/labs/faster"


def patched(lab, launcher, sizes, folder, name):
    return {**variant(lab, launcher, sizes, name), "patch": f"{folder}/{lab}/{name}.patch"}


def vector_additions():
    lab = "01_vector_add"
    for threads in (96, 192, 256, 768):
        yield variant(lab, "vector_add", VECTORS, f"block{threads}", [constant("block_size", threads)])
    for threads, batch in itertools.product((64, 1024), (2, 4)):
        edits = [constant("block_size", threads), constant("batch", batch)]
        yield variant(
            lab,
            "vector_add",
            VECTORS,
            f"encore_block{threads}_batch{batch}",
            edits,
            "../../report/model/vector_add_batches.cu",
        )
    for name in ("elements_in_a_row", "elements_twice", "grid_too_large"):
        yield patched(lab, "vector_add", VECTORS, MUTANTS, name)
    yield variant(lab, "vector_add", VECTORS, "one_vector", source="peers/one_vector.cu")


def transposes():
    two = ("transpose", "transpose_coalesced_stores")
    for lab, launchers in (
        ("02_transpose_naive", two),
        ("03_transpose_shared", two[:1]),
        ("04_transpose_padded", two[:1]),
    ):
        for launcher, (tile, rows) in itertools.product(launchers, ((8, 8), (16, 8), (32, 8), (24, 6))):
            name = f"tile{tile}_rows{rows}"
            yield variant(lab, launcher, TRANSPOSES, name, [constant("tile", tile), constant("block_rows", rows)])
    for name in ("grid_too_large", "stores_not_coalesced"):
        yield patched("02_transpose_naive", "transpose", TRANSPOSES, MUTANTS, name)
    for name in ("both_scattered", "loads_scattered"):
        yield patched("02_transpose_naive", "transpose", TRANSPOSES, FASTER, name)
    yield patched("03_transpose_shared", "transpose", TRANSPOSES, MUTANTS, "stores_scattered")
    for width in (33, 35, 42):
        yield variant("04_transpose_padded", "transpose", TRANSPOSES, f"width{width}", [constant("width", width)])
    for name in ("padded_by_16", "unpadded"):
        yield patched("04_transpose_padded", "transpose", TRANSPOSES, MUTANTS, name)


def products():
    naive = "05_matmul_naive"
    for lanes, warps in ((8, 32), (32, 1), (32, 8), (128, 2)):
        edits = [constant("lanes", lanes), constant("warps", warps)]
        yield variant(naive, "matmul", PRODUCTS, f"lanes{lanes}_warps{warps}", edits)
        yield variant(naive, "matmul_uncoalesced", PRODUCTS[:1], f"lanes{lanes}_warps{warps}", edits)
    for name in ("lanes_down_the_rows", "stage_1_mapping"):
        yield patched(naive, "matmul", PRODUCTS[:1], MUTANTS, name)
    yield variant("06_matmul_single_block", "matmul", ["16x16x16", "32x192x32"], "solution")
    yield patched("06_matmul_single_block", "matmul", ["32x192x32"], MUTANTS, "copies_and_forgets")
    tiled = "07_matmul_tiled"
    for tile in (4, 12, 24, 32):
        yield variant(tiled, "matmul", PRODUCTS, f"tile{tile}", [constant("tile", tile)])
    for name in ("bank_conflicts", "stages_only_a"):
        yield patched(tiled, "matmul", PRODUCTS, MUTANTS, name)
    loop = "    for (int k = 0; k < tile; ++k) sum"
    yield variant(tiled, "matmul", PRODUCTS, "unrolled_by_2", [text(loop, f"#pragma unroll 2\n{loop}")])
    work = "13_matmul_work_per_thread"
    for side, outputs, depth in ((16, 3, 16), (16, 4, 16), (8, 4, 8), (16, 6, 8), (32, 1, 32)):
        edits = [constant("side", side), constant("outputs", outputs), constant("depth", depth)]
        yield variant(work, "matmul", PRODUCTS, f"side{side}_outputs{outputs}_depth{depth}", edits)
    yield patched(work, "matmul", PRODUCTS, MUTANTS, "one_element_a_thread")
    yield patched(work, "matmul", PRODUCTS, FASTER, "neighbouring_outputs")


def register_tiles():
    lab = "15_matmul_register_tiled"
    for launcher in ("matmul", "matmul_vectors", "matmul_double_buffered"):
        yield variant(lab, launcher, PRODUCTS, "solution")
        yield patched(lab, launcher, PRODUCTS, MUTANTS, "scalar_loads")
    for high, wide in ((1, 2), (2, 2), (2, 3)):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield variant(lab, "matmul", PRODUCTS, f"patches{high}x{wide}", edits)
    yield variant(lab, "matmul", PRODUCTS, "depth8", [constant("depth", 8)])


def matrix_vectors():
    lab, sizes = "08_matvec_ata", ["2048x2048", "5000x1500"]
    launchers = ("ata_vector", "matrix_vector", "transpose_vector")
    for launcher in launchers:
        yield variant(lab, launcher, sizes, "warps8", [among("constexpr int lanes = 32", "warps", 8)])
        yield variant(lab, launcher, sizes, "warps1", [among("constexpr int lanes = 32", "warps", 1)])
        yield variant(lab, launcher, sizes, "naive", source="peers/naive.cu")
        yield patched(lab, launcher, sizes, FASTER, "sum_through_shared_memory")
    for name in ("columns_far_apart", "one_share_only", "pieces_of_a_row", "row_twice"):
        yield patched(lab, "ata_vector", sizes, MUTANTS, name)


def convolutions():
    lab, lines = "09_convolution", ["1000000x15", "5000000x3"]
    planes = ["1000x1500x3x3x1", "1536x1536x9x9x1", "1024x2048x4x4x2"]
    for line in (96, 256):
        yield variant(lab, "convolve_line", lines, f"line{line}", [constant("line", line)])
    yield patched(lab, "convolve_line", lines, MUTANTS, "line_every_thread_copies_all")
    yield patched(lab, "convolve_line", lines, FASTER, "line_from_global_memory")
    yield variant(lab, "convolve_line", lines, "naive", source="peers/naive.cu")
    for tile, rows in ((32, 8), (16, 8), (24, 8)):
        edits = [constant("tile", tile), constant("block_rows", rows)]
        yield variant(lab, "convolve", planes, f"tile{tile}_rows{rows}", edits)
    yield patched(lab, "convolve", planes, MUTANTS, "never_tiled")
    yield variant(lab, "convolve", planes, "naive", source="peers/naive.cu")


def strides():
    lab = "10_grid_stride"
    for blocks, threads in itertools.product((33, 264, 1056), (128, 512)):
        yield variant(lab, "increment_with", [f"8000000x{blocks}x{threads}"], "solution")
    for name in ("consecutive_elements", "one_thread_an_element"):
        yield patched(lab, "increment_with", ["8000000x264x256", "8000000x1056x128"], MUTANTS, name)
    for threads in (32, 256, 768):
        yield variant(lab, "multiply", ["1500000", "10000000"], f"block{threads}", [constant("block_size", threads)])


def histograms():
    lab, sizes = "11_atomics_histogram", ["1000000x64", "8000000x500"]
    for threads in (192, 256, 768):
        yield variant(lab, "histogram", sizes, f"block{threads}", [constant("block_size", threads)])
        yield variant(lab, "count", ["1000000"], f"block{threads}", [constant("block_size", threads)])
    for name in ("never_private", "too_many_blocks"):
        yield patched(lab, "histogram", sizes, MUTANTS, name)
    yield variant(lab, "histogram", sizes, "global_atomics", source="peers/global_atomics.cu")


def networks():
    lab, sizes = "14_mlp_forward", ["256", "2048"]
    for rows in (8, 32):
        yield variant(lab, "forward", sizes, f"rows{rows}", [constant("block_rows", rows)])
    for small in (16, 25):
        yield variant(lab, "forward_tiled", sizes, f"small{small}", [constant("small", small)])
    yield variant(lab, "forward_naive", sizes, "solution")
    yield patched(lab, "forward", sizes, FASTER, "one_sum_a_thread")


def all_variants():
    groups = (
        vector_additions,
        transposes,
        products,
        register_tiles,
        matrix_vectors,
        convolutions,
        strides,
        histograms,
        networks,
    )
    return [one for group in groups for one in group()]


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
