import contextlib
import os
import pathlib
import signal
import sys
import threading

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from checkout import BUILD, ROOT, checkout  # noqa: E402
from waiting import wait_until  # noqa: E402

sys.path.insert(0, str(ROOT / "python"))

__all__ = ["BUILD", "ROOT", "checkout"]


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A copy of the project that the magics work in."""
    made = checkout(tmp_path)
    monkeypatch.setenv("LAB_ROOT", str(made.root))
    monkeypatch.setenv("LAB_BUILD", str(BUILD))
    monkeypatch.chdir(made.root)
    return made


def processes_with(marker):
    """The command lines of the running processes that name the marker, there or in their environment."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command, environment = (
                (entry / name).read_bytes().replace(b"\0", b" ").decode(errors="replace")
                for name in ("cmdline", "environ")
            )
            if marker in command + environment and entry.name != str(os.getpid()):
                found.append(command)
    return found


@contextlib.contextmanager
def interrupt_when(happened):
    """Sends this process the signal of Ctrl-C, at the latest when waiting has failed."""

    def interrupt():
        try:
            wait_until(happened)
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=interrupt)
    other.start()
    try:
        yield
    finally:
        other.join()
