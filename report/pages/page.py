"""Builds the one self-contained HTML page."""

import datetime
import pathlib

import jinja2
from markupsafe import Markup, escape

import style
from data import families, published, source_labels, traced_kernels
from figures import drawings, family_figure
from pages import tables

FOLDER = pathlib.Path(__file__).resolve().parent
VARIANTS = ("starter", "solution", "encore", "file")
NO_FAILURE = ("pass", "skipped", "not_begun")
MESSAGE_LIMIT, CASES_SHOWN = 1500, 5


def render(results, labs, published_tables, standings, drawn):
    """The page's text; `drawn` are the report's drawings, `standings` those of the goals at each place."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(ms=style.milliseconds)
    names = sorted({*labs, *results.labs()})
    return environment.get_template("page.html.j2").render(
        css=Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        today=datetime.date.today().isoformat(),
        sources=[source_labels.label(source) for source in families.sources(results.bench)],
        progress=_progress(results, names),
        failures=[_failure(check) for check in results.checks if check.verdict not in NO_FAILURE],
        families=[
            _family(stem, members, results, published_tables.get(stem, []), drawn)
            for stem, members in families.families(names).items()
        ],
        goals=[(source_labels.label(source), rows) for source, rows in standings],
        rooflines=[_figure(one, "Roofline: speed over intensity.") for one in drawings.of(drawn, "roofline")],
        kernels=[_kernel(profile, drawn) for profile in traced_kernels.shown(results.profiles)],
        titles=labs,
        cpu_names=tuple(families.CPU_LABELS),
        problems=results.problems,
        baselines=results.baselines,
        roles=[(role, style.NAMES[role]) for role in style.ROLES],
    )


def _progress(results, names):
    by_source = {}
    for check in results.checks:
        by_source.setdefault((check.source.recorded, check.source.backend), []).append(check)
    return [_progress_of(by_source[key], names) for key in sorted(by_source)]


def _progress_of(checks, names):
    newest = max((check.source for check in checks), key=lambda source: source.date)
    cells = {(check.lab, check.variant): _cell(check) for check in checks}
    variants = [v for v in VARIANTS if any(check.variant == v for check in checks)]
    variants += sorted({check.variant for check in checks} - set(VARIANTS))
    return {
        "label": _check_place(newest),
        "variants": [(v, style.NAMES.get(v, v)) for v in variants],
        "rows": [(lab, [cells.get((lab, v)) for v in variants]) for lab in names],
        "bars": [_bar(v, cells, names) for v in variants if v in ("starter", "solution")],
    }


def _check_place(source):
    back_end = {"sim": "simulator", "cuda": "GPU"}.get(source.backend, source.backend)
    if source.recorded:
        return f"Recorded on {source.device}, {source.date[:10]}"
    return f"Checked here on the {back_end}" + (f", {source.date[:10]}" if source.date else "")


def _bar(variant, cells, names):
    passed = sum(1 for lab in names if (cell := cells.get((lab, variant))) and cell["verdict"] == "pass")
    return {"name": {"starter": "your kernels", "solution": "solutions"}[variant], "passed": passed, "of": len(names)}


def _cell(check):
    passed = sum(case["verdict"] == "pass" for case in check.cases)
    kind = check.verdict if check.verdict in NO_FAILURE else "fail"
    return {
        "verdict": check.verdict,
        "kind": kind,
        "cases": f"{passed}/{len(check.cases)} cases" if check.cases and kind in ("pass", "fail") else "",
        "gates": f"{sum(g['passed'] for g in check.gates)}/{len(check.gates)} gates" if check.gates else "",
    }


def _failure(check):
    wrong = [case for case in check.cases if case["verdict"] not in ("pass", "skipped")]
    return {
        "lab": check.lab,
        "variant": style.NAMES.get(check.variant, check.variant),
        "verdict": check.verdict,
        "place": _check_place(check.source),
        "cases": [{**case, "message": _cut(case["message"])} for case in wrong[:CASES_SHOWN]],
        "more": max(0, len(wrong) - CASES_SHOWN),
        "hazards": [{**h, "message": _cut(h["message"])} for h in check.hazards[:CASES_SHOWN]],
        "gates": [gate for gate in check.gates if not gate["passed"]],
    }


def _cut(text):
    return text if len(text) <= MESSAGE_LIMIT else text[:MESSAGE_LIMIT] + " … (shortened)"


def _family(stem, members, results, published_tables, drawn):
    rows = [row for row in results.bench if row.lab in members]
    sources = families.sources(rows)
    about = f"{stem}: time, speed-up and share of the ceiling; the numbers are in the table below."
    return {
        "id": drawings.identifier(stem),
        "title": families.title(members),
        "labs": members,
        "figures": [_figure(one, about) for one in drawings.of(drawn, "family", stem)],
        "steps": [_figure(one, f"{stem}: each step, the peer and the ceiling.")
                    for one in drawings.of(drawn, "steps", stem)],
        "sources": [source_labels.label(source) for source in sources],
        "groups": _side_by_side(rows, sources),
        "head": tables.HEAD[1:],
        "untimed": _untimed([row for row in rows if not row.kernel]),
        "published": [_published(table, rows, results.baselines, sources) for table in published_tables],
    }


def _untimed(rows):
    """What was not timed, kernels with the same reason together."""
    reasons = {}
    for row in rows:
        reasons.setdefault((row.verdict, row.size, row.message), []).append(families.label(row))
    return [
        {"verdict": verdict, "size": size, "message": _cut(message), "kernels": ", ".join(dict.fromkeys(names))}
        for (verdict, size, message), names in reasons.items()
    ]


def _svg(drawing, title):
    description = f'aria-label="{escape(title)}"'
    return Markup(family_figure.inline(drawing.svg, drawing.stem, description))


def _figure(drawing, title):
    """A figure of measurements with the label of its place."""
    name = source_labels.name(drawing.source)
    return {**source_labels.label(drawing.source), "svg": _svg(drawing, f"{title} {name}.")}


def _kernel(profile, drawn):
    title = f"One warp's accesses in {profile.lab}, lane by lane. The counts are in the table below."
    svg = [_svg(one, title) for one in drawings.of(drawn, "warp", profile.lab)]
    return traced_kernels.entry(profile, drawings.identifier(profile.lab), svg[0] if svg else None)


def _side_by_side(rows, sources):
    """Groups of lines (label, role, cells of each place), so that places stand beside each other."""
    merged = {}
    for index, source in enumerate(sources):
        for group in families.groups([row for row in rows if row.source.key == source.key]):
            lines = merged.setdefault(group.title, {})
            for point in group.points:
                role, columns = lines.setdefault(point.label, (style.role(point.role), [None] * len(sources)))
                columns[index] = tables.cells(point)
    return [
        {"title": title, "lines": [(label, role, columns) for label, (role, columns) in lines.items()]}
        for title, lines in merged.items()
    ]


def _published(table, rows, baselines, sources):
    """Each published row with what was measured at every place; another tool's figure has a place of its own."""
    lines = []
    for row in table.rows:
        found = published.ours(row, table, rows, baselines)
        tools = [(source_labels.label(source), *measured) for source, *measured in found if source.backend == "cpu"]
        columns = [[measured for source, *measured in found if source.key == place.key] for place in sources]
        lines.append((row, columns, tools))
    return {"table": table, "lines": lines}
