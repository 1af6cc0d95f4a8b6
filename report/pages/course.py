"""The page of the course: what was measured on GPUs, indexed by lab."""

from collections import Counter

import style
from data import families, published, source_labels
from figures import drawings, size_sweep_figure
from pages import shared, tables

HEAD = ("", "speed", *tables.HEAD[1:])


def render(results, titles, published_tables, standings, drawn):
    """The page's text; `standings` are those of the goals at each place."""
    names = sorted({*titles, *results.labs()})
    found = [
        _family(stem, members, results, published_tables.get(stem, []))
        for stem, members in families.families(names).items()
    ]
    shown = [family for family in found if family["groups"] or family["published"] or family["untimed"]]
    links = {lab: family["id"] for family in shown for lab in family["labs"]}
    return shared.render(
        "course.html.j2",
        sources=[source_labels.label(source) for source in families.sources(results.bench)],
        index=[_summary(lab, titles.get(lab) or lab, results.bench, links.get(lab)) for lab in names],
        families=shown,
        head=HEAD,
        goals=[(source_labels.label(source), rows) for source, rows in standings],
        rooflines=_rooflines(drawn),
        size_sweeps=_size_sweeps(results.size_sweeps, drawn),
        problems=results.problems,
        baselines=results.baselines,
    )


def _summary(lab, title, rows, link):
    """The solution where it comes nearest to its ceiling."""
    own = [row for row in rows if row.lab == lab and row.variant == "solution" and row.kernel]
    if not own:
        return {"title": title, "link": link, "time": ""}
    row, point = max(((row, _point(row)) for row in own), key=lambda pair: pair[1].of_ceiling or 0)
    cells = dict(zip(tables.HEAD[1:], tables.cells(point), strict=True))
    beside = ", ".join(f"{style.times(peer.ratio)} as fast as {peer.name}" for peer in row.peers)
    return {
        "title": title,
        "link": link,
        "size": f"{row.launcher} {row.size}",
        "time": cells["kernel"],
        "rate": cells["rate"],
        "share": cells["of ceiling"],
        "beside": beside,
    }


def _point(row):
    (group,) = families.groups([row])
    return next(point for point in group.points if point.role == "solution")


def _family(stem, members, results, published_tables):
    rows = [row for row in results.bench if row.lab in members]
    groups = [_group(group, source) for source in families.sources(rows) for group in _groups(rows, source)]
    _open_largest(groups)
    return {
        "id": drawings.identifier(stem),
        "title": families.title(members),
        "labs": members,
        "groups": groups,
        "repeated": {title for title, count in Counter(group["title"] for group in groups).items() if count > 1},
        "untimed": _untimed([row for row in rows if not row.kernel]),
        "published": [_published(table, rows, results.baselines) for table in published_tables],
    }


def _groups(rows, source):
    return families.groups([row for row in rows if row.source.key == source.key])


def _group(group, source):
    fastest = min(point.kernel.median for point in group.points)
    lines = [
        {
            "label": point.label,
            "role": style.role(point.role),
            "share": fastest / point.kernel.median,
            "cells": tables.cells(point),
        }
        for point in group.points
    ]
    place = source_labels.label(source)
    return {"title": group.title, "lines": lines, "place": place, "largest": False}


def _open_largest(groups):
    """The group with the most kernels is open, the largest of several; a reader opens the others."""
    if groups:
        most = max(len(group["lines"]) for group in groups)
        [group for group in groups if len(group["lines"]) == most][-1]["largest"] = True


def _untimed(rows):
    """What was not timed, kernels with the same reason together."""
    reasons = {}
    for row in rows:
        reasons.setdefault((row.verdict, row.size, row.message), []).append(families.label(row))
    return [
        {"verdict": verdict, "size": size, "message": shared.cut(message), "kernels": ", ".join(dict.fromkeys(names))}
        for (verdict, size, message), names in reasons.items()
    ]


def _published(table, rows, baselines):
    """Each published row with what was measured at every place."""
    lines = []
    for row in table.rows:
        found = published.ours(row, table, rows, baselines)
        lines.append((row, [(source_labels.label(source), *measured) for source, *measured in found]))
    return {"table": table, "lines": lines}


def _rooflines(drawn):
    """Each roofline for a wide and for a narrow screen."""
    found = []
    for wide in drawings.of(drawn, "roofline"):
        title = f"Roofline: speed over intensity. {source_labels.name(wide.source)}."
        narrow = next(one for one in drawings.of(drawn, "roofline-narrow") if one.source == wide.source)
        found.append(
            {**source_labels.label(wide.source), "wide": shared.svg(wide, title), "narrow": shared.svg(narrow, title)}
        )
    return found


def _size_sweeps(sweeps, drawn):
    """Each plot of ratios over sizes, with what it shows in words."""
    found = []
    for sweep in sweeps:
        for drawing in drawings.of(drawn, "sizes", f"{sweep.lab} {sweep.variant}"):
            if drawing.source != sweep.source:
                continue
            worst = size_sweep_figure.worst(sweep.points)
            slower = sum(one.ratio < 1 for one in sweep.points)
            mean = style.times(sweep.geometric_mean)
            words = f"Geometric mean {mean} over {len(sweep.points)} sizes, slower at {slower}"
            words += f", the worst {style.times(worst[0].ratio)} at {worst[0].size}." if worst else "."
            if sweep.failures:
                words += f" No right result at {', '.join(sweep.failures)}."
            title = f"{sweep.lab}, {sweep.variant}, {sweep.source.device}"
            found.append({"title": title, "svg": shared.svg(drawing, words), "words": words})
    return found
