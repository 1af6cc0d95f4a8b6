"""The source of a cell with hazards and traffic at its lines."""

from kernel_lab.page import MONO, MUTED, WARNING, WRONG, escape

SEVERITIES = {"error": WRONG, "warning": WARNING}
AROUND = 1  # lines of the text fallback before and after a line with a note


def hazard_notes(hazards, file):
    """{line: [(severity, text)]} for the hazards of this file; line 0 for those without a place in it."""
    notes = {}
    for hazard in hazards:
        if hazard.get("severity") == "info":
            continue
        here = hazard.get("line", 0) if hazard.get("file") == file else 0
        notes.setdefault(here, []).append((hazard.get("severity", "error"), describe(hazard)))
        other = hazard.get("other_line", 0)
        same_file = hazard.get("other_file", file) in (file, "")
        if here and same_file and other and other != here:
            notes.setdefault(other, []).append(
                (hazard.get("severity", "error"), f"the other access of the {hazard['kind']}")
            )
    return notes


def describe(hazard):
    """What happened, who did it, what to do."""
    text = f"{hazard['kind']} in {hazard['kernel']}" if hazard.get("kernel") else hazard["kind"]
    if hazard.get("message"):
        text += f": {hazard['message']}"
    if hazard.get("kernel") and hazard["kind"] != "launch_error":
        block, thread = (", ".join(map(str, hazard.get(key, ()))) for key in ("block", "thread"))
        text += f" [block ({block}), thread ({thread})"
        text += f"; seen {hazard['count']} times]" if hazard.get("count", 1) > 1 else "]"
    if hazard.get("advice"):
        text += f"\n{hazard['advice']}"
    return text


def show(page, source, notes, counts=None):
    """The whole source in HTML, the lines with notes in the text; `counts` are {line: text} beside the lines."""
    counts = counts or {}
    lines = source.splitlines()
    for severity, text in notes.get(0, ()):
        page.verbatim(f"{severity}: {text}")
    rows = [_row(number, line, counts.get(number, ""), notes.get(number, ())) for number, line in enumerate(lines, 1)]
    body = f'<table style="{MONO};border-collapse:collapse">{"".join(rows)}</table>'
    opened = " open" if any(notes.get(number) for number in range(1, len(lines) + 1)) else ""
    markup = f"<details{opened}><summary>The source, line by line</summary>{body}</details>"
    page.add(markup, _as_text(lines, notes, counts))


def _row(number, line, count, notes):
    colour = SEVERITIES.get(_worst(notes), "") if notes else ""
    mark = f"background:{colour}33;" if colour else ""
    cell = "padding:0 8px;text-align:left;white-space:pre-wrap;vertical-align:top"
    text = (
        f"<tr style='{mark}'><td style='{cell};color:{MUTED}'>{number}</td><td style='{cell}'>{escape(line)}</td>"
        f"<td style='{cell};color:{MUTED}'>{escape(count)}</td></tr>"
    )
    for severity, note in notes:
        shade = SEVERITIES.get(severity, WRONG)
        text += f"<tr><td></td><td colspan='2' style='{cell};color:{shade}'>{escape(f'{severity}: {note}')}</td></tr>"
    return text


def _worst(notes):
    return "error" if any(severity == "error" for severity, _ in notes) else notes[0][0]


def _as_text(lines, notes, counts):
    shown = {n + d for n in notes if n > 0 for d in range(-AROUND, AROUND + 1)} | set(counts)
    text = []
    for number in sorted(n for n in shown if 1 <= n <= len(lines)):
        text.append(f"{number:4}  {lines[number - 1]}")
        text += [f"      > {part}" for part in counts.get(number, "").splitlines()]
        for severity, note in notes.get(number, ()):
            text += [f"      {severity}: {note}".replace("\n", "\n        ")]
    return "\n".join(text)
