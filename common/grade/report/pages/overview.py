"""What the class page shows: how each lab went, the most frequent causes, and who is stuck where."""

import collections
import statistics

MOST_CAUSES = 10
NOT_HANDED_IN = "collect_error"
NOTHING_TO_GRADE = (NOT_HANDED_IN, "unreadable")
GROUPS = ("all points", "half or more", "less than half", "no points", "nothing to grade")


def labs(rows):
    """One entry for each lab, in order of their names."""
    by_lab = collections.defaultdict(list)
    for row in rows:
        by_lab[row["lab"]].append(row)
    return [_lab(name, by_lab[name]) for name in sorted(by_lab)]


def _lab(name, rows):
    counts = collections.Counter(_group(row) for row in rows)
    points = [row["points"] for row in rows]
    return {
        "name": name,
        "rows": len(rows),
        "passed": sum(row["verdict"] == "pass" for row in rows),
        "median": statistics.median(points),
        "max_points": max(row["max_points"] for row in rows),
        "parts": [
            {"name": group, "number": number, "count": counts[group], "percent": 100 * counts[group] / len(rows)}
            for number, group in enumerate(GROUPS)
            if counts[group]
        ],
        "stuck": _stuck(rows),
        "missing": sum(row["verdict"] == NOT_HANDED_IN for row in rows),
    }


def _group(row):
    if row["verdict"] in NOTHING_TO_GRADE:
        return GROUPS[4]
    share = row["points"] / row["max_points"] if row["max_points"] else float(row["verdict"] == "pass")
    return GROUPS[0] if share >= 1 else GROUPS[1] if share >= 0.5 else GROUPS[2] if share > 0 else GROUPS[3]


def _stuck(rows):
    """The students who handed in and did not pass, by cause; the most frequent cause first."""
    by_cause = collections.defaultdict(list)
    for row in rows:
        if row["verdict"] not in ("pass", "skipped", "infra_error", NOT_HANDED_IN):
            by_cause[cause(row)].append({"name": row["student"], "page": row["page"]})
    return sorted(by_cause.items(), key=lambda entry: (-len(entry[1]), entry[0]))


def cause(row):
    """The diagnosis of the first failure; the verdict if there is none."""
    return row["verdict"] if row["diagnosis"] == "none" else row["diagnosis"]


def causes(rows):
    """The most frequent causes with the number of kernels and the labs."""
    found = collections.defaultdict(list)
    for row in rows:
        if row["verdict"] not in ("pass", "skipped", "infra_error", NOT_HANDED_IN):
            found[cause(row)].append(row["lab"])
    ordered = sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))[:MOST_CAUSES]
    return [{"name": name, "count": len(where), "labs": sorted({lab[:2] for lab in where})} for name, where in ordered]
