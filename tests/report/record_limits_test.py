"""record_limits.py keeps what `lab profile --limits` found; the READMEs tell it."""

import csv
import json
import pathlib
import stat
import types

import pytest

import record_limits
import update_readmes
from data import goals, limit_table, load

ROOT = pathlib.Path(__file__).resolve().parents[2]
NCU_PAGE = ROOT / "tests/trace/data/ncu_limits.csv"
SOURCE = load.Source("cuda", "NVIDIA Test", "2030-01-02", True, "1.2")
README = "# 15\n\n<!-- limits -->\nNo profile is recorded yet.\n<!-- end of limits -->\n\nThe end.\n"


def launches(launcher="matmul", size="4096x4096x4096"):
    """The launches of Nsight Compute's page as `lab profile --json` has them."""
    with NCU_PAGE.open(encoding="utf-8") as file:
        names, _, *rows = csv.reader(file)
    numbers = [i for i, name in enumerate(names) if "__" in name]
    return [
        {"launcher": launcher, "size": size, "kernel": row[4], "lines": [],
         "metrics": {names[i]: 0.0 if row[i] == "n/a" else float(row[i].replace(",", "")) for i in numbers}}
        for row in rows
    ]


def with_metrics(more, without="nothing"):
    long = launches()[1]
    return {**long, "metrics": {k: v for k, v in long["metrics"].items() if without not in k} | more}


def bench(lab, variant, launcher, size, ms):
    kernel = types.SimpleNamespace(median=ms)
    return types.SimpleNamespace(lab=lab, variant=variant, launcher=launcher, size=size, kernel=kernel)


def goal(lab, size):
    return goals.Goal(lab, "solution", "matmul", size, "copy", 1, 0, "")


def limited(**changes):
    fields = limit_table.Limits.__dataclass_fields__
    found = {key: value for key, value in record_limits.summary(launches()).items() if key in fields}
    return limit_table.Limits(SOURCE, "15_matmul", "encore", "matmul", "4096x4096x4096", **{**found, **changes})


def test_encores_and_the_last_labs_solutions_are_profiled_at_their_longest_size_and_at_those_of_goals(tmp_path):
    (tmp_path / "15_m").mkdir()
    (tmp_path / "15_m/encore.cu").touch()
    rows = [
        bench("01_v", "encore", "add", "1000", 0.1), bench("01_v", "encore", "add", "9", 0.2),
        bench("01_v", "encore", "add_host", "1000", 5), bench("01_v", "solution", "add", "1000", 1),
        bench("15_m", "solution", "matmul", "9x9x9", 1),
    ]
    meant = [goal("15_m", "8x8x8"), goal("15_m", "9x9x9"), goal("16_m", "8x8x8")]
    assert record_limits.wanted(rows, tmp_path, meant) == [
        ("01_v", "encore", [("add", "9")]),
        ("15_m", "encore", [("matmul", "9x9x9")]),
        ("15_m", "solution", [("matmul", "9x9x9"), ("matmul", "8x8x8")]),
    ]


def test_of_several_launches_the_longest_is_told_with_the_largest_count_of_each_pipe():
    found = record_limits.summary(launches())
    assert found["kernel"].startswith("void matmul_kernel") and found["registers"] == 232
    assert found["ms"] == pytest.approx(2.70016) and found["share"] == pytest.approx(2700160 / 2702208)
    assert found["units"]["FMA units"] == 78.75 and found["units"]["tensor cores"] == 0
    parts = {"sm__inst_executed_pipe_fmaheavy.avg.pct_of_peak_sustained_active": 90.0}
    assert record_limits.summary([with_metrics(parts)])["units"]["FMA units"] == 78.75
    assert record_limits.summary([with_metrics(parts, without="pipe_fma")])["units"]["FMA units"] == 90
    assert found["units"]["issue slots"] == 84.5 and found["units"]["memory"] == 4.35
    assert found["stalls"]["math_pipe_throttle"] == pytest.approx(0.25)
    assert "long_scoreboard" not in found["stalls"]


def test_the_sentence_names_the_busiest_unit_and_the_two_longest_waits():
    assert limit_table.sentence(limited()) == (
        "encore, matmul 4096x4096x4096: limited by the issue slots, at 84 % of peak; of their time the warps wait "
        "25 % for a free arithmetic unit and 17 % for the fixed delay of the instruction before."
    )
    assert "4096, k (50 % of its time): limited" in limit_table.sentence(limited(kernel="k", share=0.5))
    near = limited(units={"memory": 71.0, "L2": 3.0}, stalls={"selected": 0.9, "unheard_of": 0.1})
    assert "nearest to a limit: memory, at 71 % of peak; of" in limit_table.sentence(near)
    assert "wait 10 % unheard of." in limit_table.sentence(near)
    idle = limited(units={"L2": 30.0}, stalls={})
    assert limit_table.sentence(idle).endswith("no unit is near a limit, most used: L2, at 30 % of peak.")


