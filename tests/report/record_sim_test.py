"""record_sim.py keeps what the READMEs' references name; what it kept is what the simulator counts today."""

import json
import os
import pathlib
import stat
import types

import pytest

import record_sim
from conftest import ROOT

LAB = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim")) / "bin/lab"
CHEAP = 200_000  # requests; such profiles take a second or two


@pytest.fixture
def machine(tmp_path):
    """run(): record_sim.py for two labs, with a command `lab` that answers from the file `answer`."""
    for room in ("labs", "solutions"):
        (tmp_path / room / "04_t").mkdir(parents=True)
    reference = "sim 04/solution f 8x8 load_sectors / 04/no_guard"
    (tmp_path / "labs/04_t/README.md").write_text(f"1<!--{reference}--> 2<!--= 2-->")
    (tmp_path / "solutions/04_t/README.md").write_text("1 ms<!--h200 04/encore f 7x7 time-->")
    (tmp_path / "recorded").mkdir()
    lab = tmp_path / "lab"
    lab.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/calls\ncat {tmp_path}/answer || exit 1\n')
    lab.chmod(lab.stat().st_mode | stat.S_IXUSR)
    places = [f"--{name}={tmp_path / name}" for name in ("labs", "solutions", "recorded", "lab")]

    def answer(sectors=4):
        line = {"space": "global", "op": "load", "requests": 1, "sectors": sectors, "sectors_ideal": 4,
                "wavefronts": 0, "wavefronts_ideal": 0, "bank_conflicts": 0}  # fmt: skip
        launch = {"kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1], "launcher": "f", "size": "8x8"}
        (tmp_path / "answer").write_text(json.dumps({"launches": [{**launch, "lines": [line, line]}]}))

    def rows():
        return json.loads((tmp_path / "recorded/sim.json").read_text())["counts"]

    def run(*more):
        (tmp_path / "calls").write_text("")
        return record_sim.main([*places, *more])

    return types.SimpleNamespace(root=tmp_path, answer=answer, rows=rows, run=run)


def test_what_references_name_is_profiled_and_summed(machine):
    machine.answer()
    assert machine.run() == 0
    calls = (machine.root / "calls").read_text()
    assert "profile 04_t --solution --size 8x8 --seed 1 --backend sim" in calls and calls.count("\n") == 2
    assert "tests/mutants/04_t/no_guard.patch --size 8x8" in calls
    counts = {"load_requests": 2, "load_sectors": 8, "load_sectors_ideal": 8}
    assert [row["launches"][0]["counts"] for row in machine.rows()] == [counts, counts]


def test_another_count_is_named(machine, capsys):
    machine.answer()
    machine.run()
    assert machine.run("--check") == 0
    machine.answer(sectors=32)
    assert machine.run("--check") == 1 and "the simulator counts" in capsys.readouterr().err
    assert machine.rows()[0]["launches"][0]["counts"]["load_sectors"] == 8
    assert machine.run("--check", "--at-most", "1") == 0, "nothing is that cheap"


def test_a_profile_that_fails_keeps_the_old_row_and_is_named(machine, capsys):
    machine.answer()
    machine.run()
    (machine.root / "answer").unlink()
    assert machine.run() == 1 and "04_t solution 8x8 - " in capsys.readouterr().err
    assert len(machine.rows()) == 2


def test_rows_that_no_reference_names_any_more_go(machine):
    machine.answer()
    machine.run()
    (machine.root / "labs/04_t/README.md").write_text("1<!--sim 04/solution f 8x8 load_sectors-->")
    assert machine.run("--only", "05") == 0
    assert [row["variant"] for row in machine.rows()] == ["solution"] and not (machine.root / "calls").read_text()


def test_a_damaged_record_is_told(machine, capsys):
    (machine.root / "recorded/sim.json").write_text('{"schema": 1, "counts": [{}]}')
    assert machine.run() == 2 and "is a required property" in capsys.readouterr().err


def test_the_record_is_what_the_simulator_counts_today(capsys):
    assert record_sim.main(["--check", "--at-most", str(CHEAP), "--lab", str(LAB)]) == 0, capsys.readouterr().err
    counted = {line.split("_")[0] for line in capsys.readouterr().out.splitlines()}
    assert len(counted) >= 4, "too few of the record's rows are cheap enough for this test"
