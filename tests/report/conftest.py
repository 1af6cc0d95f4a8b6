"""Puts report/ on the path, and runs the report on copies of the fixtures."""

import pathlib
import shutil
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
sys.path[:0] = [str(ROOT / "report"), str(ROOT / "tests")]


@pytest.fixture
def workspace(tmp_path):
    """Folders results, recorded, labs and out with the fixtures in them, and run(), which makes the report."""
    return _workspace(tmp_path)


@pytest.fixture(scope="session")
def workspaces():
    """The same in a folder of one's own."""
    return _workspace


def _workspace(folder):
    for name in ("results", "recorded", "labs"):
        shutil.copytree(FIXTURES / name, folder / name)

    def run(*arguments):
        folders = [f"--{name}={folder / name}" for name in ("results", "recorded", "labs", "out")]
        command = ["/usr/bin/python3", ROOT / "report/report.py", *folders, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def page(name="index.html"):
        return (folder / "out" / name).read_text(encoding="utf-8")

    return types.SimpleNamespace(root=folder, run=run, page=page)
