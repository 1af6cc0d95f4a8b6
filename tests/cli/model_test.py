"""`lab bench --gpu` and `lab calibrate`, without a GPU."""
# ctest: slow

import json
import re
import shutil
from pathlib import Path

import pytest

from conftest import BUILD, ROOT

SIM = ("--backend", "sim")


def words(text):
    return " ".join(text.split())


def test_bench_shows_a_band_the_limiter_and_the_step_before(lab):
    result = lab.run("bench", "04", "--solution", "--gpu", "h200", *SIM)
    assert result.returncode == 0, result.stderr
    said = words(result.stdout)
    # Nsight Compute says so of this kernel on an H200: L2 works 73 to 79% of the time, device memory 44 to 49%.
    assert re.search(r"transpose 2000x5000: \S+ us to \S+ us on H200 \(modelled\), limited by L2 throughput", said)
    assert re.search(r"\S+ times as fast as 03_transpose_shared", said)


def test_bench_models_the_gpu_that_the_simulator_imitates(lab):
    said = words(lab.run("bench", "01", "--solution", *SIM).stdout)
    assert "us on H200 (modelled)" in said
    t4 = lab.execute([BUILD / "bin/lab", "bench", "01", "--solution", *SIM], lab.environment(LAB_SIM_DEVICE="t4"))
    assert "us on T4 (modelled)" in words(t4.stdout) and "not validated for this GPU" in words(t4.stdout)


@pytest.mark.parametrize("asked", [("--gpu", "none"), ("--size", "1000")])
def test_bench_models_no_gpu_if_it_is_asked_not_to_or_for_sizes(lab, asked):
    result = lab.run("bench", "01", "--solution", *asked, *SIM)
    assert result.returncode == 0 and "modelled" not in result.stdout + result.stderr


def test_profile_tells_what_would_gain_most(lab):
    result = lab.run("profile", "03", "--solution", *SIM)
    assert result.returncode == 0, result.stderr
    assert re.search(
        r"limited by shared memory.* without bank conflicts it would be \S+ times as fast", words(result.stdout)
    )
    assert "times as fast as" not in result.stdout  # that is a question for bench
    without = lab.run("profile", "03", "--solution", "--gpu", "none", *SIM)
    assert without.returncode == 0 and "modelled" not in without.stdout


@pytest.mark.parametrize(
    ("asked", "why"), [(("03", "--json"), "./lab bench --json has them"), (("saxpy.cu",), "not of a whole program")]
)
def test_profile_refuses_a_gpu_where_it_shows_no_modelled_time(lab, asked, why):
    (lab.root / "saxpy.cu").write_text("int main() {}\n")
    words_asked = [str(lab.root / one) if one.endswith(".cu") else one for one in asked]
    result = lab.run("profile", *words_asked, "--gpu", "t4", *SIM)
    assert result.returncode == 2 and why in words(result.stderr)


def test_the_document_of_bench_has_the_modelled_times(lab):
    document = json.loads(lab.run("bench", "03", "--solution", "--json", *SIM).stdout)
    (kept,) = (lab.root / "report/out/results").glob("bench-03*solution*")
    assert json.loads(kept.read_text())["modelled"] == document["modelled"]
    assert document["modelled"]["gpu"] == "h200" and document["modelled"]["validated"]
    (row,) = document["modelled"]["results"]
    assert (row["lab"], row["launcher"], row["size"]) == ("03_transpose_shared", "transpose", "2000x5000")
    assert row["low_us"] < row["us"] < row["high_us"]
    assert row["gbytes_per_s"] == pytest.approx(2 * 4 * 2000 * 5000 / row["us"] / 1e3)
    assert row["step_before"] == "02_transpose_naive" and row["before"]["us"] > 0
    assert row["gain"]["change"] == "without bank conflicts" and row["gain"]["ratio"] > 1.25


def test_an_unknown_gpu_is_refused_with_the_known_names(lab):
    result = lab.run("bench", "04", "--solution", "--gpu", "h300", *SIM)
    assert result.returncode == 2 and "h200" in result.stderr


def test_calibrate_runs_on_the_simulator(lab):
    result = lab.run("calibrate", "--smoke-test")
    assert result.returncode == 0, result.stderr
    assert "| multiprocessors | 132 |" in result.stdout


def launches(lab, number, launcher, size):
    result = lab.run("model", number, "--solution", "--launcher", launcher, "--size", size)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["launches"]


def test_the_statements_after_a_barrier_are_counted(lab):
    (one,) = launches(lab, "09", "convolve_line", "100000x31")
    assert 0.9 < one["chain"] / 31 < 1.1
    assert 0.9 < one["fp32"] / (99970 * 31 / 32) < 1.1


def test_the_length_of_a_shared_array_does_not_unroll_a_loop(lab):
    (one,) = launches(lab, "08", "transpose_vector", "2000x500")
    assert one["rounds"] > 2000 / 8 / 4


def test_a_load_does_not_pass_a_store_to_the_same_array(lab):
    (one,) = launches(lab, "10", "increment_with", "1000000x33x128")
    assert one["rounds"] > 0.95 * 1000000 / (33 * 128)


