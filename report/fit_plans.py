#!/usr/bin/python3
"""Fits the constants by which lab 17's encore estimates the time of its plans, to report/results/NAME_plans.jsonl.

Prints how much slower than the fastest timed plan the chosen one is, and at how many sizes cuBLAS is ahead, before and
after: at the sizes of the fit, and at a quarter that was kept apart. Needs nvcc and SciPy, and no GPU.
Exit codes: 0 done, 2 the record is damaged, 3 nvcc or SciPy is missing or fails.
"""

import argparse
import ctypes
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy

import record_plans

HERE = pathlib.Path(__file__).resolve().parent
ENCORE = HERE.parent / "solutions/17_matmul_hopper"
FILES = "estimate.hpp", "estimate_others.hpp"  # with the constants
CONSTANT = re.compile(r"^constexpr (double|straddling|s\w+_speed) (\w+)([\[\]23]*) = ([^;]*);", re.MULTILINE)
NUMBER = re.compile(r"\d[\d.]*(?:e-?\d+)?")
TIMED = 0.12  # in logarithms of time: plans so near the fastest count when the times themselves are fitted
SOFTNESS = 0.015  # of the choice, in the same: so that a constant that changes little still counts
LEVEL = 1  # how much the times themselves count, beside the choice among them
BEHIND = 10, 0.05  # how much it counts where cuBLAS is ahead, and by how much it has to be
ANCHOR = 1e-4  # how much a constant's change counts: one of which the times say nothing stays
BESIDE_TIMES = 0.02  # so much of it, when the times themselves are fitted
OF_FORM = 0.05  # the same of a factor of a form, which else would drop forms
APART = 4  # every so many-th size takes no part in the fit


class Constants:
    """The numbers in the encore's files, which are all positive. `texts`: of each file."""

    def __init__(self, texts):
        self.texts = texts
        self.places = []  # (file, begin, end) and an expression for the address
        for file, text in texts.items():
            for found in CONSTANT.finditer(text):
                self._add(file, text, found)
        self.values = numpy.array([float(texts[file][begin:end]) for file, begin, end, _ in self.places])
        self.anchors = numpy.array([OF_FORM if "of_form" in address else ANCHOR for *_, address in self.places])

    @classmethod
    def of_encore(cls):
        return cls({file: (ENCORE / file).read_text() for file in FILES})

    def _add(self, file, text, found):
        kind, name, array, _ = found.groups()
        if kind != "double" and not array:
            return  # one aggregate, such as that of rows that cost nothing more
        for i, number in enumerate(NUMBER.finditer(text, *found.span(4))):
            address = f"reinterpret_cast<double*>({name}) + {i}" if array else f"&{name}"
            self.places.append((file, *number.span(), address))

    def write_variables(self, folder):
        """The files with variables in place of constants, and constants.inc with their addresses."""
        for file, text in self.texts.items():
            (folder / file).write_text(CONSTANT.sub(lambda found: found[0].replace("constexpr", "inline", 1), text))
        (folder / "constants.inc").write_text("".join(f"{address},\n" for *_, address in self.places))

    def replaced(self, values):
        """The texts with other values, of three digits; those that do not change keep theirs."""
        texts = dict(self.texts)
        for place, before, after in reversed(list(zip(self.places, self.values, values, strict=True))):
            file, begin, end, _ = place
            if f"{after:.3g}" != f"{before:.3g}":
                number = f"{after:.3g}".replace("e-0", "e-").replace("e+0", "e")
                texts[file] = texts[file][:begin] + number + texts[file][end:]
        return texts


