"""The kernels of the fifth blind validation: mostly matrix products and other kernels whose threads reuse registers.

Writes the same as variants.py:  python3 fifth_round.py FOLDER
Four tasks are of no lab (46 to 49 of tasks/), three products are new kernels (kernels/). None of these kernels and
sizes is in an earlier round. Rows of one kernel do not follow each other, so that Nsight Compute's launches can be told
apart.
"""

import itertools

import variants
from fourth_round import with_constants
from third_round import KERNELS, variant
from variants import among, text

PRODUCTS = ["720x900x640", "1536x512x1100", "384x2048x384"]
ROWS_AND_COLUMNS = ["1000x600", "3000x1100", "200x2000"]
POINTS = ["1000x64x1500", "3000x20x2500", "600x500x600"]


def product(lab, name, source="kernel.cu", launcher="matmul", more=(), **values):
    edits = [among("constexpr int", what, value) for what, value in values.items()]
    word = "_".join([name, *(f"{what}{value}" for what, value in values.items())])
    return variant(lab, launcher, PRODUCTS, word, [*edits, *more], source)


def work_per_thread():
    lab = "13_matmul_work_per_thread"
    for side, outputs, depth in ((8, 6, 16), (16, 5, 8), (12, 4, 16), (24, 2, 16), (16, 2, 24), (16, 8, 8), (8, 8, 32)):
        yield product(lab, "own", side=side, outputs=outputs, depth=depth)
    rows = text("a_tile[depth][tile + 2]", "a_tile[depth][tile]")
    yield product(lab, "no_padding", more=[rows], side=16, outputs=4, depth=16)
    loop = "    for (int k = 0; k < depth; ++k) {"
    for turns in (1, 4):
        pragma = text(loop, f"#pragma unroll {turns}\n{loop}")
        yield product(lab, f"unrolled{turns}", more=[pragma], side=16, outputs=4, depth=16)


def register_tiles():
    lab = "15_matmul_register_tiled"
    for side, depth, high, wide in (
        (16, 16, 1, 4),
        (16, 16, 4, 1),
        (16, 16, 3, 3),
        (16, 32, 2, 2),
        (8, 8, 2, 4),
        (8, 16, 2, 2),
    ):
        edits = [text(f"launch<{v}, 2, 4>", f"launch<{v}, {high}, {wide}>") for v in ("true", "false")]
        yield product(lab, f"patches{high}x{wide}", more=edits, side=side, depth=depth)
    for side, depth in ((8, 8), (8, 16)):
        yield product(lab, "vectors", launcher="matmul_vectors", side=side, depth=depth)
    for side, depth in ((16, 32), (8, 16)):
        yield product(lab, "double_buffered", launcher="matmul_double_buffered", side=side, depth=depth)


def new_products():
    lab = "13_matmul_work_per_thread"
    for outputs, depth in ((4, 16), (4, 8), (2, 16), (6, 8)):
        yield product(lab, "prefetched", f"{KERNELS}/matmul_prefetched.cu", outputs=outputs, depth=depth)
    for block_size, outputs in ((128, 8), (64, 16), (256, 4)):
        source = f"{KERNELS}/matmul_column_strips.cu"
        yield product(lab, "strips", source, block_size=block_size, outputs=outputs)
    for high, depth in ((4, 16), (8, 16), (2, 32)):
        yield product(lab, "pairs", f"{KERNELS}/matmul_neighbor_pairs.cu", high=high, depth=depth)


def simple_products():
    for tile in (22, 26):
        yield product("07_matmul_tiled", "own", tile=tile)
    for lanes, warps in ((32, 10), (128, 2)):
        yield product("05_matmul_naive", "own", lanes=lanes, warps=warps)


def tasks():
    lab = "46_gram"
    for tile in (8, 16, 24):
        yield with_constants(lab, "gram", ROWS_AND_COLUMNS, "kernel.cu", "tiled", tile=tile)
    for high, wide, depth in ((4, 4, 8), (2, 8, 16), (8, 4, 16), (2, 2, 32)):
        values = {"high": high, "wide": wide, "depth": depth}
        yield with_constants(lab, "gram", ROWS_AND_COLUMNS, "registers.cu", "registers", **values)
    lab = "47_distances"
    for wide, high in ((32, 8), (64, 2)):
        yield with_constants(lab, "distances", POINTS, "kernel.cu", "one", wide=wide, high=high)
    for outputs, depth in ((4, 8), (2, 16), (8, 4)):
        values = {"outputs": outputs, "depth": depth}
        yield with_constants(lab, "distances", POINTS, "registers.cu", "several", **values)
    lab, counts = "48_potential", ["12000", "40000"]
    for threads in (64, 256):
        yield with_constants(lab, "potential", counts, "kernel.cu", "one", block_size=threads)
    for points in (2, 4):
        yield with_constants(lab, "potential", counts, "several.cu", "several", points=points)
    lab, matrices = "49_windows", ["3000x2500", "900x9500"]
    for threads in (128, 512):
        yield with_constants(lab, "windows", matrices, "kernel.cu", "one", block_size=threads)
    for threads, outputs in ((128, 4), (64, 8), (256, 2)):
        values = {"block_size": threads, "outputs": outputs}
        yield with_constants(lab, "windows", matrices, "shared.cu", "several", **values)


def all_variants():
    return list(itertools.chain(work_per_thread(), register_tiles(), new_products(), simple_products(), tasks()))


if __name__ == "__main__":
    variants.main(__doc__, all_variants())
