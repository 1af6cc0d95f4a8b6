"""`lab bench --sweep` and `--verify`, as far as they need no GPU."""

import pathlib
import signal

import pytest

from conftest import BUILD
from waiting import wait_until

SIM = ("--backend", "sim")
SOLUTION = ("bench", "04", "--solution")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((*SOLUTION, "--sweep", "--size", "64x64"), "--sweep draws its sizes; leave --size out"),
        (("bench", "all", "--solution", "--sweep"), "--sweep works on one lab"),
        ((*SOLUTION, "--sweep", "--sizes", "0"), "--sizes"),
        ((*SOLUTION, "--sweep", "--most-memory", "-1"), "--most-memory"),
        ((*SOLUTION, "--sizes", "7"), "--sweep"),
        ((*SOLUTION, "--verify", "--sweep"), "--verify"),
        ((*SOLUTION, "--verify", "--peers"), "--verify"),
        ((*SOLUTION, "--verify", "--gpu", "h200"), "--verify"),
    ],
)
def test_wrong_usage_is_explained(lab, arguments, words):
    done = lab.run(*arguments, *SIM)
    assert done.returncode == 2 and words in done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize("option", ["--sweep", "--verify"])
def test_the_simulator_has_no_times_to_compare(lab, option):
    done = lab.run(*SOLUTION, option, *SIM, "--json")
    assert done.returncode == 3 and done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert option in line and "GPU" in line and "./lab doctor" in line


def test_help_names_both_options_with_examples(lab):
    text = lab.run("bench", "--help").stdout
    assert "lab bench 04 --encore --sweep" in text and "lab bench 04 --solution --verify" in text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_of_verify_leaves_nothing_behind(lab, tmp_path, monkeypatch, number):
    compiles, nvcc = tmp_path / "compiles", tmp_path / "nvcc"
    nvcc.write_text(f"#!/bin/sh\necho $$ > {compiles}\nexec sleep 60\n")
    nvcc.chmod(0o755)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    fakes = {"LAB_BUILD": BUILD / "tests/with_fake_runner", "LAB_NVCC": nvcc}
    process = lab.start(*SOLUTION, "--verify", "--backend", "cuda", **fakes)
    wait_until(compiles.exists)
    process.send_signal(number)
    process.communicate()
    assert process.returncode == 128 + number
    assert list(tmp_path.glob("kernel-lab-scratch-*")) == []
    wait_until(lambda: not pathlib.Path("/proc", compiles.read_text().strip()).exists())
