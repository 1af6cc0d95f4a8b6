"""Stages: a lab that is checked in parts, here lab 01 with its kernel and its host side."""

import json

import pytest

SIM = ("--backend", "sim")
KERNEL = "labs/01_vector_add/kernel.cu"


@pytest.fixture
def half(lab):
    """A checkout whose lab 01 has a right kernel and an unwritten host side."""
    path = lab.root / KERNEL
    text = path.read_text()
    path.write_text(text.replace("// TODO: if element i exists", "if (i < n) out[i] = a[i] + b[i]; //"))
    assert path.read_text() != text
    return lab


def stages(lab):
    rows = json.loads(lab.run("list", "--json").stdout)["labs"]
    return [stage["state"] for stage in rows[0]["stages"]], rows[0]["state"]


def result(lab, *arguments):
    (row,) = json.loads(lab.run("check", *arguments, "--json", *SIM).stdout)["results"]
    return row


def test_a_check_stops_at_the_first_stage_that_fails(lab):
    row = result(lab, "01")
    assert row["stage"] == 0 and row["verdict"] == "wrong_answer"
    assert [(s["stage"], s["verdict"]) for s in row["stages"]] == [(1, "wrong_answer"), (2, "skipped")]
    assert {case["launcher"] for case in row["cases"]} == {"vector_add"}


def test_a_stage_that_passed_is_remembered_and_the_next_one_is_named(half):
    said = half.run("check", "01.1", *SIM)
    assert said.returncode == 0 and "./lab check 01.2" in said.stdout
    assert stages(half) == (["passed", "todo"], "todo")
    assert "stage 2 of 2: the host side" in half.run("next").stdout
    assert "1 of 2 01_vector_add" in half.run("list").stdout


def test_the_next_stage_fails_with_its_own_cases_and_its_own_hint(half):
    row = result(half, "01.2")
    assert row["stage"] == 2 and {case["launcher"] for case in row["cases"]} == {"vector_add_host"}
    assert {case["hint"] for case in row["cases"]} == {4}
    said = half.run("check", "01", *SIM)
    assert said.returncode == 1 and "01_vector_add.2" in said.stdout and "the host side: wrong_answer" in said.stdout
    assert "./lab hint 01.2" in said.stdout
    assert stages(half) == (["passed", "todo"], "todo")


def test_only_a_check_of_all_stages_passes_the_lab(lab):
    path = lab.root / KERNEL
    path.write_text((lab.root / "solutions/01_vector_add/kernel.cu").read_text())
    assert "checks all stages" in lab.run("check", "01.2", *SIM).stdout
    lab.run("check", "01.1", *SIM)
    assert stages(lab) == (["passed", "passed"], "todo")
    row = result(lab, "01")
    assert row["verdict"] == "pass" and [s["verdict"] for s in row["stages"]] == ["pass", "pass"]
    assert {case["launcher"] for case in row["cases"]} == {"vector_add", "vector_add_host"}
    assert stages(lab) == (["passed", "passed"], "passed")


def test_hints_of_a_stage_leave_out_those_of_the_others(lab):
    assert lab.run("hint", "01.2").stdout.startswith("4. ")
    assert lab.run("hint", "01", "1").stdout.startswith("1. ")


def test_a_message_and_a_hint_name_the_next_hint_in_one_form_with_its_stage(lab):
    assert "Next: ./lab hint 01.1 1 (" in lab.run("check", "01.1", *SIM).stdout
    assert "(1 of 6; next hint: ./lab hint 01.1 2)" in lab.run("hint", "01.1", "1").stdout
    assert "(3 of 6, the last of stage 1; next hint: ./lab hint 01.2 4)" in lab.run("hint", "01", "3").stdout
    assert "(6 of 6; solutions/01_vector_add/README.md" in lab.run("hint", "01.2", "6").stdout


def test_a_hint_of_another_stage_is_refused_and_its_command_named(lab):
    refused = lab.run("hint", "01.2", "1")
    assert refused.returncode == 2 and "hint 1 is of stage 1: ./lab hint 01.1 1" in refused.stderr
    assert "stage 2 has hints 4, 5 and 6" in refused.stderr


def test_a_stage_shows_no_compiler_warning_about_another_stages_kernel(lab):
    first = lab.run("check", "14.1", "--size", "1", *SIM).stdout
    assert "never written" in first and "The compiler warns" not in first
    assert "variable 'x_tile' set but not used" in lab.run("check", "14.2", "--size", "1", *SIM).stdout


@pytest.mark.parametrize("wrong, said", [("01.3", "there is no stage 3"), ("03.1", "no stages"), ("1.x", "no lab")])
def test_an_unknown_stage_is_a_usage_error(lab, wrong, said):
    result = lab.run("check", wrong, *SIM)
    assert result.returncode == 2 and said in result.stderr