def test_one_lane_at_a_counter_does_not_slow_its_block(lab):
    result = lab.run("model", "11", "--encore", "--launcher", "count", "--size", "1000000")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["us"] < 5  # 3.3 on an H200


def purpose(line):
    """ "counters 03" for a compiler's command that makes the library that counts; empty for a link or a runner."""
    words = line.split()
    if "-c" not in words:
        return ""
    (lab,) = re.findall(r"/(\d\d)_\w+/kernel\.cu", words[-1])
    options = {"-fprofile-generate": "counters", "-fprofile-use": "counts", "-DLAB_SIM_TRACE=1": "trace"}
    (what,) = [what for option, what in options.items() if option in words] or ["fast"]
    return f"{what} {lab}"


class counting:
    """Runs `lab model` with a cache of its own, and notes each start of the compiler and of the runner."""

    def __init__(self, lab, folder):
        self.lab, self.log, self.cache = lab, folder / "started", folder / "cache"
        compiler = self.noting(folder / "compiler", '/usr/bin/env g++ "$@"')
        runner = self.noting(folder / "runner", '"$@"')
        self.environment = {"LAB_CACHE": str(self.cache), "LAB_CXX": str(compiler), "LAB_RUNNER_WRAPPER": str(runner)}

    def noting(self, script, command):
        script.write_text(f'#!/bin/sh\necho {script.name} "$@" >>"{self.log}"\nexec {command}\n')
        script.chmod(0o755)
        return script

    def model(self, gpu="h200", program=BUILD / "bin/lab"):
        """The row that it printed, and what it started."""
        self.log.write_text("")
        words = ["model", "01", "--solution", "--launcher", "vector_add", "--size", "100000", "--gpu", gpu, *SIM]
        result = self.lab.execute([program, *words], self.lab.environment(**self.environment))
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout), {line.split()[0] for line in self.log.read_text().splitlines()}

    def started(self, *words):
        """The lines of what `lab bench` started, in their order."""
        self.log.write_text("")
        command = [BUILD / "bin/lab", "bench", *words, "--gpu", "h200", *SIM]
        result = self.lab.execute(command, self.lab.environment(**self.environment))
        assert result.returncode == 0, result.stderr
        return self.log.read_text().splitlines()

    def bench(self, *words):
        """What the compiler was asked to make of which lab's kernel, sorted."""
        return sorted(filter(None, map(purpose, self.started(*words))))

    def kept(self):
        (file,) = self.cache.rglob("*.counts")
        return file


@pytest.fixture
def counted(lab, tmp_path):
    return counting(lab, tmp_path)


def test_a_second_call_compiles_nothing_and_simulates_nothing(counted):
    first, started = counted.model()
    assert started == {"compiler", "runner"}
    again, started = counted.model()
    assert started == set() and again == first


def test_another_gpu_uses_the_same_counts(counted):
    counted.model("h100")
    there, started = counted.model("h200")
    assert started == set()
    counted.kept().unlink()
    assert counted.model("h200")[0] == there


def test_an_edited_kernel_is_counted_anew(counted):
    first, _ = counted.model()
    kernel = counted.lab.own("solutions/01_vector_add") / "kernel.cu"
    kernel.write_text(kernel.read_text().replace("block_size = 256", "block_size = 128"))
    edited, started = counted.model()
    assert started == {"compiler", "runner"}
    assert edited["launches"][0]["threads"] == 128 and first["launches"][0]["threads"] == 256


def test_an_edited_lab_definition_is_counted_anew(counted):
    counted.model()
    definition = counted.lab.root / "labs/01_vector_add/lab.cpp"
    definition.write_text(definition.read_text() + "// other inputs\n")
    assert "runner" in counted.model()[1]


