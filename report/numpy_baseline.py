#!/usr/bin/python3
"""Times the labs' operations in NumPy, and in Numba where it is installed, on this machine's CPU."""

import argparse
import datetime
import json
import pathlib
import platform
import re
import statistics
import time

import numpy as np

try:
    import numba
except ImportError:
    numba = None

TARGET = pathlib.Path(__file__).resolve().parent / "out/results/numpy.json"


def operations(random):
    """(operation, size, function, note) of everything that is timed with NumPy."""
    matrix = random.integers(-1000, 1000, (2000, 5000), dtype=np.int32)
    image = random.standard_normal((2000, 5000), dtype=np.float32)
    taps = random.standard_normal((3, 3), dtype=np.float32)
    values = random.standard_normal(1_000_000, dtype=np.float32)
    counted = values.copy()
    yield "transpose", "2000x5000", lambda: np.ascontiguousarray(matrix.T), "int32, copied to row-major order"
    for n, m, p in ((256, 512, 256), (2000, 1000, 5000)):
        a, b = (random.standard_normal(shape, dtype=np.float32) for shape in ((n, m), (m, p)))
        yield "matmul", f"{n}x{m}x{p}", lambda a=a, b=b: a @ b, "float32, through its BLAS, all threads"
    yield "convolve", "2000x5000x3x3", lambda: convolve(image, taps), "float32, a loop over the filter's elements"
    yield "increment", "1000000", lambda: np.add(counted, 1, out=counted), "float32, in place"
    yield "histogram", "1000000", lambda: np.histogram(values, 150, (-4, 4)), "normal samples in 150 bins over [-4, 4)"
    layers = [random.standard_normal(shape, dtype=np.float32) for shape in ((784, 100), (100, 100), (100, 10))]
    digits = random.standard_normal((256, 784), dtype=np.float32)
    yield "forward", "256", lambda: forward(digits, layers), "float32, 784-100-100-10, random weights"


def convolve(image, taps):
    """The valid correlation of the image with the taps."""
    rows, cols = image.shape[0] - taps.shape[0] + 1, image.shape[1] - taps.shape[1] + 1
    out = np.zeros((rows, cols), image.dtype)
    for i, j in np.ndindex(taps.shape):
        out += taps[i, j] * image[i : i + rows, j : j + cols]
    return out


def forward(images, layers):
    """Class probabilities of a network with ReLU between its layers."""
    for weights in layers[:-1]:
        images = np.maximum(images @ weights, 0)
    scores = images @ layers[-1]
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return scores / scores.sum(axis=1, keepdims=True)


def numba_operations(random):
    """The same of what the tutorials compiled with Numba."""
    values = random.standard_normal(1_000_000, dtype=np.float32)
    counted = values.copy()
    bins = np.zeros(150, np.int64)

    @numba.njit
    def increment(a):
        for i in range(a.size):
            a[i] += 1

    @numba.njit
    def histogram(x, counts):
        for i in range(x.size):
            bin_number = int(np.floor((x[i] + 4) * (counts.size / 8)))
            if 0 <= bin_number < counts.size:
                counts[bin_number] += 1

    yield "increment", "1000000", lambda: increment(counted), "float32, in place, one thread"
    yield "histogram", "1000000", lambda: histogram(values, bins), "normal samples in 150 bins over [-4, 4), one thread"


def sample(function, repeats=15, budget_s=4.0):
    """Milliseconds of repeated calls after one warm-up call: fewer where they would take longer than the budget."""
    function()
    times, begin = [], time.perf_counter()
    while len(times) < repeats and (len(times) < 3 or time.perf_counter() - begin < budget_s):
        start = time.perf_counter()
        function()
        times.append(1e3 * (time.perf_counter() - start))
    times.sort()
    return {
        "median": statistics.median(times),
        "min": times[0],
        "p95": times[round(0.95 * (len(times) - 1))],
        "samples": len(times),
    }


def measure():
    """The document: every operation by every tool that is installed."""
    tools = [("numpy", operations)] + [("numba", numba_operations)] * (numba is not None)
    rows = [
        {"tool": tool, "operation": operation, "size": size, "ms": sample(function), "note": note}
        for tool, listed in tools
        for operation, size, function, note in listed(np.random.default_rng(1))
    ]
    versions = {"numpy": np.__version__} | ({"numba": numba.__version__} if numba else {})
    return {
        "schema": 1,
        "backend": "cpu",
        "device": {"name": cpu_name()},
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": versions,
        "results": rows,
    }


def cpu_name():
    try:
        found = re.search(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.processor() or platform.machine()


def measure_to(path):
    """Measures and writes the document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=TARGET, metavar="FILE")
    target = parser.parse_args().out
    measure_to(target)
    print(target)
