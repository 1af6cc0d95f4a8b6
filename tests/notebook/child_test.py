"""A command that the notebook started ends with it: after an interrupt, at a limit, and when the kernel is killed."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from conftest import ROOT, interrupt_when, processes_with
from kernel_lab import child
from waiting import wait_until

SLEEPS_WITH_CHILD = "sleep {0} & sleep {0}; exit 0"


def seconds(tmp_path):
    """A duration that names this test in a list of processes."""
    return f"{100000 + hash(str(tmp_path)) % 800000}.25"


def test_output_arrives_as_text_and_status():
    heard = []
    ended = child.run(["sh", "-c", "printf 'a\\303\\244'; echo no >&2; exit 3"], on_stderr=heard.append)
    assert (ended.status, ended.stdout, "".join(heard), ended.stopped) == (3, "aä", "no\n", "")


def test_output_that_is_not_utf8_is_shown_all_the_same():
    assert child.run(["printf", "\\377x"]).stdout == "\N{REPLACEMENT CHARACTER}x"


def test_a_child_left_behind_does_not_hold_the_notebook(tmp_path):
    mark = seconds(tmp_path)
    assert child.run(["sh", "-c", f"sleep {mark} & echo done"]).stdout == "done\n"
    wait_until(lambda: not processes_with(mark))


@pytest.mark.parametrize(
    "program, limits, reason",
    [("sleep {}", {"limit_s": 0.2}, "time"), ("yes {}", {"most_bytes": 1000}, "output")],
    ids=["time", "output"],
)
def test_a_limit_stops_the_program(tmp_path, program, limits, reason):
    mark = seconds(tmp_path)
    assert child.run(["sh", "-c", program.format(mark)], **limits).stopped == reason
    wait_until(lambda: not processes_with(mark))


def test_an_interrupt_ends_the_command_and_its_children(tmp_path):
    mark = seconds(tmp_path)
    with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: len(processes_with(f"sleep {mark}")) >= 2):
        child.run(["sh", "-c", SLEEPS_WITH_CHILD.format(mark)])
    wait_until(lambda: not processes_with(mark))


def test_an_interrupt_while_the_command_starts_ends_it(tmp_path, monkeypatch):
    mark = seconds(tmp_path)
    start = subprocess.Popen

    def interrupted_start(*arguments, **options):
        started = start(*arguments, **options)
        signal.raise_signal(signal.SIGINT)
        return started

    monkeypatch.setattr(child.subprocess, "Popen", interrupted_start)
    with pytest.raises(KeyboardInterrupt):
        child.run(["sleep", mark])
    wait_until(lambda: not processes_with(mark))


def test_a_command_that_ignores_the_interrupt_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(child, "GRACE_S", 0.2)
    ready = tmp_path / "ready"
    with pytest.raises(KeyboardInterrupt), interrupt_when(ready.exists):
        child.run(["sh", "-c", f"trap '' INT; touch {ready}; while :; do :; done"])
    wait_until(lambda: not processes_with(str(ready)))


def test_a_command_ends_when_the_kernel_of_the_notebook_is_killed(tmp_path):
    mark = seconds(tmp_path)
    program = f"from kernel_lab import child; child.run(['sleep', '{mark}'])"
    kernel = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    wait_until(lambda: any(pathlib.Path(one.split()[0]).name == "sleep" for one in processes_with(mark)))
    kernel.kill()
    kernel.wait()
    wait_until(lambda: not processes_with(mark))
