#!/usr/bin/python3
"""Times the plans among which lab 17's encore chooses, with measure/matmul_plans.cu, and keeps them as
report/results/NAME_plans.jsonl, for fit_plans.py. Takes about a minute for 1500 sizes.
Exit codes: 0 kept, 2 bad options, 3 no nvcc or no GPU.
"""

import argparse
import datetime
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import record

HERE = pathlib.Path(__file__).resolve().parent
LAB = "17_matmul_hopper"
FOLDERS = [HERE.parent / folder for folder in (f"solutions/{LAB}", f"labs/{LAB}", "common/kernel")]
MOST_PRODUCTS, MOST_ELEMENTS = 3e11, 2**28  # about a millisecond; half a gigabyte
ROUND = [2**i for i in range(3, 15)] + [3 * 2**i for i in range(5, 12)] + [5 * 2**i for i in range(4, 11)]
ROUND += [7 * 2**i for i in range(4, 10)] + [100, 200, 500, 700, 800, 1000, 1200, 1600, 2000, 3000, 4000, 5000, 10000]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of the record, such as h200")
    parser.add_argument("--sizes", type=int, default=1500, metavar="N", help="how many to draw (default: 1500)")
    parser.add_argument("--seed", type=int, default=1, help="of the sizes (default: 1)")
    parser.add_argument("--recorded", type=pathlib.Path, default=HERE / "results", help="where records are kept")
    options = parser.parse_args(arguments)
    if options.sizes < 1:
        parser.error(f"--sizes {options.sizes}: at least one size")
    nvcc = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")
    if not nvcc:
        print("record_plans: nvcc is not installed", file=sys.stderr)
        return 3
    try:
        head, *rows = measured(nvcc, drawn_sizes(options.seed, options.sizes))
    except subprocess.CalledProcessError as error:
        print(f"record_plans: {error.stderr or error}", file=sys.stderr)
        return 3
    today = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    head = {"date": today, "device": record.gpu("name"), "seed": options.seed, **head}
    target = options.recorded / f"{options.name}_plans.jsonl"
    target.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in [head, *rows]))
    print(f"{target}: {len(rows)} sizes, {sum(len(row['plans']) for row in rows)} plans")
    return 0


def drawn_sizes(seed, count):
    """Sizes (n, m, p): round numbers, any numbers, and rows that TMA takes; also with few rows, columns or steps."""
    source = random.Random(seed)
    sizes = set()
    while len(sizes) < count:
        if source.random() < 0.3:
            size = tuple(source.choice(ROUND) for _ in range(3))
        else:
            size = _drawn(source)
        n, m, p = size
        if n * m * p <= MOST_PRODUCTS and max(n * m, m * p, n * p) <= MOST_ELEMENTS:
            sizes.add(size)
    return sorted(sizes, key=lambda size: source.random())


def _drawn(source):
    few = source.choice([None, None, 0, 1, 2])  # which extent is short
    multiple = source.choice([1, 2, 8, 8, 8, 64])  # of which m and p are
    extents = [round(2 ** source.uniform(2, 8 if i == few else 14)) for i in range(3)]
    return tuple(extent if i == 0 else max(extent // multiple, 1) * multiple for i, extent in enumerate(extents))


def compile_for_encore(nvcc, source, target, options, first=()):
    """Compiles a source that includes headers of the encore. `first`: folders whose headers take the place of these."""
    folders = [f"-I{path}" for path in [*first, *FOLDERS]]
    command = [nvcc, "-std=c++20", *folders, source, "-o", target, *options]
    subprocess.run(command, check=True, capture_output=True, text=True)


def measured(nvcc, sizes):
    """The lines that measure/matmul_plans.cu prints."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "matmul_plans"
        options = ["-O3", "-gencode", "arch=compute_90a,code=sm_90a", "-lcublas"]
        compile_for_encore(nvcc, HERE / "measure/matmul_plans.cu", program, options)
        given = "".join("{} {} {}\n".format(*size) for size in sizes)
        done = subprocess.run([program], input=given, check=True, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
