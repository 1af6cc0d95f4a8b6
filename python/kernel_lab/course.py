"""Finds the command `lab`, and the folder of the course that a notebook belongs to."""

import os
import pathlib
import shutil
import sys


def is_course(folder):
    return (folder / "labs").is_dir() and (folder / "lab").is_file()


def nearest(start):
    """The course that contains this folder, or None."""
    return next((folder for folder in (start, *start.parents) if is_course(folder)), None)


def checkout():
    """The checkout that this package lies in, or None if the package was installed."""
    folder = pathlib.Path(__file__).resolve().parents[2]
    return folder if is_course(folder) else None


def command():
    """The command `lab` as a list of words.

    LAB_BUILD names a build; else it is the script of the course around the working directory, the installed command,
    or the script of the checkout around this package. FileNotFoundError if there is none.
    """
    build = os.environ.get("LAB_BUILD")
    beside = pathlib.Path(sys.executable).parent / "lab"
    course = nearest(pathlib.Path.cwd())
    candidates = [
        build and pathlib.Path(build) / "bin/lab",
        course and course / "lab",
        beside,
        shutil.which("lab"),
        checkout() and checkout() / "lab",
    ]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return [str(candidate)]
    raise FileNotFoundError("the command lab was not found; install the package kernel_lab, or work in a checkout")


def folder():
    """The course whose files `lab` uses: LAB_ROOT, the course around the working directory, or the checkout."""
    named = os.environ.get("LAB_ROOT")
    found = pathlib.Path(named) if named else nearest(pathlib.Path.cwd()) or checkout()
    if not found:
        raise FileNotFoundError("no course was found; start the notebook inside the folder of your course")
    return found