@pytest.mark.parametrize("damage", ["cut", "changed", "empty"])
def test_a_damaged_file_of_counts_is_ignored(counted, damage):
    first, _ = counted.model()
    text = counted.kept().read_text()
    blocks = '"blocks_run":'
    damaged = {"cut": text[: len(text) // 2], "changed": text.replace(blocks, blocks + "1"), "empty": ""}[damage]
    assert damaged != text
    counted.kept().write_text(damaged)
    again, started = counted.model()
    assert "runner" in started and again == first
    assert counted.model() == (first, set())  # the counts are kept again


def test_another_build_of_the_model_does_not_read_old_counts(counted, tmp_path):
    counted.model()
    program = shutil.copy(BUILD / "bin/lab", tmp_path / "lab")
    counted.environment["LAB_HOME"] = str(ROOT)
    assert "runner" in counted.model(program=program)[1]


def test_bench_shows_that_it_counts(counted):
    words = ["bench", "03", "--solution", "--gpu", "h200", *SIM]
    result = counted.lab.execute([BUILD / "bin/lab", *words], counted.lab.environment(**counted.environment))
    assert result.returncode == 0, result.stderr
    assert "modelling 03_transpose_shared" in result.stderr


def test_bench_compiles_each_step_once_for_each_purpose(counted):
    once = ("fast", "trace", "counters", "counts")
    assert counted.bench("03", "--solution") == sorted(f"{what} {lab}" for what in once for lab in ("02", "03"))


def test_launchers_of_different_kernels_share_the_compilation_with_counts(counted):
    purposes = [purpose(line) for line in counted.started("05", "--solution")]
    assert purposes.count("counters 05") == 1 and purposes.count("counts 05") == 1


def test_the_steps_before_of_one_file_are_modelled_in_the_students_own(counted):
    folders = [counted.lab.root / folder / "14_mlp_forward" for folder in ("solutions", "labs")]
    shutil.copy(folders[0] / "kernel.cu", folders[1] / "kernel.cu")
    assert counted.bench("14") == ["counters 14", "counts 14", "fast 14", "trace 14"]


def counted_runs(lines):
    return [number for number, line in enumerate(lines) if line.startswith("runner") and "counted.so" in line]


def checks(lines):
    return [number for number, line in enumerate(lines) if line.startswith("runner") and "counted.so" not in line]


def test_launchers_that_use_several_streams_are_not_counted(counted):
    lines = counted.started("12", "--solution")
    assert checks(lines) and not counted_runs(lines)
    assert not [line for line in lines if purpose(line).startswith("counts")]
    assert counted.bench("12", "--solution") == []  # the cache keeps that they get no time


def test_products_on_tensor_cores_get_no_time_and_are_not_compiled_for_counting(counted):
    lines = counted.started("16", "--solution")
    assert not [line for line in lines if purpose(line).startswith("counters")]
    result = counted.lab.run("bench", "16", "--solution", "--gpu", "h200", *SIM)
    assert "no modelled time: its products run on tensor cores" in words(result.stdout)


def test_bench_counts_while_it_checks_but_not_while_it_times(counted):
    words = ("01", "--solution", "--no-cpu")
    beside = counted.started(*words)
    (compiled,) = [number for number, line in enumerate(beside) if purpose(line).startswith("counters")]
    assert compiled < max(checks(beside)) and counted_runs(beside)
    shutil.rmtree(counted.cache)
    alone = counted.started(*words, "--simulator-time")
    (compiled,) = [number for number, line in enumerate(alone) if purpose(line).startswith("counters")]
    assert max(checks(alone)) < compiled < min(counted_runs(alone))


def test_a_kernel_that_a_call_launches_again_keeps_its_whole_sample(counted):
    words = ["model", "14", "--solution", "--launcher", "forward_naive", "--size", "8192", *SIM]
    result = counted.lab.execute([BUILD / "bin/lab", *words], counted.lab.environment(**counted.environment))
    assert result.returncode == 0, result.stderr
    launches = json.loads(counted.kept().read_text().partition("\n")[2])["launches"]
    kernels = [one["kernel"] for one in launches]
    assert len(kernels) > len(set(kernels))
    assert min(one["blocks_run"] for one in launches) >= 6


NVCC = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo cubin > "$2"
echo "ptxas info    : Compiling entry function '_Z17vector_add_kernelPKiS0_Pii' for 'sm_90a'
ptxas info    : Function properties for _Z17vector_add_kernelPKiS0_Pii
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 77 registers, used 0 barriers" >&2
"""


@pytest.mark.parametrize(
    "nvcc, registers, said", [(NVCC, 77, "nvcc"), ("#!/bin/sh\nexit 1\n", 32, "estimate"), ("", 32, "estimate")]
)
def test_registers_are_those_of_nvcc_where_it_is_installed(lab, tmp_path, nvcc, registers, said):
    compiler = tmp_path / "nvcc"
    compiler.write_text(nvcc)
    compiler.chmod(0o755)
    environment = lab.environment(LAB_NVCC=str(compiler) if nvcc else "", LAB_CACHE=str(tmp_path / "cache"))
    command = [BUILD / "bin/lab", "model", "01", "--solution", "--launcher", "vector_add", "--size", "100000", *SIM]
    row = json.loads(lab.execute(command, environment).stdout)
    assert row["registers_from"] == said and row["launches"][0]["registers"] == registers
    shown = lab.execute([BUILD / "bin/lab", "bench", "01", "--solution", "--gpu", "h200", *SIM], environment).stdout
    assert ("as many as nvcc gives it" if said == "nvcc" else "an estimate") in words(shown)


NOTES_ITSELF = """#!/bin/sh
echo "$$ $*" >> "$(dirname "$0")/calls"
exec sleep 600
"""


def test_bench_does_not_wait_for_nvcc_where_its_registers_would_change_nothing(lab, tmp_path):
    compiler = tmp_path / "nvcc"
    compiler.write_text(NOTES_ITSELF)
    compiler.chmod(0o755)
    environment = lab.environment(LAB_NVCC=str(compiler), LAB_CACHE=str(tmp_path / "cache"))
    shown = lab.execute([BUILD / "bin/lab", "bench", "03", "--solution", "--gpu", "h200", *SIM], environment)
    assert shown.returncode == 0 and "times as many give the same times" in words(shown.stdout)
    # The step before is a reference solution, whose estimates were compared with nvcc's numbers.
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert "03_transpose_shared" in call
    assert not Path("/proc", call.split()[0]).exists()
