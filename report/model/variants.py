"""The kernels of the blind validation: the labs' solutions with other constants, starters and mutants that are right.

Writes one folder for each variant, with kernel.cu, and manifest.json:  python3 variants.py FOLDER
For a GPU also one source for each variant, in a namespace of its own, and rows.txt, the words for time_variants.cu.
"""

import argparse
import itertools
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
TASKS = pathlib.Path(__file__).resolve().parent / "tasks"

TRANSPOSES = ["2000x5000", "4096x4096"]
PRODUCTS = ["512x512x512", "1000x1000x1000", "2048x2048x2048"]


def course_of(lab):
    """The folder with labs/ and solutions/ that has a lab: this project, or the tasks of the fourth round."""
    return ROOT if (ROOT / "labs" / lab).is_dir() else TASKS


def constant(name, value):
    """Replaces the value of a constant."""
    return (rf"(constexpr int {name} = )[^;]+;", rf"\g<1>{value};")


def among(declaration, name, value):
    """Replaces one of several constants that one declaration has."""
    return (rf"({declaration}[^;]*\b{name} = )[^,;]+", rf"\g<1>{value}")


def text(old, new):
    return (re.escape(old), new)


def variant(lab, launcher, sizes, name, edits=(), source="kernel.cu"):
    return {"lab": lab, "launcher": launcher, "sizes": sizes, "name": name, "edits": list(edits), "source": source}


def vector_additions():
    for threads in (32, 64, 128, 512, 1024):
        yield variant(
            "01_vector_add",
            "vector_add",
            ["300000", "5000000", "40000000"],
            f"block{threads}",
            [constant("block_size", threads)],
        )
    for threads, batch in itertools.product((128, 256, 512), (1, 2, 8)):
        yield variant(
            "01_vector_add",
            "vector_add",
            ["5000000", "40000000"],
            f"encore_block{threads}_batch{batch}",
            [constant("block_size", threads), constant("batch", batch)],
            "../../report/model/vector_add_batches.cu",
        )


def transposes():
    for lab, launchers in (
        ("02_transpose_naive", ("transpose", "transpose_coalesced_stores")),
        ("03_transpose_shared", ("transpose",)),
        ("04_transpose_padded", ("transpose",)),
    ):
        for launcher, (tile, rows) in itertools.product(
            launchers, ((16, 4), (16, 16), (32, 2), (32, 4), (32, 16), (32, 32))
        ):
            yield variant(
                lab,
                launcher,
                TRANSPOSES,
                f"tile{tile}_rows{rows}",
                [constant("tile", tile), constant("block_rows", rows)],
            )
    for width in (34, 36, 40, 48):
        yield variant("04_transpose_padded", "transpose", TRANSPOSES, f"width{width}", [constant("width", width)])
    yield variant("04_transpose_padded", "transpose", TRANSPOSES, "conflicts", [constant("width", "tile")])


def products():
    for lanes, warps in ((16, 16), (32, 2), (32, 4), (32, 16), (32, 32), (64, 4)):
        for launcher in ("matmul", "matmul_uncoalesced"):
            sizes = PRODUCTS[:2] if launcher == "matmul_uncoalesced" else PRODUCTS
            yield variant(
                "05_matmul_naive",
                launcher,
                sizes,
                f"lanes{lanes}_warps{warps}",
                [constant("lanes", lanes), constant("warps", warps)],
            )
    for tile in (8, 16):
        yield variant("07_matmul_tiled", "matmul", PRODUCTS, f"tile{tile}", [constant("tile", tile)])
    yield variant(
        "07_matmul_tiled",
        "matmul",
        PRODUCTS,
        "tile32_padded",
        [
            text("a_tile[tile][tile];", "a_tile[tile][tile + 1];"),
            text("b_tile[tile][tile];", "b_tile[tile][tile + 1];"),
        ],
    )
    yield variant(
        "07_matmul_tiled",
        "matmul",
        PRODUCTS,
        "no_unrolling",
        [text("    for (int k = 0; k < tile; ++k) sum", "#pragma unroll 1\n    for (int k = 0; k < tile; ++k) sum")],
    )
    for side, outputs, depth in (
        (16, 2, 16),
        (16, 4, 8),
        (16, 4, 32),
        (16, 8, 16),
        (8, 4, 16),
        (8, 8, 16),
        (32, 2, 16),
        (16, 2, 32),
    ):
        yield variant(
            "13_matmul_work_per_thread",
            "matmul",
            PRODUCTS,
            f"side{side}_outputs{outputs}_depth{depth}",
            [constant("side", side), constant("outputs", outputs), constant("depth", depth)],
        )
    yield variant("15_matmul_register_tiled", "matmul", PRODUCTS[1:], "depth32", [constant("depth", 32)])


def matrix_vectors():
    for warps in (2, 4, 16, 32):
        yield variant(
            "08_matvec_ata",
            "ata_vector",
            ["1000x777", "3000x3000", "8192x4096"],
            f"warps{warps}",
            [among("constexpr int lanes = 32", "warps", warps)],
        )
        yield variant(
            "08_matvec_ata",
            "matrix_vector",
            ["3000x3000", "8192x4096"],
            f"warps{warps}",
            [among("constexpr int lanes = 32", "warps", warps)],
        )
        yield variant(
            "08_matvec_ata",
            "transpose_vector",
            ["3000x3000", "8192x4096"],
            f"warps{warps}",
            [among("constexpr int lanes = 32", "warps", warps)],
        )


