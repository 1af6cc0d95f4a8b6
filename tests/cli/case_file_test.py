"""`lab gen` and `lab run --input`: cases in NumPy's format, and what happens to files that are none."""

import os
import pathlib
import re
import subprocess
import sys

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def case(lab, tmp_path):
    """A case of lab 07 and its arrays."""
    file = tmp_path / "case.npz"
    made = lab.run("gen", "07", "--size", "31x33x29", "--seed", "5", "-o", str(file))
    assert made.returncode == 0, made.stderr
    return file, dict(numpy.load(file))


def run(lab, file, *more):
    return lab.run("run", "07", "--solution", "--backend", "sim", "--input", str(file), *more)


def test_a_case_goes_to_numpy_and_back(lab, case, tmp_path):
    file, arrays = case
    done = run(lab, file, "--output", str(tmp_path / "out.npz"))
    assert done.returncode == 0, done.stdout + done.stderr
    c = numpy.load(tmp_path / "out.npz")["c"]
    assert c.dtype == numpy.float32
    numpy.testing.assert_allclose(c, arrays["a"] @ arrays["b"], atol=1e-5)


def test_the_same_seed_gives_the_same_case(lab, case, tmp_path):
    _, arrays = case
    lab.run("gen", "07", "--size", "31x33x29", "--seed", "5", "-o", str(tmp_path / "again.npz"))
    lab.run("gen", "07", "--size", "31x33x29", "--seed", "6", "-o", str(tmp_path / "other.npz"))
    assert numpy.array_equal(numpy.load(tmp_path / "again.npz")["a"], arrays["a"])
    assert not numpy.array_equal(numpy.load(tmp_path / "other.npz")["a"], arrays["a"])


def test_arrays_of_ones_own_need_no_more_than_a_size(lab, tmp_path):
    file = tmp_path / "own.npz"
    numpy.savez(file, a=numpy.ones((3, 2), "float32"), b=numpy.full((2, 5), 4, "float32"))
    assert run(lab, file).returncode == 2
    done = run(lab, file, "--size", "3x2x5", "--output", str(tmp_path / "out.npz"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert numpy.array_equal(numpy.load(tmp_path / "out.npz")["c"], numpy.full((3, 5), 8, "float32"))


def test_a_wrong_kernel_fails_and_its_output_is_kept(lab, case, tmp_path):
    file, _ = case
    done = lab.run("run", "07", "--backend", "sim", "--input", str(file), "--output", str(tmp_path / "out.npz"))
    assert done.returncode == 1
    assert "wrong_answer" in done.stdout
    assert numpy.load(tmp_path / "out.npz")["c"].shape == (31, 29)


def test_labs_of_one_family_share_their_cases_and_others_refuse_them(lab, case):
    file, _ = case
    assert lab.run("run", "05", "--solution", "--backend", "sim", "--input", str(file)).returncode == 0
    other = lab.run("run", "04", "--solution", "--backend", "sim", "--input", str(file))
    assert other.returncode == 2
    assert str(file) in other.stderr and "matmul" in other.stderr


def changed(arrays, **others):
    return {**arrays, **others}


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda a: changed(a, a=a["b"], b=a["a"]), "shape (33, 29)"),
        (lambda a: changed(a, a=a["a"].astype("float64")), "float64"),
        (lambda a: changed(a, n=numpy.int32(3000)), "`n`"),
        (lambda a: changed(a, size=numpy.array([31, -33, 29])), "`size`"),
        (lambda a: changed(a, lab="04_transpose_padded"), "04_transpose_padded"),
        (lambda a: {k: v for k, v in a.items() if k != "b"}, "no array `b`"),
        (lambda a: changed(a, b=numpy.array([{}], dtype=object)), "pickle"),
    ],
)
def test_what_does_not_fit_is_named(lab, case, tmp_path, change, says):
    file = tmp_path / "changed.npz"
    numpy.savez(file, **change(case[1]))
    done = run(lab, file)
    assert done.returncode == 2
    assert str(file) in done.stderr and says in done.stderr


@pytest.mark.parametrize("damage", ["half", "bit", "text", "empty"])
def test_a_damaged_file_is_refused(lab, case, tmp_path, damage):
    raw = bytearray(case[0].read_bytes())
    raw[400] ^= 255
    content = {"half": raw[: len(raw) // 2], "bit": raw, "text": b"hello", "empty": b""}[damage]
    file = tmp_path / "damaged.npz"
    file.write_bytes(content)
    done = run(lab, file)
    assert done.returncode == 2
    assert str(file) in done.stderr


def test_an_output_that_cannot_be_written_is_an_error(lab, case, tmp_path):
    done = run(lab, case[0], "--output", str(tmp_path / "no such folder" / "out.npz"))
    assert done.returncode == 2
    assert "No such file" in done.stderr


def test_the_program_in_lesson_11_plots_the_histogram(lab, tmp_path):
    pytest.importorskip("matplotlib")
    lesson = (ROOT / "labs/11_atomics_histogram/README.md").read_text()
    (program,) = re.findall(r"```python\n(.+?)```", lesson, re.DOTALL)
    gen, run_it = re.findall(r"^    \./lab ((?:gen|run) .+)$", lesson, re.MULTILINE)
    file, out = str(tmp_path / "case.npz"), str(tmp_path / "out.npz")
    words = gen.replace("1000000x150", "5000x150").replace("case.npz", file).split()
    assert lab.run(*words).returncode == 0
    words = run_it.replace("case.npz", file).replace("out.npz", out).split()
    done = lab.run(*words, "--solution", "--backend", "sim")
    assert done.returncode == 0, done.stdout + done.stderr
    environment = dict(os.environ, MPLBACKEND="Agg")
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "histogram.png").read_bytes().startswith(b"\x89PNG")
