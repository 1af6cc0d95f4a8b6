"""A command on a terminal of a given size, and what is on its screen at the end."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(r"\033\[([0-9;]*)([A-Za-z])")


class screen:
    """The rows of a terminal that breaks lines at its last column, as terminals do."""

    def __init__(self, columns):
        self.columns, self.rows, self.row, self.column = columns, [""], 0, 0

    def put(self, character):
        if self.column == self.columns:
            self.new_line()
        line = self.rows[self.row].ljust(self.column)
        self.rows[self.row] = line[: self.column] + character + line[self.column + 1 :]
        self.column += 1

    def new_line(self):
        self.row, self.column = self.row + 1, 0
        if self.row == len(self.rows):
            self.rows.append("")

    def obey(self, parameters, letter):
        if letter == "K":
            self.rows[self.row] = self.rows[self.row][: self.column]
        elif letter == "H":
            self.row = self.column = 0
        elif letter == "J" and parameters == "2":
            self.rows = [""] * len(self.rows)
        elif letter != "m":
            raise AssertionError(f"unknown sequence {parameters}{letter}")

    def show(self, text):
        at = 0
        while at < len(text):
            if found := SEQUENCE.match(text, at):
                self.obey(*found.groups())
                at = found.end()
                continue
            if text[at] == "\n":
                self.new_line()
            elif text[at] == "\r":
                self.column = 0
            else:
                self.put(text[at])
            at += 1
        return [row.rstrip() for row in self.rows]


def run_on_terminal(command, columns, seconds=900, **settings):
    """The raw text that a command prints on a terminal of this width, and its exit code."""
    reader, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=end, stderr=end, **settings)
    os.close(end)
    text, deadline = b"", time.monotonic() + seconds
    while select.select([reader], [], [], max(0, deadline - time.monotonic()))[0]:
        try:
            chunk = os.read(reader, 65536)
        except OSError:  # the command has ended
            break
        text += chunk
    os.close(reader)
    return text.decode(errors="replace").replace("\r\n", "\n"), process.wait()
