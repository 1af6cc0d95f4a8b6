"""Writes a lab's lesson as a notebook, in the format nbformat 4.5."""

import hashlib
import json
import os
import pathlib
import re

from kernel_lab import course, lesson

NUMBERED = re.compile(r"\d\d_\w+")
INTRODUCTION = """\
Run the cells in order with Shift+Enter. The cell that begins with `%%lab {number}` is your kernel: edit it and run it
as often as you like. Where the text says `./lab COMMAND`, a cell says `%lab COMMAND`. `%%lab --help` lists the
options."""
SETUP = """\
import importlib.util
import os
import sys

if not importlib.util.find_spec("kernel_lab"):
    sys.path.append(os.path.abspath({path!r}))  # the course's own copy of the package
%load_ext kernel_lab"""


def labs(root):
    return sorted(path.name for path in (root / "labs").iterdir() if NUMBERED.fullmatch(path.name))


def path_of(folder, lab):
    return pathlib.Path(folder) / f"{lab}.ipynb"


def kernel_of(root, lab, solution=False):
    """The starter as it was published, or the solution."""
    published = root / "solutions" / lab / ("kernel.cu" if solution else "starter.cu")
    return (published if solution or published.exists() else root / "labs" / lab / "kernel.cu").read_text("utf-8")


def document(root, lab, kernel, package):
    """The notebook as JSON; `package` is the folder with the package, as the notebook shall find it."""
    folder = root / "labs" / lab
    number = lab[:2]
    parts = lesson.cells((folder / "README.md").read_text("utf-8"), folder, number, kernel)
    title, *rest = parts
    parts = [title, ("markdown", INTRODUCTION.format(number=number)), ("code", SETUP.format(path=package)), *rest]
    return {
        "cells": [_cell(kind, source, f"{lab} {place}") for place, (kind, source) in enumerate(parts)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write(root, lab, folder, solution=False, force=False):
    """The path, and whether it was written; a notebook that exists holds a student's work."""
    folder = pathlib.Path(folder).absolute()
    path = path_of(folder, lab)
    if path.exists() and not force:
        return path, False
    folder.mkdir(parents=True, exist_ok=True)
    made = document(root, lab, kernel_of(root, lab, solution), _package_seen_from(folder))
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error  # a full disk names no file
    return path, True


def _package_seen_from(folder):
    """Relative inside the checkout, which may move."""
    package = pathlib.Path(__file__).resolve().parents[1]
    inside = course.checkout() and folder.resolve().is_relative_to(course.checkout())
    return os.path.relpath(package, folder.resolve()) if inside else str(package)


def _cell(kind, source, name):
    made = {
        "cell_type": kind,
        "id": hashlib.sha256(name.encode()).hexdigest()[:12],
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
        if source.startswith("%%"):
            made["metadata"] = {"vscode": {"languageId": "cuda-cpp"}}
    return made