def convolutions():
    for line in (64, 128, 512, 1024):
        yield variant(
            "09_convolution", "convolve_line", ["3000000x7", "3000000x31"], f"line{line}", [constant("line", line)]
        )
    for tile, rows in ((16, 4), (16, 16), (32, 2), (32, 4), (32, 16)):
        yield variant(
            "09_convolution",
            "convolve",
            ["2000x3000x3x3x1", "2000x3000x7x7x1", "2000x3000x5x5x2"],
            f"tile{tile}_rows{rows}",
            [constant("tile", tile), constant("block_rows", rows)],
        )


def strides():
    for blocks, threads in itertools.product((66, 132, 528, 2112), (64, 256, 1024)):
        yield variant("10_grid_stride", "increment_with", [f"20000000x{blocks}x{threads}"], "solution")
    for threads in (64, 128, 512, 1024):
        yield variant(
            "10_grid_stride", "multiply", ["3000000", "20000000"], f"block{threads}", [constant("block_size", threads)]
        )


def histograms():
    for threads in (64, 128, 512, 1024):
        yield variant(
            "11_atomics_histogram",
            "histogram",
            ["2000000x100", "20000000x100", "20000000x1000"],
            f"block{threads}",
            [constant("block_size", threads)],
        )
        yield variant(
            "11_atomics_histogram", "count", ["4000000"], f"block{threads}", [constant("block_size", threads)]
        )
    yield variant("11_atomics_histogram", "histogram", ["2000000x20000"], "global")


def networks():
    for rows in (4, 16):
        yield variant("14_mlp_forward", "forward", ["512", "4096"], f"rows{rows}", [constant("block_rows", rows)])
    for small in (8, 32):
        yield variant("14_mlp_forward", "forward_tiled", ["512", "4096"], f"small{small}", [constant("small", small)])


def all_variants():
    return [
        *vector_additions(),
        *transposes(),
        *products(),
        *matrix_vectors(),
        *convolutions(),
        *strides(),
        *histograms(),
        *networks(),
    ]


def source_of(one):
    folder = course_of(one["lab"]) / "solutions" / one["lab"]
    code = (folder / one["source"]).read_text()
    if "patch" in one:
        words = ["patch", "-s", "-o", "-", folder / one["source"], (pathlib.Path(__file__).parent / one["patch"])]
        code = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    for pattern, replacement in one["edits"]:
        code, count = re.subn(pattern, replacement, code, count=1)
        if count == 0:
            raise SystemExit(f"{one['lab']} {one['name']}: nothing matches {pattern}")
    return code


def wrapped(code, lab, number, launchers):
    """The kernel in a namespace, so that all variants can be in one program, and several in one source."""
    header = (course_of(lab) / "labs" / lab / "lab.hpp").read_text()
    lines = [line for line in (header + code).splitlines() if not line.startswith("#pragma once")]
    includes = sorted({line for line in lines if line.startswith("#include <")})
    body = "\n".join(line for line in lines if not line.startswith("#include"))
    space = f"v{number}" if number >= 0 else f"unchanged{-number}"
    ends = "".join(
        f'static const variants::registration of_{launcher}{{{number}, "{launcher}", '
        f"reinterpret_cast<void*>(&{space}::{launcher})}};\n"
        for launcher in launchers
    )
    top = "\n".join([*includes, "#include <cuda_runtime.h>", '#include "registry.hpp"'])
    return f"{top}\nnamespace {space} {{\n{body}\n{ends}}}\n"


def write_for_gpu(folder, manifest):
    """One source for each variant and for each unchanged solution, and the rows to time."""
    labs = sorted({one["lab"] for one in manifest})
    gpu = folder / "gpu"
    gpu.mkdir(exist_ok=True)
    for one in manifest:
        code = (folder / f"v{one['number']:03}" / "kernel.cu").read_text()
        (gpu / f"v{one['number']:03}.cu").write_text(wrapped(code, one["lab"], one["number"], [one["launcher"]]))
    for place, lab in enumerate(labs, 1):
        launchers = sorted({one["launcher"] for one in manifest if one["lab"] == lab})
        code = (course_of(lab) / "solutions" / lab / "kernel.cu").read_text()
        (gpu / f"unchanged{place:02}.cu").write_text(wrapped(code, lab, -place, launchers))
    rows = [
        f"{one['number']} {one['launcher']} {one['sizes'][place]} {-1 - labs.index(one['lab'])}"
        for place in range(max(len(one["sizes"]) for one in manifest))
        for one in manifest
        if place < len(one["sizes"])
    ]
    (gpu / "rows.txt").write_text("\n".join(rows) + "\n")


def write(folder, wanted):
    manifest = []
    for number, one in enumerate(wanted):
        place = folder / f"v{number:03}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "kernel.cu").write_text(source_of(one))
        manifest.append({"number": number, **{key: one[key] for key in ("lab", "launcher", "sizes", "name", "source")}})
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    write_for_gpu(folder, manifest)
    return manifest


def main(about, wanted):
    """The command of a round: writes its variants to the folder that is named. `about` begins with its description."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    manifest = write(parser.parse_args().folder, wanted)
    rows = sum(len(one["sizes"]) for one in manifest)
    print(f"{len(manifest)} kernels, {rows} kernels and sizes")


if __name__ == "__main__":
    main(__doc__, all_variants())
