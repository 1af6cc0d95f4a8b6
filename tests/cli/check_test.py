"""`lab check` and `lab bench` as a person or a script calls them."""
# ctest: long

import json
import os
import pathlib
import re
import shutil
import signal
import time

import pytest

from conftest import ROOT, needs_patch
from waiting import wait_until

SIM = ("--backend", "sim")
PATIENT = (*SIM, "--timeout", "100")  # all labs one after another, perhaps on a busy machine


# tests/labs has every solution judged; here the command shows what it found.
@pytest.mark.parametrize("number", ["01", "02", "03", "04", "06", "07", "08", "09"])
def test_a_solution_passes_and_the_document_has_its_fields(lab, number):
    result = lab.run("check", number, "--solution", "--json", *PATIENT)
    assert result.returncode == 0, result.stdout
    document = json.loads(result.stdout)
    assert document["schema"] == 1 and document["backend"] == "sim"
    (row,) = document["results"]
    assert row["lab"].startswith(number) and (row["variant"], row["verdict"]) == ("solution", "pass")
    assert row["hazards"] == [] and len(row["cases"]) >= 5
    assert all({"name", "seed", "verdict", "message", "hint"} <= case.keys() for case in row["cases"])
    assert row["gates"] and all(gate["passed"] for gate in row["gates"]), row
    assert {"metric", "limit", "value", "passed", "size"} <= row["gates"][0].keys()


def test_every_starter_fails_with_a_message_and_a_hint(lab):
    result = lab.run("check", "all", "--json", *PATIENT)
    assert result.returncode == 1
    judged = [row for row in json.loads(result.stdout)["results"] if row["verdict"] != "skipped"]
    assert len(judged) >= 15
    for row in judged:
        failed = next((part["stage"] for part in row["stages"] if part["verdict"] != "pass"), None)
        name = f"{row['lab']}.{failed}" if failed else row["lab"]
        expected = ROOT / f"tests/labs/starters/{name}.txt"
        assert row["verdict"] == ("gate" if expected.exists() else "wrong_answer"), row["lab"]
        first = next(case for case in row["cases"] if case["verdict"] != "pass")
        gaps = {"untouched", "zeros", "missing_barrier", "stops_short", "missing_atomic", "race"}
        assert first["hint"] >= 1, first["message"]
        if row["verdict"] == "gate":
            assert f"diagnosis: {first['diagnosis']}\n" in expected.read_text() and "at most" in first["message"]
        else:
            assert first["diagnosis"] in gaps and "Why" in first["message"], first["message"]


def test_the_text_leads_from_the_failure_to_the_next_step(lab):
    result = lab.run("check", "02", *SIM)
    assert result.returncode == 1
    for words in ("FAILED", "out[row 0][col 0]", "? never written", "Why:", "./lab hint 02"):
        assert words in result.stdout
    assert "\033" not in result.stdout
    assert result.stdout.count("Next:") == 1, "one next step, not two that compete"


def test_a_solved_starter_is_remembered(lab):
    shutil.copy(lab.root / "solutions/02_transpose_naive/kernel.cu", lab.root / "labs/02_transpose_naive/kernel.cu")
    assert lab.run("check", "02", *SIM).returncode == 0
    states = {row["lab"]: row["state"] for row in json.loads(lab.run("list", "--json").stdout)["labs"]}
    assert states["02_transpose_naive"] == "passed" and states["01_vector_add"] == "todo"
    assert (lab.root / "report/out/results/check-02_transpose_naive-starter-sim.json").exists()


def test_only_the_labs_own_sizes_pass_a_lab(lab):
    shutil.copy(lab.root / "solutions/02_transpose_naive/kernel.cu", lab.root / "labs/02_transpose_naive/kernel.cu")
    result = lab.run("check", "02", "--size", "1x1", *SIM)
    assert result.returncode == 0 and "./lab check 02 checks all sizes" in result.stdout
    states = {row["lab"]: row["state"] for row in json.loads(lab.run("list", "--json").stdout)["labs"]}
    assert states["02_transpose_naive"] != "passed"


