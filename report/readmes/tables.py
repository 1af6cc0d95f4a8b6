"""The tables in the solutions' READMEs: times between the lines `<!-- measured -->` and `<!-- end of measured -->`, and
what limits the kernels between `<!-- limits -->` and `<!-- end of limits -->`."""

import style
from data import limit_table, source_labels
from pages import tables


def filled(text, lab, results):
    """The text of a lab's README with its tables as they were recorded; one without the lines has none."""
    text = replaced(text, "measured", block(results.bench, lab))
    return replaced(text, "limits", limit_table.block(results.limits, lab))


def replaced(text, name, content):
    """The text with the content between the two lines of this name, if it has them."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    if begin not in text:
        return text
    before, rest = text.split(begin, 1)
    if end not in rest:
        raise ValueError(f"there is a line {begin.strip()} but none {end.strip()} after it")
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
    where = f"{source.device}, driver {source.driver}, {source.toolkit}, {source_labels.days(rows)}"
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
