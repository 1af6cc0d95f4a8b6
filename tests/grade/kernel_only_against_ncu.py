#!/usr/bin/python3
"""Compares the kernel-only time with gpu__time_duration of Nsight Compute, and prints a report. Needs a GPU and ncu.

kernel_only_against_ncu.py [--json FILE] [NN:SIZE ...]

LAB_BUILD names the build. ncu does not change the clocks and empties the caches before each launch. The time of a
launcher is the sum of its kernels' median times.
"""

import argparse
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/cuda"))
DEFAULT = ["04:8192x8192", "07:2000x1000x2000"]
WITHIN = 0.03
# The check may start several runners. Each writes ncu's results and ncu's errors to its own files.
AROUND = """#!/bin/sh
export HOME="${{HOME:-{folder}}}"
exec {ncu} --csv --print-units base --metrics gpu__time_duration.sum --clock-control none --cache-control all \\
  --log-file {folder}/$$-log.txt "$@" 2> {folder}/$$-errors.txt
"""


def lab(*arguments, **environment):
    command = [BUILD / "bin/lab", *arguments, "--solution", "--backend", "cuda", "--json", "--timeout", "300"]
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD), **environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        words = " ".join(map(str, command))
        sys.exit(f"{words} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def kernel_only_ms(number, size):
    row = lab("bench", number, "--size", size, "--kernel-only", "--no-cpu")["results"][0]
    if row["kernel_only_ms"]["samples"] == 0:
        sys.exit(f"{number} {size}: {row['operations']}")
    return row["kernel_only_ms"]["median"], row["kernel_ms"]["median"], row["operations"]


def ncu_durations(said):
    """The nanoseconds of each launch, by kernel. ncu's CSV begins after some other lines."""
    lines = said.splitlines()
    head = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    durations = {}
    for row in csv.DictReader(line for line in lines[head:] if line.startswith('"')):
        if row["Metric Name"] == "gpu__time_duration.sum":
            durations.setdefault(row["Kernel Name"], []).append(float(row["Metric Value"].replace(",", "")))
    return durations


def ncu_ms(number, size):
    with tempfile.TemporaryDirectory() as folder:
        tool = pathlib.Path(folder) / "ncu-around"
        tool.write_text(AROUND.format(folder=folder, ncu=os.environ.get("LAB_NCU", "ncu")))
        tool.chmod(0o755)
        lab("check", number, "--size", size, LAB_RUNNER_WRAPPER=str(tool))
        said = [file.read_text(errors="replace") for file in sorted(pathlib.Path(folder).glob("*.txt"))]
    logs = [ncu_durations(text) for text in said]
    kernels = {name: sum((log.get(name, []) for log in logs), []) for log in logs for name in log}
    if not kernels:
        words = "\n".join(said)[-4000:] or "nothing"
        sys.exit(f"ncu saw no launch. Can this user read the performance counters? ncu's output:\n{words}")
    return sum(statistics.median(times) for times in kernels.values()) / 1e6


def compare(word):
    number, size = word.split(":")
    alone, bench, operations = kernel_only_ms(number, size)
    by_ncu = ncu_ms(number, size)
    return {
        "lab": number, "size": size, "kernel_only_ms": alone, "bench_ms": bench, "ncu_ms": by_ncu,
        "ratio": alone / by_ncu, "operations": operations,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures there")
    parser.add_argument("what", nargs="*", default=DEFAULT, metavar="NN:SIZE")
    given = parser.parse_args()
    rows = []
    print(f"{'lab and size':<24}{'kernel-only':>13}{'bench, cold':>13}{'ncu':>13}  kernel-only / ncu")
    for word in given.what:
        row = compare(word)
        rows.append(row)
        remark = "" if abs(row["ratio"] - 1) <= WITHIN else f"  more than {WITHIN:.0%} apart"
        times = "".join(f"{row[key]:>10.4f} ms" for key in ("kernel_only_ms", "bench_ms", "ncu_ms"))
        print(f"{row['lab']} {row['size']:<21}{times}  {row['ratio']:.3f}{remark}", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"schema": 1, "results": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
