"""`lab bench --sweep` and `--verify`, as far as they need no GPU."""


import pytest

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
