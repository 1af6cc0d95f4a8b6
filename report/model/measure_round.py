#!/usr/bin/python3
"""Times a blind round on this machine's GPU and evaluates it: python3 measure_round.py ROUND FOLDER [--gpu h200]

Writes the kernels of the round to FOLDER. Predicts each row, then compiles the kernels with nvcc and times them. Nsight
Compute names the limiters if `ncu` is installed and may count. evaluate_round.py writes the table of the page.
"""

import argparse
import concurrent.futures
import gzip
import importlib
import os
import pathlib
import shutil
import subprocess
import sys

import evaluate_round
import variants

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = {7: "seventh_round", 8: "eighth_round"}
NVCC = ["nvcc", "-O3", "-std=c++20", "-arch=native", f"-I{HERE}"]


def build(folder):
    """The program that times all variants. A variant that does not compile is left out, and the program says so."""
    gpu = folder / "gpu"

    def compiled(source):
        output = gpu / f"{source.stem}.o"
        done = subprocess.run([*NVCC, "-c", source, "-o", output], check=False)
        return output if done.returncode == 0 else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, [*sorted(gpu.glob("*.cu")), HERE / "time_variants.cu"]))
    program = gpu / "time_variants"
    subprocess.run([*NVCC, *filter(None, objects), "-o", program], check=True)
    return [program, *(gpu / "rows.txt").read_text().split()]


def profile(words, out):
    """Throughputs of each kernel; nothing if Nsight Compute cannot count them.

    Nsight Compute takes several passes. It repeats the program: to repeat a kernel it copies all memory, which takes
    minutes. The kernels that fill memory are in no namespace of a variant, and are left alone.
    """
    ncu = shutil.which("ncu")
    if not ncu:
        print("ncu is not installed: no limiters")
        return
    metrics = ",".join(evaluate_round.COLUMNS.values())
    options = ["--csv", "--page", "raw", "--replay-mode", "application", "--app-replay-buffer", "memory"]
    kernels = ["--kernel-name-base", "mangled", "--kernel-name", r"regex:N[0-9]+v[0-9]+"]
    command = [ncu, *options, *kernels, "--metrics", metrics, *words]
    run = subprocess.run(command, env={**os.environ, "ROUNDS": "-3"}, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        out.write_bytes(gzip.compress(run.stdout.encode()))
    else:
        print(f"ncu failed: no limiters\n{run.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("round", type=int, choices=ROUNDS)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--gpu", default="h200", help="the column of gpus.md that this GPU has")
    given = parser.parse_args()
    variants.write(given.folder, importlib.import_module(ROUNDS[given.round]).all_variants())
    name = f"{given.gpu}_variants_{given.round}"
    evaluate_round.predict_all(given.folder, HERE / f"{name}_modelled.jsonl", given.gpu)
    words = build(given.folder)
    results = given.folder / "results"
    results.mkdir(exist_ok=True)
    with (results / f"{name}.json").open("w") as file:
        subprocess.run(words, stdout=file, check=True)
    profile(words, results / "ncu.csv.gz")
    sys.argv = ["evaluate_round.py", str(given.round), str(given.folder), str(results), "--gpu", given.gpu]
    evaluate_round.main()


if __name__ == "__main__":
    main()