def test_a_kernel_is_checked_with_the_limits_of_another_gpu(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    text = (lab.root / "solutions/02_transpose_naive/kernel.cu").read_text()
    much = "  cudaFuncSetAttribute(transpose_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);\n"
    launch = "  transpose_kernel<<<grid, block"
    kernel.write_text(text.replace(launch + ">>>", much + launch + ", 100 << 10>>>"))
    on_a100, on_t4 = (lab.run("check", "02.1", "--gpu", gpu, "--json") for gpu in ("a100", "t4"))
    assert on_a100.returncode == 0 and json.loads(on_a100.stdout)["gpu"] == "a100", on_a100.stdout
    assert on_t4.returncode == 1 and json.loads(on_t4.stdout)["gpu"] == "t4"
    assert json.loads(on_t4.stdout)["results"][0]["verdict"] == "launch_error", on_t4.stdout
    assert lab.run("check", "02", *SIM).returncode == 0


def test_a_check_for_another_gpu_passes_no_lab(lab):
    shutil.copy(lab.root / "solutions/02_transpose_naive/kernel.cu", lab.root / "labs/02_transpose_naive/kernel.cu")
    result = lab.run("check", "02", "--gpu", "t4")
    assert result.returncode == 0 and "limits of this GPU: t4" in result.stdout and "./lab check 02" in result.stdout
    states = {row["lab"]: row["state"] for row in json.loads(lab.run("list", "--json").stdout)["labs"]}
    assert states["02_transpose_naive"] != "passed"


def test_a_lab_that_the_gpu_cannot_run_is_skipped_with_the_reason(lab):
    result = lab.run("check", "16", "--solution", "--gpu", "t4")
    text = " ".join(result.stdout.split())
    assert result.returncode == 0 and "skipped" in text and "compute capability 8.0" in text and "7.5" in text


def test_an_unknown_gpu_is_refused_with_the_names_of_the_others(lab):
    result = lab.run("check", "02", "--gpu", "t5")
    assert result.returncode == 2 and "t5" in result.stderr and "rtx4090" in result.stderr
    result = lab.run("check", "02", "--gpu", "t4", "--backend", "cuda")
    assert result.returncode == 2 and "--backend cuda" in result.stderr


def test_a_tool_around_the_runner_ends_by_itself_whatever_the_kernel_did(lab, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text(f'#!/bin/sh\n"$@"\nsleep 0.5\necho saw the end of $1 > {tmp_path}/$$.log\n')
    tool.chmod(0o755)
    for arguments in (("check", "01", "--solution"), ("check", "01"), ("bench", "01", "--solution", "--size", "1000")):
        result = lab.run(*arguments, *SIM, LAB_RUNNER_WRAPPER=str(tool))
        assert result.returncode == (1 if arguments == ("check", "01") else 0), result.stdout
        logs = list(tmp_path.glob("*.log"))
        assert logs and all("lab-runner-sim" in log.read_text() for log in logs), arguments
        for log in logs:
            log.unlink()


def test_the_same_seed_is_used_when_it_is_given(lab):
    documents = [
        json.loads(lab.run("check", "01", "--solution", "--seed", "7", "--json", *SIM).stdout) for _ in range(2)
    ]
    seeds = [[case["seed"] for case in d["results"][0]["cases"]] for d in documents]
    assert seeds[0] == seeds[1]


def test_sizes_can_be_chosen(lab):
    document = json.loads(lab.run("check", "04", "--solution", "--size", "3x5", "--json", *SIM).stdout)
    assert [case["name"] for case in document["results"][0]["cases"]] == ["3x5"]


def test_a_compile_error_is_shown_at_the_students_own_line(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text(kernel.read_text().replace("// TODO", "undeclared = 1;  // TODO"))
    result = lab.run("check", "02", *SIM)
    assert result.returncode == 1 and "compile_error" in result.stdout
    line = kernel.read_text()[: kernel.read_text().index("undeclared")].count("\n") + 1
    assert f"kernel.cu:{line}:" in result.stdout and "undeclared" in result.stdout


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("check", "99"), 'no lab matches "99"'),
        (("check", "transpose"), "matches several labs"),
        (("check", "02", "--size", "3xfive"), "--size 3xfive"),
        (("check", "02", "--kernel", "nowhere.cu"), "nowhere.cu does not exist"),
        (("check", "all", "--kernel", "lab"), "names one file"),
        (("check", "02", "--solution", "--encore"), "--encore"),
        (("check", "02", "--timeout", "-1"), "--timeout"),
        (("check", "02", "--backend", "opencl"), "opencl"),
        (("check", "02", "--nonsense"), "--nonsense"),
        (("nonsense",), "nonsense"),
        (("hint", "02", "9"), "there is no hint 9"),
        (("check", "03", "--encore"), "has no encore"),
    ],
)
def test_wrong_usage_names_what_is_wrong_and_exits_with_2(lab, arguments, words):
    result = lab.run(*arguments)
    assert result.returncode == 2, result.stdout + result.stderr
    assert words in result.stderr and result.stdout == ""


