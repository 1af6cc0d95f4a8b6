"""`lab bench --gpu` and `lab calibrate`, without a GPU."""
# ctest: slow

import json
import re

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
