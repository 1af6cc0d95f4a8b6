"""`lab check --kernel FILE.patch`: a patch is applied to the lab's solution, and one that does not fit is refused."""

import re

import pytest

from conftest import BUILD, needs_patch

pytestmark = needs_patch
SIM = ("--backend", "sim")
PATCH = "tests/mutants/01_vector_add/no_guard.patch"


def test_a_patch_is_applied_to_the_solution_and_the_message_names_the_line_of_the_patched_kernel(lab):
    result = lab.run("check", "01", "--kernel", PATCH, *SIM)
    assert result.returncode == 1 and "out_of_bounds" in result.stdout
    line = int(re.search(r"  no_guard\.cu:(\d+)  out\[i\] = ", result.stdout)[1])
    patched = (BUILD / "patched/01_vector_add/no_guard.cu").read_text().splitlines()
    assert patched[line - 1].strip() == "out[i] = a[i] + b[i];"


def test_a_patch_follows_lines_that_move(lab):
    solution = lab.own("solutions/01_vector_add") / "kernel.cu"
    solution.write_text("// one\n// two\n" + solution.read_text())
    assert "out_of_bounds" in lab.run("check", "01", "--kernel", PATCH, *SIM).stdout


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda text: text.replace("if (i < n)", "if (n > i)"), "hunk FAILED"),
        (lambda text: text.replace("blockIdx.x *", "gridDim.x *"), "hunk FAILED"),
    ],
    ids=["the replaced line", "the line above"],
)
def test_a_patch_whose_lines_have_changed_is_refused_by_name(lab, change, words):
    solution = lab.own("solutions/01_vector_add") / "kernel.cu"
    solution.write_text(change(solution.read_text()))
    result = lab.run("check", "01", "--kernel", PATCH, *SIM)
    assert result.returncode == 2
    assert "no_guard.patch" in result.stderr and words in result.stderr


def test_a_file_that_is_no_patch_and_one_that_does_not_exist_are_refused(lab):
    empty = lab.root / "empty.patch"
    empty.write_text("expect: race\n")
    result = lab.run("check", "01", "--kernel", empty, *SIM)
    assert result.returncode == 2 and "Only garbage" in result.stderr
    missing = lab.run("check", "01", "--kernel", "missing.patch", *SIM)
    assert missing.returncode == 2 and "does not exist" in missing.stderr