class Estimate:
    """The encore's estimate, compiled with constants that can be set."""

    def __init__(self, nvcc, constants, head, folder):
        constants.write_variables(folder)
        library, runtime = folder / "estimate.so", pathlib.Path(nvcc).resolve().parent.parent / "lib64"
        options = ["-O2", "-shared", "-cudart", "shared", "-gencode", "arch=compute_90a,code=compute_90a"]
        options += ["-Xcompiler", "-fPIC,-fopenmp", "-Xlinker", f"-Bsymbolic,-rpath={runtime}"]
        record_plans.compile_for_encore(nvcc, HERE / "measure/matmul_estimate.cu", library, options, [folder])
        self._library = ctypes.CDLL(library)
        self._library.describe_gpu(head["multiprocessors"], head["memory_clock_khz"], head["memory_bus_bits"])

    def form_of(self, facts):
        return self._library.form_of((ctypes.c_int * len(facts))(*facts))

    def times(self, values, rows):
        values, times = numpy.ascontiguousarray(values), numpy.empty(len(rows))
        self._library.set_constants(values.ctypes.data_as(ctypes.c_void_p))
        self._library.estimate(rows.ctypes.data_as(ctypes.c_void_p), len(rows), times.ctypes.data_as(ctypes.c_void_p))
        return times


class Timed:
    """The timed plans of some sizes: one row for each plan, those of a size one after the other."""

    def __init__(self, sizes, forms):
        rows, times, first = [], [], []
        self.cublas, self.sizes = [], []
        for one in sizes:
            known = [plan for plan in one["plans"] if plan[0] < 0 or forms[plan[0]] >= 0]
            if not known:
                continue
            first.append(len(rows))
            self.cublas.append(one["cublas"])
            self.sizes.append(one["size"])
            for form, *how, _, time in known:
                rows.append([*one["size"], forms[form] if form >= 0 else -1, *how])
                times.append(time)
        self.rows = numpy.array(rows, dtype=numpy.int32)
        self.times = numpy.array(times)
        self.first, self.cublas = numpy.array(first), numpy.array(self.cublas)
        self.size_of = numpy.repeat(numpy.arange(len(first)), numpy.diff([*first, len(rows)]))
        self.fastest = numpy.minimum.reduceat(self.times, self.first)
        self.slower = numpy.log(self.times / self.fastest[self.size_of])

    def expected(self, estimate, values):
        return estimate.times(values, self.rows)

    def chosen(self, expected):
        """The time of the plan that is expected to be the fastest, for each size."""
        least = numpy.minimum.reduceat(expected, self.first)
        best = numpy.where(expected <= least[self.size_of], numpy.arange(len(expected)), len(expected))
        return self.times[numpy.minimum.reduceat(best, self.first)]

    def near(self, expected):
        """The plans that are or seem to be nearly the fastest, and weights: each size counts once."""
        least = numpy.minimum.reduceat(expected, self.first)[self.size_of]
        near = (self.slower < TIMED) | (expected < (1 + TIMED) * least)
        count = numpy.bincount(self.size_of[near], minlength=len(self.first))
        return near, 1 / numpy.sqrt(count[self.size_of[near]])

    def loss(self, expected):
        """How much slower the chosen plan is on average, its choice made soft, and how far off the times are."""
        logs = numpy.log(expected)
        near = numpy.exp(-(logs - numpy.minimum.reduceat(logs, self.first)[self.size_of]) / SOFTNESS)
        part = near / numpy.add.reduceat(near, self.first)[self.size_of]
        weight, ahead = BEHIND
        behind = numpy.maximum(numpy.log(self.times / self.cublas[self.size_of]) - ahead, 0)
        cost = self.slower + 4 * self.slower**2 + weight * behind**2
        off = LEVEL * (logs - numpy.log(self.times)) ** 2
        return numpy.add.reduceat(part * (cost + off), self.first).mean()


def fitted_to_times(timed, estimate, start, values, anchors):
    """The constants by which the times themselves are expected best, at the plans that are nearly the fastest."""
    from scipy.optimize import least_squares

    near, weights = timed.near(timed.expected(estimate, values))
    times, anchors = numpy.log(timed.times[near]), numpy.sqrt(BESIDE_TIMES * anchors * len(timed.first))

    def off(changes):
        expected = timed.expected(estimate, start * numpy.exp(changes))
        return numpy.concatenate([weights * (numpy.log(expected[near]) - times), anchors * changes])

    most = 2.5  # e to so much is the greatest change
    begin = numpy.clip(numpy.log(values / start), -most, most)
    found = least_squares(off, begin, bounds=(-most, most), loss="soft_l1", f_scale=0.05, diff_step=2e-3, max_nfev=40)
    return start * numpy.exp(found.x)


