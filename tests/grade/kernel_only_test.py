"""Speed points on a GPU: which kernels are timed alone, which fall back to the host's clock, and that no attack makes a
slow kernel look fast. The first lines of each submission give its expected clock and reason."""
# ctest: slow

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, LAB_04, ROOT, solution
from kernel_only_against_ncu import ncu_durations

SUBMISSIONS = sorted((ROOT / "tests/grade/kernel_only").glob("*.cu"))
SIZE = "4096x4096"
POLICY = {"labs": {"04": {"speed": [{"size": SIZE, "points": 5}]}}, "case_seconds": 30, "job_seconds": 900}


def nvcc():
    usual = pathlib.Path("/usr/local/cuda/bin/nvcc")
    return os.environ.get("LAB_NVCC") or shutil.which("nvcc") or (usual if usual.exists() else None)


def why_no_gpu():
    if not (BUILD / "bin/lab-runner-cuda").exists():
        return "this build has no GPU back end"
    found = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True)
    return "" if found and found.returncode == 0 and "GPU" in found.stdout else "this machine has no GPU"


NO_GPU = why_no_gpu()
on_a_gpu = pytest.mark.skipif(bool(NO_GPU), reason=NO_GPU)


def expected(source):
    """The expected clock, whether the kernel is slow, and the expected reason for the host's clock."""
    text = source.read_text()
    clock, _, pace = re.match(r"// clock: (\w+)(, (\w+))?", text).groups()
    because = re.search(r"^// because: (.*)", text, re.MULTILINE)
    return clock, pace, because.group(1) if because else None


def grade(room, policy, **students):
    for name, text in students.items():
        room.hand_in(name, _04=text)
    command = [part if part != "sim" else "cuda" for part in room.command("--labs", "04", *room.policy(policy))]
    done = subprocess.run(
        command, env=room.environment(), text=True, stdin=subprocess.DEVNULL, capture_output=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {student: row for (student, _), row in room.rows().items()}


@pytest.mark.skipif(not nvcc(), reason="nvcc is not installed")
@pytest.mark.parametrize("source", SUBMISSIONS, ids=lambda s: s.stem)
def test_each_submission_compiles_for_a_gpu(source, tmp_path):
    lab = ROOT / "labs" / LAB_04
    command = [nvcc(), "-cubin", "-std=c++20", "-arch=sm_90", f"-I{lab}", source, "-o", tmp_path / "kernel.cubin"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("source", SUBMISSIONS, ids=lambda s: s.stem)
def test_each_submission_is_right_but_slow(source):
    clock, _, because = expected(source)
    if clock == "none" or because == "no kernel is launched":
        pytest.skip("wrong on purpose, or needs a GPU's driver")
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)}
    command = [BUILD / "bin/lab", "check", "04", "--kernel", source, "--backend", "sim", "--timeout", "300", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    cases = json.loads(done.stdout)["results"][0]["cases"]
    assert {case["verdict"] for case in cases} <= {"pass", "gate"}, cases


@on_a_gpu
def test_the_solution_is_timed_by_its_kernels_and_is_as_fast_as_itself(room):
    row = grade(room, POLICY, honest=solution(LAB_04))["honest"]
    assert row["verdict"] == "pass" and row["flags"] == [], row
    (speed,) = row["speed"]
    assert speed["clock"] == "kernel" and speed["points"] == 5
    page = (room.out / "students/honest/index.html").read_text()
    assert "the GPU's work alone" in page


@on_a_gpu
def test_a_policy_can_require_the_hosts_clock(room):
    row = grade(room, {**POLICY, "clock": "host"}, honest=solution(LAB_04))["honest"]
    assert [s["clock"] for s in row["speed"]] == ["host"]


@on_a_gpu
@pytest.mark.parametrize("source", SUBMISSIONS, ids=lambda s: s.stem)
def test_no_attack_makes_a_slow_kernel_fast(room, source):
    clock, pace, because = expected(source)
    row = grade(room, POLICY, student=source.read_text())["student"]
    assert len(row["speed"]) == (clock != "none"), row
    for speed in row["speed"]:
        assert speed["clock"] == clock, row
        if pace == "slow":  # repeats its work fifty times
            assert speed["points"] == 0, row
    if because:
        assert row["flags"][0] == f"timed with its host code at {SIZE}: {because}"
    if clock == "kernel":
        assert row["flags"] == []


def test_the_report_reads_what_ncu_writes():
    said = (
        '==PROF== Connected to process 7\n"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\n'
        '"0","k(int)","gpu__time_duration.sum","ns","1,234"\n"0","k(int)","launch__grid_size","","9"\n'
        '"1","k(int)","gpu__time_duration.sum","ns","1,250"\n"2","m(int)","gpu__time_duration.sum","ns","60"\n'
    )
    assert ncu_durations(said) == {"k(int)": [1234, 1250], "m(int)": [60]}
    assert ncu_durations("==ERROR== ERR_NVGPUCTRPERM\n") == {}
