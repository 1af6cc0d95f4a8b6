"""`lab bench --gpu` and `lab calibrate`, without a GPU."""

import re

SIM = ("--backend", "sim")


def words(text):
    return " ".join(text.split())


def test_bench_shows_a_band_the_limiter_and_the_step_before(lab):
    result = lab.run("bench", "04", "--solution", "--gpu", "h200", *SIM)
    assert result.returncode == 0, result.stderr
    said = words(result.stdout)
    assert re.search(r"transpose 2000x5000: \S+ us to \S+ us on H200 \(modelled\), limited by DRAM throughput", said)
    assert re.search(r"\S+ times as fast as 03_transpose_shared", said)


def test_an_unknown_gpu_is_refused_with_the_known_names(lab):
    result = lab.run("bench", "04", "--solution", "--gpu", "h300", *SIM)
    assert result.returncode == 2 and "h200" in result.stderr


def test_calibrate_runs_on_the_simulator(lab):
    result = lab.run("calibrate", "--smoke-test")
    assert result.returncode == 0, result.stderr
    assert "| multiprocessors | 132 |" in result.stdout
