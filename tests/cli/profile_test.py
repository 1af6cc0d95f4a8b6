"""Hazards, gates and `lab profile` as a person or a script meets them."""
# ctest: slow

import json
import os
import pathlib
import shutil

import pytest

from conftest import needs_patch

SIM = ("--backend", "sim")
UNPADDED = "04_transpose_padded/unpadded"
NO_BARRIER = "03_transpose_shared/missing_barrier"


def line_with(kernel, text):
    return next(i for i, line in enumerate(pathlib.Path(kernel).read_text().split("\n"), 1) if text in line)


@needs_patch
def test_a_wasteful_kernel_fails_its_gate_with_the_line_and_the_number(lab):
    kernel = lab.mutant(UNPADDED)
    result = lab.run("check", "04", "--kernel", kernel, *SIM)
    assert result.returncode == 1
    line = line_with(kernel, "shared[threadIdx.x][j]")
    counted = ("gate", "5952 bank conflicts", "at most 576")
    for words in (*counted, f"unpadded.cu:{line}", "different banks", "./lab hint 04 1"):
        assert words in result.stdout, result.stdout
    assert result.stdout.index("8 cases") < result.stdout.index("FAILED")


@needs_patch
def test_a_race_is_named_as_the_one_cause_with_both_lines_and_advice(lab):
    kernel = lab.mutant(NO_BARRIER)
    result = lab.run("check", "03", "--kernel", kernel, *SIM)
    assert result.returncode == 1
    store, load = (line_with(kernel, text) for text in ("shared[j][", "= shared["))
    assert result.stdout.count("Why:") == 1 and "Hazard:" not in result.stdout
    text = result.stdout[result.stdout.index("Why:") :]
    places = (f"missing_barrier.cu:{store}", f"missing_barrier.cu:{load}")
    for words in (*places, "thread (", "__syncthreads()", "./lab hint 03 1"):
        assert words in text, result.stdout


@needs_patch
def test_hazards_reach_the_document(lab):
    kernel = lab.mutant(NO_BARRIER)
    row = json.loads(lab.run("check", "03", "--kernel", kernel, "--json", *SIM).stdout)["results"][0]
    race = next(h for h in row["hazards"] if h["severity"] == "error")
    assert race["kind"] == "race" and race["space"] == "shared" and race["kernel"] == "transpose_kernel"
    lines = {line_with(kernel, "shared[j]["), line_with(kernel, "= shared[")}
    assert {race["line"], race["other_line"]} == lines and race["advice"]


@needs_patch
def test_the_same_seed_gives_the_same_hazards_and_counts(lab):
    kernel = lab.mutant(NO_BARRIER)
    runs = [
        lab.run("profile", "03", "--kernel", kernel, "--size", "40x70", "--seed", "5", "--json", *SIM).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1] and '"race"' in runs[0]


def test_a_profile_stands_beside_the_source_and_points_at_the_costliest_line(lab):
    result = lab.run("profile", "03", "--solution", "--size", "64x96", *SIM)
    assert result.returncode == 0, result.stderr
    kernel = lab.root / "solutions/03_transpose_shared/kernel.cu"
    line = line_with(kernel, "shared[threadIdx.x][j]")
    marked = next(text for text in result.stdout.split("\n") if text.startswith("> load shared"))
    assert f" {line}  " in marked and "6144" in marked and "5952" in marked
    assert f"kernel.cu:{line}" in result.stdout and "768 sectors loaded, 768 stored" in result.stdout


def test_a_profile_says_how_much_of_the_device_a_launch_can_use(lab):
    result = lab.run("profile", "10", "--solution", "--size", "10000x2112x256", *SIM)
    assert "2 waves of blocks on h200; occupancy at most 100 %" in " ".join(result.stdout.split())
    result = lab.run("profile", "12", "--solution", "--size", "32x32x32x3", *SIM)
    assert "; 3 kernels may run at the same time" in " ".join(result.stdout.split())


def test_a_profile_counts_what_the_source_says(lab):
    document = json.loads(lab.run("profile", "02.1", "--solution", "--size", "64x96", "--json", *SIM).stdout)
    assert document["schema"] == 1 and document["hazards"] == []
    (launch,) = document["launches"]
    assert launch["grid"] == [3, 2, 1] and launch["block"] == [32, 8, 1]
    counted = {line["op"]: line["sectors"] / line["requests"] for line in launch["lines"]}
    assert counted == {"load": 4, "store": 32}
    assert launch["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] == 64 * 96


def test_a_kernel_that_does_not_compile_cannot_be_profiled(lab, tmp_path):
    broken = tmp_path / "broken.cu"
    broken.write_text("this is not C++\n")
    result = lab.run("profile", "02", "--kernel", str(broken), *SIM)
    assert result.returncode == 1 and "broken.cu:1" in result.stdout


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("profile", "all"), "name one lab"),
        (("profile", "02", "--size", "3"), "transpose takes rows x cols"),
        (("profile", "02", "--kernel", "nowhere.cu"), "nowhere.cu does not exist"),
    ],
)
def test_wrong_usage_of_profile_exits_with_2(lab, arguments, words):
    result = lab.run(*arguments, *SIM)
    assert result.returncode == 2 and words in result.stderr


@pytest.mark.parametrize("arguments", [("--backend", "cuda"), ("--compare",)])
def test_without_a_gpu_or_its_profiler_the_exit_code_is_3(lab, arguments):
    if shutil.which("nvidia-smi") or os.path.exists("/dev/nvidia0"):
        pytest.skip("this machine has a GPU")
    result = lab.run("profile", "02", "--solution", *arguments)
    assert result.returncode == 3 and result.stderr.strip() and result.stdout == ""


def test_any_program_can_be_profiled(lab, tmp_path):
    program = tmp_path / "mine.cu"
    program.write_text(
        "__global__ void every_eighth(int* a) {\n  a[8 * threadIdx.x] = 1;\n}\n"
        "int main() {\n  int* a;\n  cudaMalloc(&a, 4096);\n  every_eighth<<<1, 32>>>(a);\n"
        "  return cudaDeviceSynchronize();\n}\n"
    )
    (launch,) = json.loads(lab.run("profile", str(program), "--json").stdout)["launches"]
    assert [(line["line"], line["op"], line["sectors"]) for line in launch["lines"]] == [(2, "store", 32)]
    assert "32.0 sectors per request, but 4.0 are enough" in lab.run("profile", str(program)).stdout
    program.write_text("int main() { return }\n")
    result = lab.run("profile", str(program))
    assert result.returncode == 1 and "mine.cu:1" in result.stdout
    assert lab.run("profile", str(tmp_path / "none.cu")).returncode == 2
