"""The simulator counts and reports what a GPU's own tools did, wherever that is claimed."""
# ctest: slow

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


def simulated_lines(profile):
    sizes, kernel = profile["sizes"], recorded.kernel_of(profile["lab"])
    document = recorded.run_lab("profile", profile["lab"], "--kernel", str(kernel), "--backend", "sim", "--seed", "1",
                                "--json", "--size", *sorted(set(sizes.values())))
    return recorded.lines_of(document, kernel, sizes)


@pytest.mark.parametrize("profile", RECORD["profiles"], ids=lambda p: p["lab"])
def test_each_line_costs_what_nsight_compute_counted_or_has_a_reason_that_fits_the_counts(profile):
    try:
        simulated = simulated_lines(profile)
    except recorded.NotHere:  # labs that need a GPU: each of their lines has this as its reason
        simulated = {}
    measured = {key_of(entry): (entry["requests"], entry["moved"]) for entry in profile["lines"]}
    elsewhere = {key_of(entry): entry["why"] for entry in RECORD["not_claimed"] if entry["lab"] == profile["lab"]}
    nothing = (0, 0)
    differs = {
        key for key in measured.keys() | simulated.keys() if measured.get(key, nothing) != simulated.get(key, nothing)
    }
    assert differs == elsewhere.keys()
    for key, why in elsewhere.items():
        assert recorded.REASONS[why](measured.get(key, nothing), simulated.get(key, nothing)), (key, why)


def test_a_line_that_is_not_claimed_was_recorded_in_its_lab():
    lines = {(profile["lab"], key_of(line)) for profile in RECORD["profiles"] for line in profile["lines"]}
    assert {(line["lab"], key_of(line)) for line in RECORD["not_claimed"]} <= lines


@pytest.mark.parametrize("finding", RECORD["sanitizer"], ids=lambda f: f"{f['program']}-{f['tool']}")
def test_what_compute_sanitizer_found_in_the_corpus_is_expected_of_the_simulator(finding):
    assert recorded.is_expected(finding)


def test_each_hazard_of_the_corpus_was_found_by_compute_sanitizer_has_a_reason_or_is_listed_as_not_run():
    silent = {entry["program"]: entry["why"] for entry in RECORD["silent"]}
    found = {finding["program"] for finding in RECORD["sanitizer"]}
    hazardous = {program.name for program in recorded.CORPUS.glob("*.cu") if recorded.expected_hazards(program)}
    not_run = {entry["program"] for entry in RECORD["not_run"]}  # no tool has seen these
    assert not found & silent.keys() and not not_run & (found | silent.keys())
    assert found | silent.keys() | not_run == hazardous
    assert set(silent.values()) <= set(recorded.SILENCE)


def test_the_limits_page_states_what_the_record_holds():
    lines, differ = sum(len(profile["lines"]) for profile in RECORD["profiles"]), len(RECORD["not_claimed"])
    found, silent = len({finding["program"] for finding in RECORD["sanitizer"]}), len(RECORD["silent"])
    page = " ".join((recorded.ROOT / "common/sim/LIMITS.md").read_text().split())
    assert f"{lines - differ} of {lines} lines of {len(RECORD['profiles'])} labs" in page
    assert f"{found} of the {found + silent} programs" in page
    if RECORD["not_run"]:
        assert f"{len(RECORD['not_run'])} newer program" in page


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
========= Invalid __global__ read of size 16 bytes
=========     at copy(const float *, float4 *)+0x60 in /home/student/a.cu:3
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x7f1200000004 is misaligned
=========
========= Invalid __global__ write of size 16 bytes
=========     at copy(const float *, float4 *)+0x80 in /home/student/a.cu:4
=========     by thread (0,0,0) in block (0,0,0)
=========     Access to 0x7f1200000014 is misaligned
=========
========= Potential invalid __shared__ read of size 4 bytes
=========     at late(int *)+0x170 in /home/student/a.cu:11
=========     by thread (0,0,0) in block (0,0,0)
=========     Address 0x100047c is located in a block that might have already exited
=========
========= Invalid __remote_shared__ read of size 4 bytes
=========     at far(int *)+0x170 in /home/student/a.cu:12
=========     by thread (0,0,0) in block (1,0,0)
=========     Access to 0x400 in CTA 2 is out of bounds
=========
========= ERROR SUMMARY: 6 errors
"""


def test_findings_are_read_with_their_lines_and_without_those_of_the_host():
    misaligned = [("misaligned", (3,)), ("misaligned", (4,))]
    assert recorded.sanitizer_findings(SAID) == [
        *misaligned,
        *[("out_of_bounds", (line,)) for line in (5, 12)],
        *[("race", lines) for lines in ((7, 8), (11,))],
    ]


def test_the_corpus_says_which_lines_are_wrong():
    assert ("race", {8}) in recorded.expected_hazards(recorded.CORPUS / "race_reduction.cu")
    assert recorded.expected_hazards(recorded.CORPUS / "reduction.cu") == []
