"""The verdict of `lab check --json` as a page."""

from kernel_lab.page import MUTED, RIGHT, UNWRITTEN, WARNING, WRONG, escape

COLOURS = {"pass": RIGHT, "skipped": WARNING}
BADGES = {"pass": "passed", "skipped": "skipped"}
MARKS = {".": ("right", RIGHT + "55"), "#": ("wrong", WRONG), "?": ("never written", UNWRITTEN)}
MOST_OTHERS = 5
CELL = 14  # pixels
NO_LIMIT = 1e17


def show(page, result, backend):
    verdict = result["verdict"]
    page.heading(BADGES.get(verdict, "FAILED"), _headline(result, backend), COLOURS.get(verdict, WRONG))
    for stage in result.get("stages", ()):
        page.line(f"stage {stage['stage']}, {stage['title']}: {stage['verdict']}")
    failed = [case for case in result["cases"] if case["verdict"] not in ("pass", "skipped")]
    first = next((case for case in failed if case["verdict"] == verdict), None)
    if verdict == "skipped":
        page.line(result["cases"][0]["message"])
    if first:
        page.verbatim(first["message"])
        _show_picture(page, failed, first)
        _show_others(page, [case for case in failed if case is not first])
    _show_gates(page, result.get("gates", ()))
    for run in result.get("coverage", {}).get("missing", ()):
        page.line(f"Not traced: {run['launcher']} at {run['size']}{': ' if run['why'] else ''}{run['why']}")


def _headline(result, backend):
    name = f"{result['lab']}.{result['stage']}" if result.get("stage") else result["lab"]
    good = sum(1 for case in result["cases"] if case["verdict"] == "pass")
    word = "" if result["verdict"] in BADGES else f"{result['verdict']}: "
    return f"{name} on {backend}: {word}{good} of {len(result['cases'])} cases passed in {result['seconds']:.1f} s"


def _show_picture(page, failed, first):
    """Of the shown case, or of the first one that has a picture. Its text is in the message already."""
    case = next((one for one in (first, *failed) if one.get("picture")), None)
    if case:
        page.drawing(picture_svg(case["picture"]))
        each = case["picture"]
        scale = f"{each['rows_per_mark']} x {each['cols_per_mark']} elements"
        single = each["rows_per_mark"] * each["cols_per_mark"] == 1
        text = f"{each['array']} at {case['size']}: each square is {'one element' if single else scale}"
        page.add(f"<div style='color:{MUTED}'>{escape(text)}; {_legend(each['marks'])}</div>", "")


def picture_svg(picture):
    marks = picture["marks"]
    width, height = max(map(len, marks)) * CELL + 2, len(marks) * CELL + 2
    side = CELL - 2
    squares = "".join(
        f"<rect x='{col * CELL + 1}' y='{row * CELL + 1}' width='{side}' height='{side}' fill='{MARKS[mark][1]}'/>"
        for row, line in enumerate(marks)
        for col, mark in enumerate(line)
    )
    label = f"map of {escape(picture['array'])}"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
        f"role='img' aria-label='{label}'>{squares}</svg>"
    )


def _legend(marks):
    present = {mark for line in marks for mark in line}
    return ", ".join(
        f"<span style='color:{colour[:7]}'>&#9632;</span> {name}"
        for mark, (name, colour) in MARKS.items()
        if mark in present
    )


def _show_others(page, others):
    for case in others[:MOST_OTHERS]:
        page.line(f"also {case['launcher']} {case['name']}: {case['verdict']}")
    if len(others) > MOST_OTHERS:
        page.line(f"and {len(others) - MOST_OTHERS} more")


def _show_gates(page, gates):
    def limits(gate):
        most, least = gate.get("limit", NO_LIMIT), gate.get("least", 0)
        bounds = [f"at least {least:g}"] if least > 0 else []
        return ", ".join(bounds + ([f"at most {most:g}"] if 0 < most < NO_LIMIT or least == 0 else []))

    rows = [
        (gate["metric"], gate.get("size", ""), f"{gate['value']:.4g}" if "value" in gate else "", limits(gate),
         "met" if gate["passed"] else "remark" if gate.get("remark") else "missed")
        for gate in gates
    ]  # fmt: skip
    page.table(("gate", "size", "counted", "passes", ""), rows)
