"""The kernels in Python run where Numba and a GPU are, and elsewhere say what is missing."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(**environment):
    command = ["/usr/bin/python3", ROOT / "report/numba_kernels.py"]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def test_without_numba_the_message_says_so(tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('absent', name='numba')\n")
    done = run(PYTHONPATH=str(tmp_path))
    assert done.returncode == 3 and done.stdout == ""
    assert "numba is not installed" in done.stderr or "numpy is not installed" in done.stderr


def test_without_a_gpu_the_message_says_so(tmp_path):
    (tmp_path / "numba.py").write_text("class cuda:\n    is_available = staticmethod(lambda: False)\n")
    done = run(PYTHONPATH=str(tmp_path))
    assert done.returncode == 3 and "no GPU" in done.stderr


def test_all_three_are_timed():
    done = run()
    if done.returncode == 3:
        pytest.skip(done.stderr.strip().removeprefix("numba_kernels: "))
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["interpreted", "Numba,", "lab"]
