"""`lab validate` as the author of a lab calls it."""
# ctest: long

import json
import signal

import pytest

from waiting import wait_until


@pytest.fixture
def listed(lab):
    """The list of lab 01's mutants that may pass, for a test to change."""
    return lab.own("solutions/01_vector_add") / "equivalent_mutants.txt"


def validated(lab, *arguments):
    result = lab.run("validate", *arguments, "--json")
    return result.returncode, json.loads(result.stdout)["labs"]


@pytest.mark.parametrize("number", ["03", "07", "09", "11"])
def test_a_sample_of_a_labs_mutants_fails_or_is_listed(lab, number):
    code, (one,) = validated(lab, number, "--sample", "5", "--seed", "20261122")
    passing = [(m["line"], m["after"]) for m in one["mutants"] if m["verdict"] == "pass"]
    assert passing == [] and one["unknown"] == [] and one["refuted"] == [] and code == 0


def test_a_sample_is_the_same_again_and_a_mutant_shows_both_lines(lab, listed):
    listed.unlink()
    arguments = ("01", "--sample", "2", "--seed", "10")
    code, (one,) = validated(lab, *arguments)
    mutants = one["mutants"]
    assert len(mutants) == 2 and all(m["before"] != m["after"] and m["line"] > 1 for m in mutants)
    assert any(m["verdict"] == "pass" for m in mutants) and code == 1
    assert validated(lab, *arguments) == (code, [one])


def test_entries_that_name_no_mutant_are_an_error(lab, listed):
    listed.write_text("- no such line\n+ nor this\nGone.\n")
    code, (one,) = validated(lab, "01", "--sample", "1", "--seed", "2")
    assert code == 1 and one["unknown"] == [{"before": "no such line", "after": "nor this"}]
    said = lab.run("validate", "01", "--sample", "1").stdout
    assert "no such mutant" in said and "no such line" in said


def test_an_entry_whose_mutant_fails_is_an_error(lab, listed):
    listed.unlink()
    chosen = ("01", "--sample", "2", "--seed", "15")
    _, (one,) = validated(lab, *chosen)
    fails = next(m for m in one["mutants"] if m["verdict"] != "pass")
    listed.write_text(f"- {fails['before']}\n+ {fails['after']}\nNot true.\n")
    code, (one,) = validated(lab, *chosen)
    assert code == 1 and one["refuted"] == [{"before": fails["before"], "after": fails["after"]}]
    assert one["unknown"] == []


def test_a_list_that_cannot_be_read_is_wrong_usage_and_names_its_line(lab, listed):
    listed.write_text("- no such line\n+ nor this\nGone.\n\n- broken\n")
    result = lab.run("validate", "01", "--sample", "1")
    assert result.returncode == 2 and "equivalent_mutants.txt:6" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind(lab, tmp_path, monkeypatch, number):
    made = tmp_path / "made"
    made.mkdir()
    monkeypatch.setenv("TMPDIR", str(made))
    process = lab.start("validate", "01")
    wait_until(lambda: list(made.rglob("kernel.cu")))
    process.send_signal(number)
    process.communicate()
    assert process.returncode == 128 + number
    assert list(made.iterdir()) == []
