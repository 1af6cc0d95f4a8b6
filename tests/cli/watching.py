"""A `lab watch` in a pipe or on a terminal of its own, driven by tests and by the measurement of its speed."""

import fcntl
import os
import pty
import select
import subprocess
import termios
import time


class watching:
    def __init__(self, root, build, *arguments, terminal=False, columns=1000, **environment):
        self.terminal, self.text = terminal, ""
        command = [build / "bin/lab", "watch", *arguments, "--backend", "sim"]
        settings = {
            "cwd": root,
            "env": {
                **os.environ,
                "LAB_ROOT": str(root),
                "LAB_BUILD": str(build),
                "COLUMNS": str(columns),
                **environment,
            },
        }
        if terminal:
            self.reader, self.screen = pty.openpty()
            self.writer = self.reader
            self.before = termios.tcgetattr(self.screen)
            ends = dict.fromkeys(("stdin", "stdout", "stderr"), self.screen)
            self.process = subprocess.Popen(command, preexec_fn=self._own_terminal, **ends, **settings)
        else:
            self.reader, write_end = os.pipe()
            read_end, self.writer = os.pipe()
            self.process = subprocess.Popen(command, stdin=read_end, stdout=write_end, stderr=write_end, **settings)
            os.close(write_end)
            os.close(read_end)

    @staticmethod
    def _own_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for end in {self.reader, self.writer} - {-1}:
            os.close(end)
        if self.terminal:
            os.close(self.screen)

    def press(self, *keys):
        for key in keys:
            os.write(self.writer, key.encode() + (b"" if self.terminal else b"\n"))

    def end_input(self):
        os.close(self.writer)
        self.writer = -1

    def until(self, words, seconds=900):
        """What is printed up to these words and with them; everything after them is left for the next call."""
        deadline = time.monotonic() + seconds
        while words not in self.text:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                raise AssertionError(f"{words!r} did not come; what came is:\n{self.text}")
            try:
                chunk = os.read(self.reader, 65536)
            except OSError:  # the terminal's other end is closed
                chunk = b""
            if not chunk:
                raise AssertionError(f"ended before {words!r}; what came is:\n{self.text}")
            self.text += chunk.decode(errors="replace").replace("\r\n", "\n")
        end = self.text.index(words) + len(words)
        found, self.text = self.text[:end], self.text[end:]
        return found

    def code(self):
        return self.process.wait()
