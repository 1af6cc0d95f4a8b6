"""Puts report/ on the path, and runs the report on copies of the fixtures."""

import pathlib
import shutil
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
sys.path.insert(0, str(ROOT / "report"))


@pytest.fixture
def workspace(tmp_path):
    """Folders results, recorded, labs and out with the fixtures in them, and run(), which makes the report."""
    for name in ("results", "recorded", "labs"):
        shutil.copytree(FIXTURES / name, tmp_path / name)

    def run(*arguments):
        folders = [f"--{name}={tmp_path / name}" for name in ("results", "recorded", "labs", "out")]
        command = ["/usr/bin/python3", ROOT / "report/report.py", *folders, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    def page():
        return (tmp_path / "out/index.html").read_text(encoding="utf-8")

    return types.SimpleNamespace(root=tmp_path, run=run, page=page)
