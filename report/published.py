"""The tutorials' published figures, one optional file in each lab's folder, beside what was measured now."""

import dataclasses
import pathlib

import families
from fields import DamagedDocument, read_document


@dataclasses.dataclass(frozen=True)
class Row:
    """`ours` names what to put beside it: a lab, a CPU baseline, or "numpy:increment"."""

    label: str
    figure: str
    device: str
    measured: str
    ours: str


@dataclasses.dataclass(frozen=True)
class Table:
    lab: str
    title: str
    launcher: str
    size: str
    sentence: str
    rows: tuple


def load_published(labs):
    """Tables by family stem, and the complaints about files that could not be read."""
    found, problems = {}, []
    for path in sorted(pathlib.Path(labs).glob("[0-9][0-9]_*/published.json")):
        try:
            for table in read_document(path).objects("tables"):
                found.setdefault(families.stem(path.parent.name), []).append(_table(path.parent.name, table))
        except DamagedDocument as error:
            problems.append(str(error))
    return found, problems


def _table(lab, table):
    return Table(
        lab=lab,
        title=table.text("title"),
        launcher=table.text("launcher", ""),
        size=table.text("size"),
        sentence=table.text("sentence"),
        rows=tuple(_row(row) for row in table.objects("rows")),
    )


def _row(row):
    return Row(
        label=row.text("label"),
        figure=row.text("published"),
        device=row.text("device", None) or "not stated",
        measured=row.text("measured"),
        ours=row.text("ours", ""),
    )


def ours(row, table, rows, baselines):
    """What stands beside one published figure: (source, label, cold, warm, with_copies) of every place."""
    tool, _, operation = row.ours.partition(":")
    if operation:
        return [
            (b.source, b.tool, b.kernel, None, None)
            for b in baselines
            if (b.tool, b.operation) == (tool, operation) and _same_size(b.size, table.size)
        ]
    found = []
    for source in families.sources(rows):
        here = [r for r in rows if r.source.key == source.key and r.size == table.size]
        here = [r for r in here if not table.launcher or r.launcher == table.launcher]
        for group in families.groups(here):
            for point in group.points:
                if point.label == families.CPU_LABELS.get(row.ours, row.ours):
                    found.append((source, point.label, point.kernel, point.warm, point.with_copies))
    return found


def _same_size(tool, lab):
    """A tool's size may leave out the last extents of a lab's: 1000000 samples for "1000000x150"."""
    return f"{lab}x".startswith(f"{tool}x")
