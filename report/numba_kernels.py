#!/usr/bin/python3
"""Times the loop of lab 10 in Python: interpreted, compiled with Numba for the GPU, and beside it the lab's solution.

Needs a GPU, Numba with CUDA and NumPy. Exit code 3: one of them is missing, and the message says which.
LAB names another `lab` command than ./lab.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ELEMENTS, THREADS, REPEATS = 1_000_000, 256, 21
LACKING = 3


def require(condition, reason):
    if not condition:
        print(f"numba_kernels: {reason}", file=sys.stderr)
        sys.exit(LACKING)


def load():
    """numpy and numba.cuda."""
    try:
        import numpy
        from numba import cuda
    except ImportError as missing:
        require(False, f"{missing.name} is not installed; install numba for {sys.executable}")
    require(cuda.is_available(), "Numba finds no GPU on this machine")
    return numpy, cuda


def interpreted_ms():
    """The loop on a list, by the interpreter."""
    values = [0.0] * ELEMENTS
    start = time.perf_counter()
    for i in range(ELEMENTS):
        values[i] += 1
    return 1e3 * (time.perf_counter() - start)


def threads_of_a_multiprocessor(device):
    """Newer versions of Numba spell the attribute otherwise."""
    for name in ("MAX_THREADS_PER_MULTI_PROCESSOR", "MAX_THREADS_PER_MULTIPROCESSOR"):
        try:
            return getattr(device, name)
        except AttributeError:
            continue
    require(False, "this version of Numba does not say how many threads a multiprocessor holds")


def name_of(device):
    """Bytes or a string, by the version of Numba."""
    return device.name.decode() if isinstance(device.name, bytes) else device.name


def numba_ms(numpy, cuda):
    """The kernel of lab 10 with one wave of blocks, between two events."""

    @cuda.jit
    def increment(a):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            a[i] += 1

    device = cuda.get_current_device()
    blocks = device.MULTIPROCESSOR_COUNT * threads_of_a_multiprocessor(device) // THREADS
    values = cuda.to_device(numpy.zeros(ELEMENTS, numpy.float32))
    times = []
    for _ in range(REPEATS + 1):  # the first call compiles
        begin, end = cuda.event(), cuda.event()
        begin.record()
        increment[blocks, THREADS](values)
        end.record()
        end.synchronize()
        times.append(cuda.event_elapsed_time(begin, end))
    require((values.copy_to_host() == REPEATS + 1).all(), "the kernel in Python gave a wrong result")
    return statistics.median(times[1:])


def ours_ms():
    """The solution of lab 10 on a warm L2 cache, as `lab bench` times it."""
    lab = os.environ.get("LAB", ROOT / "lab")
    options = ["--solution", "--no-cpu", "--json", "--backend", "cuda", "--size", str(ELEMENTS)]
    done = subprocess.run([lab, "bench", "10.2", *options], capture_output=True, text=True)
    require(done.returncode == 0, f"./lab bench 10 failed:\n{done.stdout}{done.stderr}")
    rows = [row for row in json.loads(done.stdout)["results"] if row["launcher"] == "increment"]
    return rows[0]["warm_ms"]["median"]


def main():
    if "--help" in sys.argv:
        return print(__doc__)
    numpy, cuda = load()
    rows = {"interpreted": interpreted_ms(), "Numba, GPU": numba_ms(numpy, cuda), "lab 10, GPU": ours_ms()}
    print(f"{ELEMENTS} floats incremented on {name_of(cuda.get_current_device())}, median of {REPEATS}")
    for name, ms in rows.items():
        print(f"  {name:<14} {1e3 * ms:12.1f} us")


if __name__ == "__main__":
    main()
