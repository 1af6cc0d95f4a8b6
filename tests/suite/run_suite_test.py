"""What `./lab test` prints, over a small suite in which tests pass, fail and are skipped."""

import pathlib
import re
import subprocess

import pytest

RUNNER = pathlib.Path(__file__).resolve().parents[1] / "run_suite.py"
PARTLY = "SKIPPED 3 of 14: this machine has no GPU"


@pytest.fixture
def suite(tmp_path):
    """Writes a suite of (name, shell script, label) and runs it."""

    def run(*tests, options=()):
        text = ""
        for name, script, label in tests:
            text += f'add_test({name} sh -c "{script}")\n'
            text += f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77 LABELS {label})\n"
        (tmp_path / "CTestTestfile.cmake").write_text(text)
        command = ["/usr/bin/python3", RUNNER, tmp_path, *options]
        return subprocess.run(command, capture_output=True, text=True)

    return run


PASSES = ("passes", "true", "sim")
SKIPPED = ("needs_gpu", "echo SKIPPED: this machine has no GPU; exit 77", "sim")


def test_each_reason_is_listed_with_its_tests_before_the_summary_of_ctest(suite):
    no_clang = ("no_clang", "echo SKIPPED: no clang; exit 77", "sim")
    done = suite(PASSES, SKIPPED, ("partly", f"echo {PARTLY}", "cli"), no_clang)
    table, summary = re.search(r"^(Skipped: 3 tests\n.*?)\n\n(.*tests passed.*)", done.stdout, re.M | re.S).groups()
    assert table.split("\n")[1:] == [
        "     1 because no clang",
        "         no_clang",
        "     2 because this machine has no GPU",
        "         needs_gpu",
        "         partly (3 of 14)",
    ]
    # CTest 4.4 says no more that none failed.
    assert re.match(r"100% tests passed(, 0 tests failed)? out of 4\n", summary)
    assert done.returncode == 0


def test_a_test_that_fails_is_not_skipped_whatever_it_prints(suite):
    done = suite(PASSES, ("fails", "echo SKIPPED: no clang; exit 1", "sim"))
    assert done.returncode != 0
    assert "50% tests passed, 1 tests failed out of 2" in done.stdout
    assert "No test was skipped." in done.stdout


def test_nothing_skipped_is_said_too(suite):
    assert "No test was skipped." in suite(PASSES).stdout


def test_quick_leaves_out_slow_tests_and_ctest_gets_the_other_options(suite):
    tests = (PASSES, ("long", "true", "slow"), ("mine", "false", "student"), ("judges", "true", "judge"))
    assert "out of 3" in suite(*tests).stdout
    assert "out of 2" in suite(*tests, options=["--quick"]).stdout
    assert "out of 1" in suite(*tests, options=["-L", "judge", "--quick"]).stdout


def test_a_run_of_limited_minutes_tells_its_tests_when_it_ends(suite):
    end = ("end", "test -n \\\"$LAB_TESTS_UNTIL\\\"", "sim")
    assert suite(end).returncode != 0
    assert suite(end, options=["--minutes", "1"]).returncode == 0


def test_a_suite_without_tests_fails(suite):
    assert suite(PASSES, options=["-R", "nothing"]).returncode != 0
