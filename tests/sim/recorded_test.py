"""The simulator counts and reports what a GPU's own tools did, wherever that is claimed."""

import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import recorded

RECORD = json.loads(recorded.RECORD.read_text())
FIELDS = ("text", "op", "space")


def key_of(entry):
    return tuple(entry[field] for field in FIELDS)


@pytest.mark.parametrize("profile", RECORD["profiles"], ids=lambda p: p["lab"])
def test_each_line_costs_what_nsight_compute_counted_unless_nvcc_merges_there(profile):
    source = recorded.ROOT / "solutions" / profile["lab"] / "kernel.cu"
    document = recorded.run_lab("profile", profile["lab"], "--solution", "--backend", "sim", "--seed", "1", "--size",
                                profile["size"], "--json")
    simulated = recorded.lines_of(document, source)
    elsewhere = {key_of(entry) for entry in RECORD["not_claimed"] if entry["lab"] == profile["lab"]}
    measured = {key_of(entry): (entry["requests"], entry["moved"]) for entry in profile["lines"]}
    assert {key for key in measured if measured[key] != simulated.get(key)} == elsewhere
    assert {key for key in simulated if key not in measured} <= elsewhere


def test_what_compute_sanitizer_found_in_the_corpus_is_expected_of_the_simulator():
    if not RECORD["sanitizer"]:
        pytest.skip("nothing recorded: run tests/sim/record_on_gpu.py on a machine with a GPU")
    for finding in RECORD["sanitizer"]:
        expected = recorded.expected_hazards(recorded.CORPUS / finding["program"])
        alike = [lines for kind, lines in expected if kind == finding["kind"]]
        assert any(set(finding["lines"]) <= lines for lines in alike), finding


SAID = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at k(int *)+0x90 in /home/student/a.cu:5
=========     by thread (64,0,0) in block (0,0,0)
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in /home/student/a.cu:12 [0x9d2]
=========
========= Error: Race reported between Write access at reduce(int *)+0x310 in /home/student/a.cu:8
=========     and Read access at reduce(int *)+0x2c0 in /home/student/a.cu:7 [252 hazards]
=========
========= ERROR SUMMARY: 2 errors
"""


def test_findings_are_read_with_their_lines_and_without_those_of_the_host():
    assert recorded.sanitizer_findings(SAID) == [("out_of_bounds", (5,)), ("race", (7, 8))]


def test_the_corpus_says_which_lines_are_wrong():
    assert ("race", {8}) in recorded.expected_hazards(recorded.CORPUS / "race_reduction.cu")
    assert recorded.expected_hazards(recorded.CORPUS / "reduction.cu") == []
