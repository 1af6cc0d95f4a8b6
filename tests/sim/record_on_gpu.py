#!/usr/bin/python3
"""Records on a machine with a GPU, Nsight Compute and compute-sanitizer what recorded_test.py compares: one call.

record_on_gpu.py [LAB ...]    every lab's solution at a small size under ncu, beside the simulator's count, and the
corpus under the tools of compute-sanitizer; LAB_BUILD names the build. It writes tests/sim/data/h200_recorded.json,
where lines that the device counts otherwise go to `not_claimed`: look at each before you commit it.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import recorded

SMALL = {"01": "5000", "02": "64x96", "03": "64x96", "04": "64x96", "05": "65x67x64", "07": "65x67x64"}  # else the gate's


def numbers():
    return [folder.name[:2] for folder in sorted(recorded.ROOT.glob("solutions/[0-9][0-9]_*"))]


def record_lab(number, record):
    size = ["--size", SMALL[number]] if number in SMALL else []
    both = recorded.run_lab("profile", number, "--solution", "--compare", "--seed", "1", "--json", *size)
    if not both["cuda"]["launches"]:
        return print(f"{number}: no launch was seen on the GPU, left out")
    name = both["cuda"]["lab"]
    source = recorded.ROOT / "solutions" / name / "kernel.cu"
    measured, simulated = recorded.lines_of(both["cuda"], source), recorded.lines_of(both["sim"], source)
    entry = {"lab": name, "size": both["cuda"]["launches"][0]["size"], "lines": []}
    for key in sorted(measured.keys() | simulated.keys()):
        text, op, space = key
        requests, moved = measured.get(key, (0, 0))
        entry["lines"].append({"text": text, "op": op, "space": space, "requests": requests, "moved": moved})
        if measured.get(key) != simulated.get(key):
            fewer = measured.get(key, (0, 0)) < simulated.get(key, (0, 0))
            why = "merged into a wider access, or kept in a register" if fewer else "split, or loaded again"
            record["not_claimed"].append({"lab": name, "text": text, "op": op, "space": space, "why": why})
    record["profiles"].append(entry)


def record_program(source, folder, record):
    program = folder / source.stem
    built = subprocess.run(["nvcc", "-std=c++20", "-lineinfo", "-arch=native", source, "-o", program])
    if built.returncode != 0:
        return print(f"{source.name}: nvcc refuses it, left out")
    for tool in recorded.TOOLS:
        try:
            done = subprocess.run(["compute-sanitizer", "--tool", tool, program], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            print(f"{source.name}: stopped under {tool} after a minute, left out")
            continue
        for kind, lines in recorded.sanitizer_findings(done.stdout):
            record["sanitizer"].append({"program": source.name, "tool": tool, "kind": kind, "lines": lines})


def main():
    if any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    os.environ.setdefault("LAB_BUILD", str(recorded.ROOT / "build/cuda"))
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True)
    record = {"device": device.stdout.split("\n")[0], "profiles": [], "not_claimed": [], "sanitizer": []}
    for number in sys.argv[1:] or numbers():
        try:
            record_lab(number, record)
        except (RuntimeError, json.JSONDecodeError, KeyError) as problem:
            print(f"{number}: {problem}, left out")
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(recorded.CORPUS.glob("*.cu")):
            record_program(source, pathlib.Path(folder), record)
    recorded.RECORD.write_text(json.dumps(record, indent=1) + "\n")
    print(f"{len(record['profiles'])} labs, {len(record['not_claimed'])} lines not claimed, "
          f"{len(record['sanitizer'])} findings of compute-sanitizer: {recorded.RECORD}")


if __name__ == "__main__":
    main()
