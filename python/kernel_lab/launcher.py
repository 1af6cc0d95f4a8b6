"""The command `lab` of an installed package: starts the program in its tree (common/cmake/install.cmake)."""

import os
import pathlib
import sys

TREE = pathlib.Path(__file__).resolve().parent / "libexec/kernel_lab"


def main():
    """The command `lab`."""
    program = TREE / "bin/lab"
    # So that a course started here starts this command again, and commands in Python find this Python's packages.
    environment = {**os.environ, "LAB_PROGRAM": os.path.abspath(sys.argv[0]), "LAB_PYTHON": sys.executable}
    os.execve(program, ["lab", *sys.argv[1:]], environment)
