"""LAB_SANDBOX confines the kernels that a student's commands start."""

import json

import pytest

from conftest import ROOT

SOLUTION = ROOT / "solutions/03_transpose_shared/kernel.cu"


@pytest.fixture
def kernel(tmp_path):
    """A right kernel whose host code writes a file, and that file."""
    touched = tmp_path / "touched"
    source = tmp_path / "kernel.cu"
    write = f'  if (FILE* f = std::fopen("{touched}", "w")) std::fclose(f);\n'
    launcher = "void transpose(const int* in, int* out, int rows, int cols) {\n"
    text = SOLUTION.read_text()
    assert launcher in text
    source.write_text("#include <cstdio>\n" + text.replace(launcher, launcher + write))
    return source, touched


def check(lab, source, **environment):
    done = lab.run("check", "03", "--kernel", str(source), "--backend", "sim", "--json", **environment)
    return json.loads(done.stdout)["results"][0]["verdict"]


def require(lab, level):
    """Doctor stops at the strongest level that holds; each level includes the lockdown of level 1."""
    findings = json.loads(lab.run("doctor", "--json").stdout)["findings"]
    holding = [int(one["what"].split()[1]) for one in findings if one["what"].startswith("sandbox ") and one["good"]]
    if not any(level in (found, 1) for found in holding):
        pytest.skip(f"sandbox level {level} does not hold on this machine")


def test_without_it_a_kernel_may_write_what_its_user_may(lab, kernel):
    source, touched = kernel
    assert check(lab, source) == "pass" and touched.exists()


@pytest.mark.parametrize("level", [1, 3])
def test_a_confined_kernel_is_checked_and_writes_no_file(lab, kernel, level):
    require(lab, level)
    source, touched = kernel
    assert check(lab, source, LAB_SANDBOX=str(level)) == "pass"
    assert not touched.exists()


@pytest.mark.parametrize("level", ["2", "yes", "-1"])
def test_another_level_is_refused(lab, level):
    done = lab.run("check", "03", "--backend", "sim", LAB_SANDBOX=level)
    assert done.returncode == 2 and f'LAB_SANDBOX is "{level}"; it may be 1 or 3' in done.stderr
