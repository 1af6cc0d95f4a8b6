#!/usr/bin/python3
"""Writes the record into the solutions' READMEs: the times between the lines `<!-- measured -->` and
`<!-- end of measured -->`, what limits the kernels between `<!-- limits -->` and `<!-- end of limits -->`. With --check
it writes nothing and exits 1 if a README differs from the record.
"""

import argparse
import pathlib
import sys

import style
from data import limit_table
from data.load import load
from pages import tables

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--solutions", type=pathlib.Path, default=ROOT / "solutions")
    parser.add_argument("--recorded", type=pathlib.Path, default=ROOT / "report/results")
    options = parser.parse_args(arguments)
    results = load([], options.recorded)
    for problem in results.problems:
        print(f"update_readmes: {problem}", file=sys.stderr)
    if results.problems:
        return 2
    stale = [p for p in sorted(options.solutions.glob("*/README.md")) if not update(p, results, options.check)]
    for path in stale:
        print(f"update_readmes: {path} is not what was recorded; run report/update_readmes.py", file=sys.stderr)
    return 1 if stale else 0


def update(path, results, check):
    """Whether the README holds what was recorded, afterwards; one without the lines holds nothing."""
    text = path.read_text(encoding="utf-8")
    lab = path.parent.name
    wanted = replaced(path, text, "measured", block(results.bench, lab))
    wanted = replaced(path, wanted, "limits", limit_table.block(results.limits, lab))
    if wanted != text and not check:
        path.write_text(wanted, encoding="utf-8")
    return wanted == text or not check


def replaced(path, text, name, content):
    """The text with the content between the two lines of this name, if it has them."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    if begin not in text:
        return text
    before, rest = text.split(begin, 1)
    if end not in rest:
        raise SystemExit(f"update_readmes: {path} has a line {begin.strip()} but none {end.strip()} after it")
    return before + begin + content + end + rest.split(end, 1)[1]


def block(bench, lab):
    """A table of the lab's rows, and where they come from."""
    rows = [row for row in bench if row.lab == lab and row.source.recorded and row.source.backend == "cuda"]
    if not rows:
        return "No measurement is recorded yet.\n"
    head = ("", "cold", "with copies", "rate", "of a copy's", "beside it in the same run")
    lines = ["| " + " | ".join(head) + " |", "|---|--:|--:|--:|--:|---|"]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in sorted(rows, key=_order)]
    source = rows[0].source
    where = f"{source.device}, driver {source.driver}, {source.toolkit}, {source.date[:10]}"
    return "\n".join([*lines, "", f"{where}; `report/results/`.", ""])


def _order(row):
    return (row.variant != "solution", row.launcher, [int(extent) for extent in row.size.split("x")])


def cells(row):
    beside = [f"{p.name} {style.milliseconds(p.ms)} ({style.ratio(p.ratio, p.low, p.high)})" for p in row.peers]
    return (
        f"{row.variant}, {row.launcher} {row.size}",
        style.milliseconds(row.kernel.median),
        style.milliseconds(row.with_copies and row.with_copies.median),
        tables.rate(row),
        style.percent(row.of_ceiling) if tables.rate(row).endswith("GB/s") else "",
        ", ".join(beside),
    )


if __name__ == "__main__":
    sys.exit(main())
