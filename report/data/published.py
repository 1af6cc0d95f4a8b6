"""The tutorials' published figures, one optional file in each lab's folder, beside what was measured now."""

import dataclasses

import style
from data import families, source_labels
from data.documents import read_each


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
    tables, problems = read_each(labs, "published.json", "published", "tables", _table)
    found = {}
    for table in tables:
        found.setdefault(families.stem(table.lab), []).append(table)
    return found, problems


def _table(lab, table):
    return Table(
        lab=lab,
        title=table["title"],
        launcher=table.get("launcher", ""),
        size=table["size"],
        sentence=table["sentence"],
        rows=tuple(_row(row) for row in table["rows"]),
    )


def _row(row):
    return Row(
        label=row["label"],
        figure=row["published"],
        device=row.get("device", "not stated"),
        measured=row["measured"],
        ours=row.get("ours", ""),
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


TIMES = ("cold", "warm", "with copies")


def side_by_side(table, rows, baselines):
    """The table as one (head, rows) of texts: published, then cold, warm and with copies at every place."""
    sources = families.sources(rows)
    columns = [f"{source_labels.short(source)}, {time}" for source in sources for time in TIMES]
    head = (table.title, "published", "device", *columns)
    lines = []
    for row in table.rows:
        found = ours(row, table, rows, baselines)
        texts = [text for source in sources for text in _times_at(source, found)]
        lines.append((row.label, row.figure, row.device, *texts))
    return [(head, lines)]


def _times_at(source, found):
    """Cold, warm, with copies as texts; another tool's time stands where this machine's do."""
    own = not source.recorded
    here = [times for where, _, *times in found if where.key == source.key or own and where.backend == "cpu"]
    times = here[0] if here else (None, None, None)
    return [style.milliseconds(time and time.median) for time in times]


def _same_size(tool, lab):
    """A tool's size may leave out the last extents of a lab's: 1000000 samples for "1000000x150"."""
    return f"{lab}x".startswith(f"{tool}x")
