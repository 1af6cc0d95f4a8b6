"""The records that references name, and the one value in them that an operand means."""

import dataclasses
import pathlib

from data.documents import DamagedDocument, read, require
from readmes import facts

LISTED = 12  # choices that a message names


@dataclasses.dataclass
class Book:
    """Rows of each record by its name."""

    rows: dict

    @property
    def names(self):
        return self.rows.keys()

    def quantity(self, operand):
        """The value that the operand means. ValueError names what there is instead."""
        rows = self._rows(operand)
        known = sorted({metric for row in rows for metric in row.values})
        if operand.metric not in known:
            raise ValueError(f"no metric {operand.metric or '(none)'} there; there are {_listed(known)}")
        return rows[0].values[operand.metric]

    def _rows(self, operand):
        """The row that the operand's words choose, alone in a list."""
        if operand.record not in self.rows:
            raise ValueError(f"no record is named; there are {_listed(sorted(self.rows))}")
        rows = self.rows[operand.record]
        for kind in ("subject", "size"):
            wanted = getattr(operand, kind)
            left = [row for row in rows if getattr(row, kind) == wanted]
            if not left:
                choices = sorted({getattr(row, kind) for row in rows})
                raise ValueError(f"{operand.record} has no {kind} {wanted or '(none)'}; there are {_listed(choices)}")
            rows = left
        rows = [row for row in rows if set(operand.names) <= set(row.names)]
        fewest = min((len(row.names) for row in rows), default=0)
        rows = [row for row in rows if len(row.names) == fewest]
        if len(rows) != 1:
            choices = sorted({" ".join(row.names) for row in left})
            raise ValueError(f"{len(rows)} rows are called {' '.join(operand.names) or 'so'}: {_listed(choices)}")
        return rows


def _listed(choices):
    more = f" and {len(choices) - LISTED} more" if len(choices) > LISTED else ""
    return ", ".join(map(str, choices[:LISTED])) + more


def load(recorded, gate_costs, labs):
    """All records of a folder by the names of their files, the costs of gates as `gate_costs`, and what tutorials
    published as `published`."""
    rows = {}
    for path in sorted(pathlib.Path(recorded).glob("*.json")):
        document = read(path)
        kind = next((kind for kind in facts.KINDS if kind in document), "results")
        require(path, document, {"results": "bench", "latencies": "memory"}.get(kind, kind))
        rows[path.stem] = facts.KINDS[kind](document)
    try:
        rows["gate_costs"] = facts.of_gate_costs(read(gate_costs))
    except KeyError as error:
        raise DamagedDocument(f"{gate_costs}: {error} is missing") from error
    rows["published"] = []
    for path in sorted(pathlib.Path(labs).glob("*/published.json")):
        document = read(path)
        require(path, document, "published")
        rows["published"] += facts.of_published(path.parent.name, document)
    return Book(rows)