def test_a_missing_gpu_is_exit_code_3_with_the_reason(lab):
    result = lab.run("check", "02", "--solution", "--backend", "cuda")
    if result.returncode == 0:
        pytest.skip("this machine has a GPU")
    assert result.returncode == 3 and "back end cuda cannot be used here" in result.stderr


HANGING = "tests/mutants/01_vector_add/host_hangs.patch"


@needs_patch
def test_a_hanging_kernel_ends_at_its_limit(lab):
    began = time.monotonic()
    result = lab.run("check", "01", "--kernel", HANGING, "--timeout", "1", "--size", "5", *SIM)
    assert result.returncode == 1 and "timeout" in result.stdout
    assert time.monotonic() - began < 60


def children_of(pid):
    return [p for p in pathlib.Path("/proc").glob("[0-9]*") if descends(p, pid)]


def descends(process, pid):
    try:
        return (
            process.joinpath("environ").read_bytes().find(b"LAB_") >= 0
            and str(pid) in process.joinpath("stat").read_text().split()[3:4]
        )
    except OSError:
        return False


def status_of(process):
    try:
        return (process / "status").read_text()
    except OSError:  # it ended meanwhile
        return ""


def runner_of(judge):
    """The folder in /proc of the runner that the judge's process started."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        status = status_of(process)
        if "Name:\tlab-runner-sim" in status and f"PPid:\t{judge.pid}\n" in status:
            return process
    return None


def has_ended(process):
    status = status_of(process)
    return not status or "State:\tZ" in status


@needs_patch
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_no_process_and_no_half_written_file(lab, number):
    process = lab.start("check", "01", "--kernel", HANGING, "--timeout", "60", *SIM)
    runner = wait_until(lambda: runner_of(process))
    process.send_signal(number)
    process.communicate()
    assert process.returncode in (-number, 128 + number)
    wait_until(lambda: has_ended(runner))
    assert not list(lab.root.rglob("*.tmp"))


def test_bench_measures_only_what_is_right_and_keeps_its_document(lab):
    result = lab.run("bench", "02", "--solution", "--size", "200x300", "--simulator-time", "--json", *SIM)
    assert result.returncode == 0, result.stderr
    row = json.loads(result.stdout)["results"][0]
    assert row["size"] == "200x300" and row["kernel_ms"]["median"] > 0 and row["cpu_one_thread_ms"] > 0
    assert row["gbytes_per_s"] > 0 and row["kernel_ms"]["samples"] >= 15 and row["cpu_fast_ms"] > 0
    assert row["counts"]["store_sectors"] == 200 * 300  # a column is 300 ints apart
    assert (lab.root / "report/out/results/bench-02_transpose_naive-solution-sim.json").exists()
    wrong = lab.run("bench", "02", "--size", "200x300", "--json", *SIM)
    assert wrong.returncode == 1 and "counts" not in json.loads(wrong.stdout)["results"][0]


def test_without_a_gpu_bench_compares_counts_with_the_step_before(lab):
    document = json.loads(lab.run("bench", "04", "--solution", "--peers", "--json", *SIM).stdout)
    (row,) = document["results"]
    assert document["schema"] == 2 and row["size"] == "64x96" and row["step_before"] == "03_transpose_shared"
    assert not [key for key in row if key.endswith("_ms") or key in ("gflops", "against_itself")]
    peers = {peer["name"]: peer["counts"] for peer in row["peers"]}
    assert set(peers) == {"02_transpose_naive", "03_transpose_shared"}  # a copy launches no kernel
    assert peers["02_transpose_naive"]["store_sectors"] == 8 * row["counts"]["store_sectors"] == 8 * 768
    assert peers["03_transpose_shared"]["bank_conflicts"] > 0 == row["counts"]["bank_conflicts"]


@pytest.mark.parametrize(
    "stage, launchers",
    [
        ("02.2", {"transpose_coalesced_stores": "transpose"}),
        ("05.2", {"matmul": "matmul_uncoalesced"}),
        ("14", {"forward_naive": "", "forward_tiled": "forward_naive", "forward": "forward_tiled"}),
        ("15.2", {"matmul_double_buffered": "matmul_vectors"}),
    ],
)
def test_bench_compares_a_stage_with_the_stage_before(lab, stage, launchers):
    rows = json.loads(lab.run("bench", stage, "--solution", "--json", *SIM).stdout)["results"]
    assert {row["launcher"]: row["step_before"] for row in rows} == launchers
    for row in rows:
        assert [peer["name"] for peer in row["peers"]] == [name for name in [row["step_before"]] if name]


def test_bench_counts_where_the_idea_shows(lab):
    (row,) = json.loads(lab.run("bench", "15.3", "--solution", "--json", *SIM).stdout)["results"]
    (before,) = row["peers"]
    assert row["size"] == "256x256x256" and before["name"] == "13_matmul_work_per_thread"
    assert row["counts"]["shared_wavefronts"] < 0.5 * before["counts"]["shared_wavefronts"]


def test_bench_says_in_a_sentence_what_changed_and_shows_it_as_bars(lab):
    said = lab.run("bench", "03", "--solution", *SIM).stdout
    assert "8 times fewer sectors stored than" in " ".join(said.split())
    bars = re.findall(r"^    (\S+) +(\d+)  (#+)$", said.split("sectors stored\n")[1], re.M)[:2]
    assert [bar[:2] for bar in bars] == [("02_transpose_naive", "6144"), ("solution", "768")]
    assert len(bars[0][2]) == 8 * len(bars[1][2])
    assert " ms" not in said and "GB/s" not in said


def test_the_simulators_time_is_shown_on_request_and_called_what_it_is(lab):
    said = lab.run("bench", "02", "--solution", "--size", "64x64", "--simulator-time", *SIM).stdout
    assert "They say nothing about the speed of a GPU" in " ".join(said.split())
    assert "GB/s" in said and "fast CPU" in said and "sectors stored" in said


def test_a_cache_may_be_named_by_a_relative_path(lab):
    result = lab.run("check", "01", "--solution", *SIM, LAB_CACHE="my_cache")
    assert result.returncode == 0, result.stdout
    assert list((lab.root / "my_cache/kernels").iterdir())


def test_nothing_is_written_outside_the_places_for_it(lab):
    before = {p for p in lab.root.rglob("*") if p.is_file()}
    lab.run("check", "01", "--solution", *SIM)
    lab.run("hint", "01")
    after = {p.relative_to(lab.root).parts[0] for p in lab.root.rglob("*") if p.is_file() and p not in before}
    assert after <= {"report", ".lab"}
    assert os.environ.get("LAB_BUILD")


@pytest.mark.parametrize("command", ["check", "bench", "profile"])
def test_a_size_that_fits_no_launcher_is_refused_with_what_would_fit(lab, command):
    result = lab.run(command, "10", "--size", "5x5", *SIM)
    assert result.returncode == 2
    assert "--size 5x5" in result.stderr and "increment_with takes n x blocks x threads" in result.stderr


def test_of_several_launchers_those_run_that_the_size_fits(lab):
    document = json.loads(lab.run("bench", "10", "--solution", "--size", "100x2x64", "--json", *SIM).stdout)
    assert {row["launcher"] for row in document["results"]} == {"increment_with"}


def test_a_ratio_comes_with_its_spread_and_with_the_noise_of_ours_against_itself(lab):
    asked = ("--size", "64x64", "--no-cpu", "--simulator-time", "--json")
    document = json.loads(lab.run("bench", "03", "--solution", *asked, *SIM).stdout)
    (row,) = document["results"]
    for ratio in (row["peers"][0], row["against_itself"]):
        assert 0 < ratio["ratio_low"] <= ratio["ratio"] <= ratio["ratio_high"]
