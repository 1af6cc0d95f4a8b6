"""record.py: bench documents become one recorded measurement."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

RECORD = ROOT / "report/record.py"


def row(lab, size, ms, verdict="pass"):
    return {"lab": lab, "variant": "solution", "launcher": "f", "size": size, "verdict": verdict,
            "kernel_ms": {"median": ms}}


def document(date, *rows):
    device = {"name": "NVIDIA Test", "cuda": "13.0"}
    return {"schema": 1, "date": date, "backend": "cuda", "device": device, "results": list(rows)}


@pytest.fixture
def record(tmp_path):
    def run(**files):
        for folder in ("out", "results"):
            (tmp_path / folder).mkdir(exist_ok=True)
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / "out" / f"bench-{name}-solution-cuda.json").write_text(text)
        command = [sys.executable, RECORD, "test", "--driver", "1.2", "--results", tmp_path / "out",
                   "--recorded", tmp_path / "results"]
        done = subprocess.run(command, capture_output=True, text=True)
        written = tmp_path / "results/test.json"
        return done, json.loads(written.read_text()) if written.exists() else None

    return run


def test_documents_are_merged_and_say_where_they_come_from(record):
    done, merged = record(
        one=document("2026-01-01T00:00:00Z", row("02", "3x4", 2.0)),
        two=document("2026-01-02T00:00:00Z", row("01", "7", 1.0), row("03", "1", 9.0, verdict="wrong_answer")),
    )
    assert done.returncode == 0
    assert [r["lab"] for r in merged["results"]] == ["01", "02"]
    expected = {"date": "2026-01-02", "device": "NVIDIA Test", "driver": "1.2", "toolkit": "CUDA 13.0"}
    assert merged["recorded"] == expected


def test_a_new_measurement_replaces_its_row_and_leaves_the_others(record):
    record(one=document("2026-01-01T00:00:00Z", row("01", "7", 1.0), row("02", "3x4", 2.0)))
    _, merged = record(one=document("2026-01-03T00:00:00Z", row("01", "7", 0.5)))
    assert [r["kernel_ms"]["median"] for r in merged["results"]] == [0.5, 2.0]


def test_each_row_keeps_the_day_on_which_it_was_measured(record):
    record(one=document("2026-01-01T00:00:00Z", row("01", "7", 1.0), row("02", "3x4", 2.0)))
    _, merged = record(one=document("2026-01-03T00:00:00Z", row("01", "7", 0.5)))
    assert [r["date"] for r in merged["results"]] == ["2026-01-03", "2026-01-01"]


def test_rows_of_a_record_without_days_have_its_day(record, tmp_path):
    record(one=document("2026-01-01T00:00:00Z", row("02", "3x4", 2.0)))
    path = tmp_path / "results/test.json"
    kept = json.loads(path.read_text())
    for one in kept["results"]:
        one.pop("date", None)
    path.write_text(json.dumps(kept))
    _, merged = record(one=document("2026-01-03T00:00:00Z", row("01", "7", 0.5)))
    assert [r["date"] for r in merged["results"]] == ["2026-01-03", "2026-01-01"]


def test_a_row_measured_without_the_cpu_keeps_the_cpus_times(record):
    def with_cpu(ms, one, fast):
        return {**row("01", "7", ms), "cpu_one_thread_ms": one, "cpu_fast_ms": fast}

    record(one=document("2026-01-01T00:00:00Z", with_cpu(1.0, 8.0, 0.0)))
    _, merged = record(one=document("2026-01-03T00:00:00Z", with_cpu(0.5, 0.0, 3.0)))
    assert merged["results"] == [{**with_cpu(0.5, 8.0, 3.0), "date": "2026-01-03"}]
    other = document("2026-01-04T00:00:00Z", with_cpu(0.4, 0.0, 0.0))
    other["device"]["cpu"] = "another"
    assert record(one=other)[1]["results"] == [{**with_cpu(0.4, 0.0, 0.0), "date": "2026-01-04"}]


def test_nothing_to_record_and_damage_are_told_apart(record):
    done, merged = record()
    assert done.returncode == 1 and "no results of back end cuda" in done.stderr and merged is None
    done, merged = record(one="{ not json")
    assert done.returncode == 2 and "bench-one-solution-cuda.json" in done.stderr and merged is None


def test_every_program_that_record_all_starts_can_be_started():
    script = ROOT / "report/record_all.sh"
    programs = re.findall(r"^(report/\S+)", script.read_text(), re.M)
    assert len(programs) >= 3
    assert [name for name in programs if not os.access(ROOT / name, os.X_OK)] == []
