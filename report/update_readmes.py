#!/usr/bin/python3
"""Writes the records into the lessons' and the solutions' READMEs: their tables, and each number that a reference
follows. report/README.md describes references.

With --check it writes nothing, and names each difference. A number that looks measured and that no reference follows is
named too. Exit codes: 0 all READMEs hold what was recorded, 1 one does not or a number lacks a reference, 2 a record is
damaged.
"""

import argparse
import pathlib
import sys

from data.documents import DamagedDocument
from data.load import load
from readmes import book, references, tables
from readmes.unreferenced import unreferenced

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(arguments=None):
    options = _options(arguments)
    results = load([], options.recorded)
    try:
        records = book.load(options.recorded, options.gate_costs, options.labs)
    except DamagedDocument as error:
        results.problems.append(str(error))
    for problem in dict.fromkeys(results.problems):
        print(f"update_readmes: {problem}", file=sys.stderr)
    if results.problems:
        return 2
    complaints = []
    for path in readmes(options.labs, options.solutions):
        complaints += update(path, results, records, options.check)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if complaints:
        print("update_readmes: report/update_readmes.py writes recorded numbers; the rest is yours", file=sys.stderr)
    return 1 if complaints else 0


def readmes(labs, solutions):
    """The pages of the course, and the READMEs of its labs and of their solutions."""
    return [path for path in [*sorted(labs.glob("*.md")), *sorted(labs.glob("*/README.md")),
                              *sorted(solutions.glob("*/README.md"))] if path.is_file()]  # fmt: skip


def update(path, results, records, check):
    """What is wrong with a README, each as FILE:LINE: message; a number that can be corrected is, unless `check`."""
    text = path.read_text(encoding="utf-8")
    try:
        filled = tables.filled(text, path.parent.name, results)
    except ValueError as error:
        return [f"{path}: {error}"]
    corrected, found = references.corrected(filled, records)
    if corrected != text and not check:
        path.write_text(corrected, encoding="utf-8")
        _, found = references.corrected(corrected, records)
    complaints = [f"{path}:{one.line}: {one.message}" for one in [*found, *unreferenced(corrected)]]
    if check and filled != text:
        complaints.append(f"{path}:{_first_difference(text, filled)}: a generated table is not what was recorded")
    return complaints


def _first_difference(before, after):
    """The line from which on two texts differ."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((line for line, (a, b) in enumerate(pairs, 1) if a != b), before.count("\n"))


def _options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--labs", type=pathlib.Path, default=ROOT / "labs")
    parser.add_argument("--solutions", type=pathlib.Path, default=ROOT / "solutions")
    parser.add_argument("--recorded", type=pathlib.Path, default=ROOT / "report/results")
    parser.add_argument("--gate-costs", type=pathlib.Path, default=ROOT / "tests/labs/data/gate_costs.json")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
