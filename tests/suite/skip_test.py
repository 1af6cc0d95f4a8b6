"""A skipped test ends with the status that CTest shows as skipped, and hides no failure."""

import os
import pathlib
import shutil
import subprocess

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", TESTS.parent / "build/sim"))
PASSES = "def test_one():\n    pass\n"
SKIPS = "import pytest\ndef test_two():\n    pytest.skip('no GPU')\n"
FAILS = "def test_three():\n    assert False\n"


def run_pytest(folder, text, **environment):
    shutil.copy(TESTS / "conftest.py", folder)
    (folder / "some_test.py").write_text(text)
    command = ["/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "some_test.py"]
    return subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)


def run_case(name, **environment):
    command = [BUILD / "tests/suite.skips", name.replace(",", "\\,")]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)


@pytest.mark.parametrize("case, status", [("skips", 77), ("fails, then skips", 1), ("passes", 0)])
def test_a_catch2_case(case, status):
    done = run_case(case)
    assert done.returncode == status, done.stdout
    assert ("\nSKIPPED: this machine has no GPU\n" in done.stdout) == ("skips" in case)


@pytest.mark.parametrize(
    "text, status, line",
    [
        (SKIPS, 77, "\nSKIPPED: no GPU\n"),
        (PASSES + SKIPS, 0, "\nSKIPPED 1 of 2: no GPU\n"),
        (FAILS + SKIPS, 1, "\nSKIPPED 1 of 2: no GPU\n"),
        ("import pytest\npytest.skip('no clang', allow_module_level=True)\n", 77, "\nSKIPPED: no clang\n"),
    ],
)
def test_a_pytest_file(tmp_path, text, status, line):
    done = run_pytest(tmp_path, text)
    assert done.returncode == status and line in done.stdout, done.stdout


OVER, LATER = {"LAB_TESTS_UNTIL": "1"}, {"LAB_TESTS_UNTIL": "4000000000"}
REASON = "\nSKIPPED: the time that this run may take is over\n"
KEEPS_IT_TO_ITSELF = "import os\ndef test_four():\n    assert 'LAB_TESTS_UNTIL' not in os.environ\n"


@pytest.mark.parametrize("until, status", [(OVER, 77), (LATER, 0)])
def test_after_the_time_of_a_run_tests_are_skipped(tmp_path, until, status):
    for done in (run_pytest(tmp_path, KEEPS_IT_TO_ITSELF, **until), run_case("passes", **until)):
        assert done.returncode == status, done.stdout
        assert (REASON in "\n" + done.stdout) == (status == 77)


def test_a_pytest_file_without_skips_says_nothing(tmp_path):
    done = run_pytest(tmp_path, PASSES)
    assert done.returncode == 0 and "SKIPPED" not in done.stdout
