#!/usr/bin/python3
"""How fast the same tiled matrix multiplication runs on this simulator, on Oclgrind and on numba's CUDA simulator.

Needs Debian's oclgrind, ocl-icd-opencl-dev and python3-numba, and labcc: compare.py BUILD_FOLDER. Each simulator gets a
size that takes it a second or so; what is compared is multiply-adds per second of CPU time, all threads together, so
that others on the machine count little. Every result is checked against NumPy's. The best of three runs counts.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
REPEATS = 3


def expected(n):
    i = numpy.arange(n * n)
    a, b = (i % 7).astype(float).reshape(n, n), (i % 5).astype(float).reshape(n, n)
    return (a @ b).sum()


def rate(command, n, **environment):
    """Multiply-adds per second of a command that prints its CPU seconds and a checksum."""
    best = float("inf")
    for _ in range(REPEATS):
        done = subprocess.run([*map(str, command), str(n)], env={**os.environ, **environment}, capture_output=True,
                              text=True, check=True)
        seconds, checksum = map(float, done.stdout.split())
        if checksum != expected(n):
            sys.exit(f"{command[0]}: wrong result {checksum} at n = {n}")
        best = min(best, seconds)
    return n**3 / best


def build(labcc, folder):
    for mode in ("fast", "trace"):
        subprocess.run([labcc, f"--{mode}", HERE / "tiled_matmul.cu", "-o", folder / mode], check=True)
    subprocess.run(["g++", "-O2", HERE / "opencl_host.cpp", "-o", folder / "opencl", "-lOpenCL"], check=True)


def measure(folder):
    opencl = [folder / "opencl", HERE / "tiled_matmul.cl"]
    quiet = {"LAB_SIM_JSON": str(folder / "report.json")}
    numba = ["/usr/bin/python3", HERE / "tiled_matmul_numba.py"]
    return {
        "lab, fast": rate([folder / "fast"], 512, LAB_SIM_THREADS="1"),
        "lab, traced": rate([folder / "trace"], 256, **quiet),
        "Oclgrind": rate(["oclgrind", *opencl], 64),
        "Oclgrind, races and values": rate(["oclgrind", "--data-races", "--uninitialized", *opencl], 64),
        "numba's simulator": rate(numba, 32, NUMBA_ENABLE_CUDASIM="1"),
    }


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        build(pathlib.Path(sys.argv[1]) / "bin" / "labcc", pathlib.Path(folder))
        rates = measure(pathlib.Path(folder))
    for name, value in rates.items():
        print(f"{name:<28} {value / 1e6:10.3f} million multiply-adds per CPU second")
    for ours, theirs in (("lab, fast", "Oclgrind"), ("lab, traced", "Oclgrind, races and values"),
                         ("lab, traced", "Oclgrind"), ("lab, traced", "numba's simulator"),
                         ("lab, fast", "numba's simulator")):
        print(f"{ours} is {rates[ours] / rates[theirs]:.0f} times as fast as {theirs}")


if __name__ == "__main__":
    main()