def fitted_to_choice(timed, estimate, start, values, anchors, rounds):
    """The constants of the least loss near these. Each is found as the logarithm of its change."""
    from scipy.optimize import minimize

    def loss(changes):
        now = values * numpy.exp(changes)
        return timed.loss(timed.expected(estimate, now)) + (anchors * numpy.log(now / start) ** 2).sum()

    for step in (1e-3, 3e-4):
        begin = numpy.zeros(len(values))
        found = minimize(loss, begin, method="L-BFGS-B", bounds=[(-1, 1)] * len(values),
                         options={"maxiter": rounds, "maxfun": 10**7, "eps": step})  # fmt: skip
        values = values * numpy.exp(found.x)
    return values


def fitted(timed, estimate, start, anchors, rounds):
    """The constants by which the fastest plans are chosen: those that expect the times, changed for the choice."""
    values = start
    for _ in range(3):  # other plans seem to be fast each time
        values = fitted_to_times(timed, estimate, start, values, anchors)
    return fitted_to_choice(timed, estimate, start, values, anchors, rounds)


def summary(timed, expected):
    chosen = timed.chosen(expected)
    ahead = timed.cublas / chosen
    slower, mean = numpy.log(chosen / timed.fastest).mean(), numpy.exp(numpy.log(ahead).mean())
    worst = numpy.argmin(ahead)
    below = ", ".join(f"below {limit} at {(ahead < limit).sum()}" for limit in (0.85, 0.9, 1))
    return (
        f"{100 * numpy.expm1(slower):.2f}% slower than the fastest plan; cuBLAS's time by ours {mean:.3f}, {below} "
        f"of {len(ahead)} sizes, least {ahead[worst]:.2f} at {' x '.join(map(str, timed.sizes[worst]))}"
    )


def main(arguments=None):
    options = _options(arguments)
    source = options.recorded / f"{options.name}_plans.jsonl"
    try:
        head, *sizes = [json.loads(line) for line in source.read_text().splitlines()]
    except (OSError, ValueError) as error:
        print(f"fit_plans: {source}: {error}", file=sys.stderr)
        return 2
    nvcc = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")
    if not nvcc or not importlib.util.find_spec("scipy"):
        print(f"fit_plans: {'SciPy' if nvcc else 'nvcc'} is not installed", file=sys.stderr)
        return 3
    constants = Constants.of_encore()
    with tempfile.TemporaryDirectory() as folder:
        try:
            estimate = Estimate(nvcc, constants, head, pathlib.Path(folder))
        except subprocess.CalledProcessError as error:
            print(f"fit_plans: {error.stderr or error}", file=sys.stderr)
            return 3
        values = fit(estimate, constants, head, sizes, options.rounds)
    if options.write:
        for file, text in constants.replaced(values).items():
            (ENCORE / file).write_text(text)
    return 0


def fit(estimate, constants, head, sizes, rounds):
    """The fitted constants. Prints what they gain."""
    forms = [estimate.form_of(facts) for facts in head["forms"]]
    parts = {
        "fitted": Timed([one for i, one in enumerate(sizes) if i % APART], forms),
        "kept apart": Timed(sizes[::APART], forms),
    }
    start = constants.values
    values = fitted(parts["fitted"], estimate, start, constants.anchors, rounds) if rounds else start
    for name, timed in parts.items():
        print(f"{name}, before: {summary(timed, timed.expected(estimate, start))}")
        print(f"{name}, after:  {summary(timed, timed.expected(estimate, values))}")
    return values


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("name", help="of the record, such as h200")
    parser.add_argument("--rounds", type=int, default=40, help="of the search; 0 only looks (default: 40)")
    parser.add_argument("--write", action="store_true", help="write the constants into the encore")
    parser.add_argument("--recorded", type=pathlib.Path, default=HERE / "results", help="where records are kept")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
