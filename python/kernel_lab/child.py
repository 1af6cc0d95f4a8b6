"""Runs a command beside the notebook. An interrupt, or the end of the notebook's kernel, ends it and its children."""

import codecs
import contextlib
import dataclasses
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time

GRACE_S = 5  # after SIGINT, for a command that ends its own children
CHUNK = 1 << 16


@dataclasses.dataclass
class Ended:
    status: int  # as subprocess gives it: negative for a signal
    stdout: str
    stopped: str = ""  # why it was stopped: "time" or "output"


def run(words, on_stdout=None, on_stderr=None, limit_s=None, most_bytes=None, folder=None, **environment):
    """Waits for the command. Text goes to the functions as it arrives; without on_stdout it is returned.

    KeyboardInterrupt passes through when the command and all its children have ended.
    """
    child, kept = None, []
    try:
        with _interrupts_later():
            child = subprocess.Popen(
                [*_dies_with_us(), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                cwd=folder,
                env={**os.environ, **environment},
            )
        stopped = _pump(child, on_stdout or kept.append, on_stderr or _ignore, limit_s, most_bytes)
        status = child.wait()
        return Ended(status, "".join(kept), stopped)
    finally:
        if child:
            stop(child)


@contextlib.contextmanager
def _interrupts_later():
    """An interrupt while the child starts would leave a child that nobody knows. Only the main thread gets any."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    arrived = []
    signal.signal(signal.SIGINT, lambda *_: arrived.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if arrived:
        signal.raise_signal(signal.SIGINT)


def stop(child):
    """Ends the command if it runs, and what it left in its process group."""
    if child.poll() is None:
        _signal(child, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_S)
    _signal(child, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdout, child.stderr):
        pipe.close()


def _signal(child, number):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)


def _dies_with_us():
    """A notebook's kernel that is killed cannot stop its children; Linux can."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []


def _pump(child, on_stdout, on_stderr, limit_s, most_bytes):
    """Passes the output on until both pipes close; the reason if it stopped the command."""
    end = time.monotonic() + limit_s if limit_s else None
    left = most_bytes if most_bytes is not None else float("inf")
    with selectors.DefaultSelector() as open_pipes:
        for pipe, receive in ((child.stdout, on_stdout), (child.stderr, on_stderr)):
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            open_pipes.register(pipe, selectors.EVENT_READ, (decoder, receive))
        while open_pipes.get_map():
            for key, _ in open_pipes.select(timeout=0.1):
                data = os.read(key.fd, CHUNK)
                decoder, receive = key.data
                if text := decoder.decode(data, final=not data):
                    receive(text)
                if not data:
                    open_pipes.unregister(key.fileobj)
                left -= len(data)
            if left < 0 or (end and time.monotonic() > end):
                _signal(child, signal.SIGKILL)
                return "output" if left < 0 else "time"
            if child.poll() is not None and not open_pipes.select(timeout=0):
                return ""  # a process that it left behind may keep the pipes open
    return ""


def _ignore(text):
    del text
