"""What both pages share: the environment of their templates, and what is said of a check."""

import base64
import datetime
import hashlib
import itertools
import pathlib
import re

import jinja2
from markupsafe import Markup, escape

import style
from figures import family_figure

FOLDER = pathlib.Path(__file__).resolve().parent
NO_FAILURE = ("pass", "skipped", "not_begun")
MESSAGE_LIMIT, CASES_SHOWN = 1500, 5
TOGETHER = 6  # lines at the beginning and at the end of a listing that no page break divides


def render(template, **values):
    """A page without network; its only script is page.js, which the page works without."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(ms=style.milliseconds, times=style.times, listing_parts=listing_parts)
    script = (FOLDER / "page.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template(template).render(
        css=Markup((FOLDER / "page.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        today=datetime.date.today().isoformat(),
        **values,
    )


def listing_parts(lines):
    """(from, to) of the first lines of a listing, of its middle and of its last lines; no part is empty."""
    first = min(TOGETHER, len(lines))
    return list(itertools.pairwise(sorted({0, first, max(first, len(lines) - TOGETHER), len(lines)})))


def svg(drawing, title):
    """A drawing for a page, which takes the page's colours."""
    return Markup(family_figure.inline(drawing.svg, drawing.stem, f'aria-label="{escape(title)}"'))


def cell(check):
    """The verdict, and how many cases and gates passed."""
    passed = sum(case["verdict"] == "pass" for case in check.cases)
    kind = check.verdict if check.verdict in NO_FAILURE else "fail"
    return {
        "verdict": check.verdict,
        "kind": kind,
        "cases": f"{passed}/{len(check.cases)} cases" if check.cases and kind in ("pass", "fail") else "",
        "gates": f"{sum(g['passed'] for g in check.gates)}/{len(check.gates)} gates" if check.gates else "",
    }


def failure(check):
    """The first cases, hazards and gates that failed; empty for a kernel that passed or was not checked."""
    if not check or check.verdict in NO_FAILURE:
        return {"cases": [], "more": 0, "hazards": [], "gates": []}
    wrong = [case for case in check.cases if case["verdict"] not in ("pass", "skipped")]
    return {
        "cases": [_case(check.lab, case, i == 0) for i, case in enumerate(wrong[:CASES_SHOWN])],
        "more": max(0, len(wrong) - CASES_SHOWN),
        "hazards": [{**h, "message": cut(h["message"])} for h in check.hazards[:CASES_SHOWN]],
        "gates": [gate for gate in check.gates if not gate["passed"]],
    }


def _case(lab, case, whole):
    """Later cases mostly fail for the same reason, so their messages end before the explanation."""
    message = cut(case["message"] if whole else case["message"].split("\n\n")[0])
    command = _hint_command(lab, case)
    return {**case, "message": message, "next": "" if command in message else command}


def _hint_command(lab, case):
    """What the judge's message names, with the stage; without a message "./lab hint 04 2"."""
    if not case.get("hint"):
        return ""
    named = re.search(r"\./lab hint [\d.]+ \d+", case["message"])
    return named[0] if named else f"./lab hint {lab[:2]} {case['hint']}"


def cut(text):
    return text if len(text) <= MESSAGE_LIMIT else text[:MESSAGE_LIMIT] + " … (shortened)"
