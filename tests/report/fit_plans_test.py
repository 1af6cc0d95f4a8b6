"""record_plans.py draws sizes, and fit_plans.py fits the estimate of lab 17's encore to the times of its plans."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "report"))
import fit_plans
import record_plans

BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
FORMS = (fit_plans.ENCORE / "forms.hpp").read_text().count("    facts_of<")
NVCC = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")
HEAD = {"multiprocessors": 132, "memory_clock_khz": 3201000, "memory_bus_bits": 6144}
HEAD["forms"] = [  # source, rows, columns, blocks of a cluster below and beside each other, turned, threads
    [0, 128, 256, 1, 1, 0, 384],
    [0, 128, 192, 1, 1, 0, 384],
    [0, 64, 128, 1, 1, 0, 256],
    [0, 64, 64, 1, 1, 0, 256],
    [0, 128, 64, 1, 1, 0, 384],
    [0, 7, 7, 1, 1, 0, 256],  # one that the encore has no longer
]


def test_the_sizes_are_as_many_as_asked_for_the_same_for_a_seed_and_none_takes_long():
    sizes = record_plans.drawn_sizes(7, 500)
    assert len(set(sizes)) == 500 and sizes == record_plans.drawn_sizes(7, 500) != record_plans.drawn_sizes(8, 500)
    for n, m, p in sizes:
        assert min(n, m, p) >= 1 and n * m * p <= 3e11 and max(n * m, m * p, n * p) <= 2**28
    assert any(m % 2 and p % 2 for _, m, p in sizes) and any(m % 64 == p % 64 == 0 for _, m, p in sizes)
    assert any(n <= 32 for n, _, _ in sizes) and any(p <= 32 for _, _, p in sizes)


def test_the_program_that_times_plans_describes_forms_and_times_plans_of_each_size(tmp_path):
    """On the simulator, whose times mean nothing. The last size leaves no choice."""
    program = tmp_path / "plans"
    options = ["-O1", "-lcublas"]
    record_plans.compile_for_encore(BUILD / "bin/labcc", ROOT / "report/measure/matmul_plans.cu", program, options)
    sizes = "130 64 264\n40 70 90\n7 8 9\n"
    done = subprocess.run([program, "1"], input=sizes, check=True, capture_output=True, text=True)
    head, *rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert head["multiprocessors"] == 132 and len(head["forms"]) == FORMS and {len(of) for of in head["forms"]} == {7}
    assert [row["size"] for row in rows] == [[130, 64, 264], [40, 70, 90]]
    for row in rows:
        assert row["cublas"] > 0 and row["plans"] and {len(plan) for plan in row["plans"]} == {7}
        fastest = min(plan[-1] for plan in row["plans"])
        assert all(-1 <= form < FORMS and 0 < time <= 1.5 * fastest for form, *_, time in row["plans"])


def test_a_constant_is_replaced_where_it_stands_and_nothing_else_changes():
    constants = fit_plans.Constants.of_encore()
    assert constants.replaced(constants.values) == constants.texts and len(constants.texts) == 2
    names = [address for *_, address in constants.places]
    values = constants.values.copy()
    values[names.index("&line")] = 0.000098765
    values[names.index("reinterpret_cast<double*>(straddles) + 4")] = 1.25
    values[names.index("reinterpret_cast<double*>(slim_speeds) + 1")] = 0.777
    changed = [
        new
        for file, text in constants.replaced(values).items()
        for old, new in zip(constants.texts[file].splitlines(), text.splitlines(), strict=True)
        if old != new
    ]
    assert len(changed) == 3
    assert changed[0].startswith("constexpr double line = 9.88e-5; ") and "{1.25, " in changed[1]
    assert ", 0.777, {" in changed[2] and "whole_lines" not in "".join(names)
    of_form = [i for i, name in enumerate(names) if "of_form" in name]
    assert len(of_form) == 2 * FORMS and all(constants.anchors[of_form] > 100 * constants.anchors[0])


def test_a_damaged_record_is_named(tmp_path, capsys):
    (tmp_path / "some_plans.jsonl").write_text('{"forms": []}\n{"size": [1')
    assert fit_plans.main(["some", "--recorded", str(tmp_path)]) == 2
    assert f"{tmp_path}/some_plans.jsonl" in capsys.readouterr().err
    assert fit_plans.main(["none", "--recorded", str(tmp_path)]) == 2


def whole_tiles(size, facts):
    """The plan of a form in which no tile is shared, without its times."""
    n, _, p = size
    tiles = -(-n // facts[1]) * -(-p // facts[2])
    blocks = min(tiles, HEAD["multiprocessors"])
    return [HEAD["forms"].index(facts), blocks, -(-tiles // blocks), 0, 0, 1.0]


@pytest.fixture(scope="module")
def estimate(tmp_path_factory):
    if not NVCC:
        pytest.skip("needs nvcc")
    constants = fit_plans.Constants.of_encore()
    return fit_plans.Estimate(NVCC, constants, HEAD, tmp_path_factory.mktemp("estimate")), constants


def test_kernels_other_than_the_ring_are_estimated_by_constants_that_can_be_fitted(estimate):
    """Their rows have the side of small tiles, the rows of slim ones, and whether it is the kernel for few columns."""
    of_encore, constants = estimate
    others = [[16, 0, 0, 0], [64, 0, 0, 0], [0, 16, 0, 0], [0, 64, 0, 0], [0, 0, 1, 0]]
    rows = numpy.array([[500, 90, 7, -1, *how] for how in others], dtype=numpy.int32)
    before = of_encore.times(constants.values, rows)
    assert len(set(before)) == len(others) and all(before > 2)
    values = constants.values.copy()
    for i, (*_, address) in enumerate(constants.places):
        if "slim_speeds" in address:
            values[i] *= 2
    longer = of_encore.times(values, rows) / before
    assert all(longer[2:4] > 1.5) and all(longer[[0, 1, 4]] == 1)


def test_the_fit_finds_constants_that_choose_faster_plans_also_at_sizes_that_it_has_not_seen(estimate, capsys):
    """The times are those of another GPU: one whose L2 is half as fast, and that stores faster."""
    of_encore, constants = estimate
    names = [address for *_, address in constants.places]
    other = constants.values.copy()
    other[names.index("&line_of_all")] *= 2
    other[names.index("&storing")] /= 2
    sizes = [[n, m // 8 * 8 + 8, p // 8 * 8 + 8] for n, m, p in record_plans.drawn_sizes(3, 200) if n > 64]
    documents = [
        {"size": size, "cublas": 10, "plans": [whole_tiles(size, of) for of in HEAD["forms"]]} for size in sizes
    ]
    for one in documents:
        for plan in one["plans"]:
            plan.append(1e-3)  # no time yet; and that of the unknown form, which would be the fastest
    forms = [of_encore.form_of(facts) for facts in HEAD["forms"]]
    assert forms == [0, 1, 2, 3, 4, -1]
    timed = fit_plans.Timed(documents, forms)
    assert len(timed.rows) == 5 * len(sizes)
    times = iter(timed.expected(of_encore, other))
    for one in documents:
        for plan in one["plans"][:-1]:
            plan[-1] = next(times)
    values = fit_plans.fit(of_encore, constants, HEAD, documents, 15)
    lines = capsys.readouterr().out.splitlines()
    parts = [f"{part}, {when}" for part in ("fitted", "kept apart") for when in ("before", "after")]
    assert [line.split(":")[0] for line in lines] == parts
    slower = [float(line.split(":")[1].split("%")[0]) for line in lines]
    assert slower[1] < slower[0] / 2 and slower[3] < slower[2] / 2, lines
    assert values[names.index("&line_of_all")] > 1.3 * constants.values[names.index("&line_of_all")]
