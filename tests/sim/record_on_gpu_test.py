"""The recorder, with stand-ins for the GPU's tools: a reason that was given stays, and what is new is called new."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import record_on_gpu
import recorded

LAB = "01_vector_add"
SOURCE = (recorded.ROOT / "solutions" / LAB / "kernel.cu").read_text().split("\n")
TEXT = next(line.strip() for line in SOURCE if "out[i] = a[i] + b[i];" in line)


OTHER = {"lab": "02_transpose_naive", "text": "", "op": "load", "space": "global", "why": "kept in registers"}
BEFORE = {"profiles": [], "not_claimed": [], "sanitizer": [], "silent": [], "not_run": []}


def launch(requests):
    number = next(i for i, line in enumerate(SOURCE, 1) if TEXT in line)
    counts = {"requests": requests, "sectors": 32, "wavefronts": 0}
    lines = [{"file": "kernel.cu", "line": number, "op": op, "space": "global", **counts} for op in ("load", "store")]
    return {"launcher": "vector_add", "size": "64", "lines": lines}


def program(folder, name, hazard):
    (folder / name).write_text(f"// hazard: error race {hazard} 0\n")


def tool(command, seconds):
    if command[0] == "nvcc":
        command[-1].write_text("a program")
    if command[0] == "compute-sanitizer" and command[2] == "racecheck" and command[3].name == "spoken_of":
        race = "=== Error: Race reported between Write access at k(int *)+0x1 in /home/student/a.cu:8\n"
        return race + "===\nSUMMARY: 1\n"
    return "SUMMARY: 0\n"


@pytest.fixture
def record(tmp_path, monkeypatch):
    """The record of one lab, whose two lines differ, and of two programs, of one of which a tool speaks."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    program(corpus, "spoken_of.cu", 8)
    program(corpus, "silent.cu", 5)
    known = {"lab": LAB, "text": TEXT, "op": "load", "space": "global", "why": "kept in registers"}
    (tmp_path / "record.json").write_text(json.dumps(BEFORE | {"not_claimed": [known]}))
    monkeypatch.setattr(recorded, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(recorded, "CORPUS", corpus)
    monkeypatch.setattr(recorded, "KEPT", tmp_path)
    (tmp_path / f"{LAB}.cu").write_text("the solution, before it changed\n")
    monkeypatch.setattr(recorded, "run_lab", lambda *_, **__: {
        "cuda": {"lab": LAB, "launches": [launch(9)]}, "sim": {"lab": LAB, "launches": [launch(8)]}})
    monkeypatch.setattr(record_on_gpu, "output_of", tool)
    monkeypatch.setattr(record_on_gpu.subprocess, "run", lambda *_, **__: type("device", (), {"stdout": "A GPU\n"}))
    monkeypatch.setenv("LAB_BUILD", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["record_on_gpu.py"])
    monkeypatch.setattr(record_on_gpu, "numbers", lambda: ["01"])
    record_on_gpu.main()
    return json.loads((tmp_path / "record.json").read_text())


def test_only_what_is_new_can_be_recorded(record, tmp_path, monkeypatch):
    record["not_claimed"].append(OTHER)
    record |= {"sanitizer": [], "silent": [], "not_run": [{"program": "spoken_of.cu"}]}
    (tmp_path / "record.json").write_text(json.dumps(record))
    monkeypatch.setattr(sys, "argv", ["record_on_gpu.py", "new", "01"])
    record_on_gpu.main()
    after = json.loads((tmp_path / "record.json").read_text())
    assert OTHER in after["not_claimed"] and len(after["not_claimed"]) == 3  # 01's two lines again
    assert [finding["program"] for finding in after["sanitizer"]] == ["spoken_of.cu"] and not after["not_run"]


def test_a_kept_kernel_goes_when_the_solution_is_recorded(record, tmp_path):
    assert not (tmp_path / f"{LAB}.cu").exists()


def test_the_sizes_and_counts_are_those_of_the_gpu(record):
    assert record["device"] == "A GPU"
    assert record["profiles"][0]["sizes"] == {"vector_add": "64"}
    assert {line["requests"] for line in record["profiles"][0]["lines"]} == {9}


def test_a_known_difference_keeps_its_reason_and_a_new_one_has_none_that_the_tests_would_take(record):
    assert {line["op"]: line["why"] for line in record["not_claimed"]} == {
        "load": "kept in registers", "store": recorded.UNKNOWN}
    assert recorded.UNKNOWN not in recorded.REASONS and recorded.UNKNOWN not in recorded.SILENCE


def test_a_program_of_which_no_tool_spoke_is_listed(record):
    assert [finding["program"] for finding in record["sanitizer"]] == ["spoken_of.cu"]
    assert record["silent"] == [{"program": "silent.cu", "why": recorded.UNKNOWN}]


def test_all_that_a_tool_printed_is_kept(record, tmp_path):
    assert "Race reported" in (tmp_path / "compute-sanitizer/spoken_of.racecheck.txt").read_text()


def test_a_finding_that_the_simulator_leaves_out_keeps_its_reason(record, tmp_path, monkeypatch):
    record["sanitizer"][0]["why"] = recorded.FOLLOWS
    record["not_run"] = [{"program": "spoken_of.cu"}]
    (tmp_path / "record.json").write_text(json.dumps(record))
    monkeypatch.setattr(sys, "argv", ["record_on_gpu.py", "new", "01"])
    record_on_gpu.main()
    after = json.loads((tmp_path / "record.json").read_text())
    assert [finding.get("why") for finding in after["sanitizer"]] == [recorded.FOLLOWS]
    assert recorded.is_expected(after["sanitizer"][0] | {"lines": [99]})
