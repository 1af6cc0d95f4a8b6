"""The numbers in the lessons' and the solutions' READMEs are those of the records."""

import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT
from readmes.unreferenced import unreferenced
from update_readmes import readmes

READMES = readmes(ROOT / "labs", ROOT / "solutions")


def updated(*arguments):
    command = [sys.executable, ROOT / "report/update_readmes.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_every_readme_holds_what_was_recorded():
    done = updated("--check")
    assert done.returncode == 0, done.stderr
    solutions = list(ROOT.glob("solutions/*/README.md"))
    assert len(solutions) >= 17 and all("<!-- measured -->" in path.read_text() for path in solutions)


@pytest.mark.parametrize("path", READMES, ids=lambda path: str(path.relative_to(ROOT).parent))
def test_every_number_that_looks_measured_has_a_reference(path):
    found = unreferenced(path.read_text(encoding="utf-8"))
    assert not found, "\n".join(f"{path}:{one.line}: {one.message}" for one in found)


@pytest.fixture
def copied(tmp_path):
    """The README of lesson 04 and of its solution in folders of their own, and update(), which sees no others."""
    places = []
    for room in ("labs", "solutions"):
        folder = tmp_path / room / "04_transpose_padded"
        folder.mkdir(parents=True)
        shutil.copy(ROOT / room / "04_transpose_padded/README.md", folder)
        places += [f"--{room}", tmp_path / room]
    return tmp_path, lambda *more: updated(*places, *more)


def test_another_figure_in_a_table_is_found_and_put_right(copied):
    folder, update = copied
    readme = folder / "solutions/04_transpose_padded/README.md"
    true = readme.read_text()
    figure = re.search(r"\| \d+ % \|", true)
    readme.write_text(true.replace(figure[0], "| 100.5 % |"))
    done = update("--check")
    line = true[: figure.start()].count("\n") + 1
    assert done.returncode == 1 and f"solutions/04_transpose_padded/README.md:{line}: a generated table" in done.stderr
    assert update().returncode == 0
    assert readme.read_text() == true


def test_another_number_in_prose_is_found_and_put_right(copied):
    folder, update = copied
    readme = folder / "labs/04_transpose_padded/README.md"
    true = readme.read_text()
    number = re.search(r"\d+(?= GB/s<!--)", true)
    readme.write_text(true[: number.start()] + "1700" + true[number.end() :])
    done = update("--check")
    line = true[: number.start()].count("\n") + 1
    assert done.returncode == 1 and f"/README.md:{line}: 1700 GB/s is written, {number[0]} is recorded" in done.stderr
    assert readme.read_text() != true
    assert update().returncode == 0
    assert readme.read_text() == true


def test_what_only_the_author_can_correct_stays_and_is_named(copied):
    folder, update = copied
    readme = folder / "labs/04_transpose_padded/README.md"
    changed = readme.read_text() + "It moves 17 GB/s, and 18 GB/s<!--h200 04/solution 1x1 bandwidth-->.\n"
    readme.write_text(changed)
    for arguments in ((), ("--check",)):
        done = update(*arguments)
        assert done.returncode == 1 and "no reference follows 17 GB/s" in done.stderr
        assert "h200 has no size 1x1; there are " in done.stderr and readme.read_text() == changed