@pytest.fixture
def machine(tmp_path):
    """run(answers): record_limits.py for labs 15 and 16, with a command `lab` that has an answer for some of them."""
    tmp_path = tmp_path / "machine"
    for folder in ("recorded", "solutions/15_m", "answers"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "solutions/15_m/README.md").write_text(README)
    row = {"variant": "solution", "launcher": "matmul", "size": "9x9x9", "kernel_ms": {"median": 1}}
    rows = [{**row, "lab": lab} for lab in ("15_m", "16_m")]
    device = {"date": "2030-01-02", "device": "NVIDIA Test", "driver": "1.2"}
    (tmp_path / "recorded/test.json").write_text(
        json.dumps({"schema": 1, "backend": "cuda", "recorded": device, "results": rows}))
    lab = tmp_path / "lab"
    failure = '{ echo "no counters" >&2; exit 3; }'
    lab.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\ncat {tmp_path}/answers/$2 || {failure}\n')
    lab.chmod(lab.stat().st_mode | stat.S_IXUSR)
    places = ["--recorded", str(tmp_path / "recorded"), "--solutions", str(tmp_path / "solutions")]

    def run(**answers):
        for name, found in answers.items():
            (tmp_path / f"answers/{name.removeprefix('of_')}").write_text(json.dumps({"launches": found}))
        return record_limits.main(["test", "--lab", str(lab), *places])

    def measured(*more):
        return update_readmes.main([*places, "--labs", str(tmp_path / "none"), *more])

    return types.SimpleNamespace(root=tmp_path, run=run, measured=measured)


def test_what_fails_is_named_and_the_rest_is_kept_and_told(machine, capsys):
    assert machine.run(of_15_m=launches(size="9x9x9")) == 1
    assert "16_m solution: " in (told := capsys.readouterr()).err and "15_m solution matmul 9x9x9: 2.7 ms" in told.out
    assert "--limits --json" in (machine.root / "calls").read_text()
    (row,) = json.loads((machine.root / "recorded/test_limits.json").read_text())["limits"]
    assert row["lab"] == "15_m" and row["read_bytes"] == 402653184
    assert machine.measured("--check") == 1 and machine.measured() == 0 and machine.measured("--check") == 0
    text = (machine.root / "solutions/15_m/README.md").read_text()
    assert "| solution, matmul 9x9x9 | 2.70 ms | 0.47 GB | 4.3 % |" in text and "limited by the issue slots" in text
    assert text.endswith("<!-- end of limits -->\n\nThe end.\n") and "recorded yet" not in text


def test_another_run_replaces_its_own_rows_only(machine):
    machine.run(of_15_m=launches(size="9x9x9"))
    assert machine.run(of_16_m=launches(size="9x9x9")) == 0
    rows = json.loads((machine.root / "recorded/test_limits.json").read_text())["limits"]
    assert [row["lab"] for row in rows] == ["15_m", "16_m"]


def test_a_goal_is_profiled_at_its_own_size(machine):
    meant = {"variant": "solution", "launcher": "matmul", "size": "8x8x8", "against": "copy", "least": 1}
    (machine.root / "solutions/15_m/goals.json").write_text(json.dumps({"schema": 1, "goals": [meant]}))
    machine.run(of_15_m=[*launches(size="9x9x9"), *launches(size="8x8x8")])
    assert "--size 9x9x9 --size 8x8x8" in (machine.root / "calls").read_text()
    rows = json.loads((machine.root / "recorded/test_limits.json").read_text())["limits"]
    assert [row["size"] for row in rows] == ["8x8x8", "9x9x9"]
    (machine.root / "solutions/15_m/goals.json").write_text("[]")
    assert machine.run() == 2


def test_a_damaged_profile_is_told_by_file_and_key(machine, capsys):
    machine.run(of_15_m=launches(size="9x9x9"))
    path = machine.root / "recorded/test_limits.json"
    whole = path.read_text()
    for old, new, complaint in (
        ('"registers": 232.0', '"registers": "many"', "registers: 'many' is not of type 'number'"),
        ('"size": "9x9x9"', '"size": "9x"', "size: '9x' does not match"),
    ):
        path.write_text(whole.replace(old, new))
        capsys.readouterr()
        assert machine.measured("--check") == 2
        assert f"test_limits.json: limits[0].{complaint}" in capsys.readouterr().err


def test_the_report_is_made_beside_recorded_profiles(workspace, machine):
    machine.run(of_15_m=launches(size="9x9x9"))
    found = machine.root / "recorded/test_limits.json"
    (workspace.root / "recorded/test_limits.json").write_text(found.read_text())
    done = workspace.run()
    assert done.returncode == 0, done.stderr


def test_every_encore_says_what_limits_it():
    told = [path.parent.name for path in ROOT.glob("solutions/*/README.md") if "<!-- limits -->" in path.read_text()]
    assert {path.parent.name for path in ROOT.glob("solutions/*/encore.cu")} <= set(told)
