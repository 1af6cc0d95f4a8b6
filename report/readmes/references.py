"""Numbers in a README that are followed by a reference: `1600 GB/s<!--h200 03/solution 16384x16384 bandwidth-->`."""

import dataclasses
import re

from readmes import expression
from readmes.quantity import UNITS, written_like

NUMBER = r"(?<![\w.,^])\d[\d,]*(?:\.\d+)?"
UNIT = "|".join(sorted(map(re.escape, filter(None, UNITS)), key=len, reverse=True)).replace(r"\ ", r"\s+")
REFERENCE = re.compile(rf"(?P<number>{NUMBER})(?P<gap>\s*)(?P<unit>{UNIT}|)<!--(?!\s)(?P<text>.*?)-->", re.DOTALL)
COMMENT = re.compile(r"<!--(?P<text>.*?)-->", re.DOTALL)
# Comments that are no references begin with a blank: `<!-- measured -->`.
MARK = re.compile(r"<!--\s")


@dataclasses.dataclass(frozen=True)
class Mismatch:
    """A number that is not what it should be, or a reference that means nothing, at a line."""

    line: int
    message: str


def corrected(text, book):
    """(the text with the numbers that its references stand for, what was found)."""
    mismatches = []

    def one(match):
        line = text.count("\n", 0, match.start()) + 1
        try:
            wanted = _wanted(match, book)
        except ValueError as error:
            mismatches.append(Mismatch(line, f"{match['number']}<!--{match['text']}-->: {error}"))
            return match[0]
        if wanted != match["number"]:
            named = f"{match['number']} {match['unit']}".strip()
            mismatches.append(Mismatch(line, f"{named} is written, {wanted} is recorded: {_one_line(match['text'])}"))
        return match[0].replace(match["number"], wanted, 1)

    return REFERENCE.sub(one, text), [*mismatches, *_misplaced(text)]


def _wanted(match, book):
    """The number that should stand there."""
    if expression.is_source(match["text"]):
        return match["number"]
    _, unit = expression.unit_of(match["text"])
    written = " ".join(match["unit"].split())
    if unit is not None and written:
        raise ValueError(f"the unit is given twice, {written} and {unit}")
    unit = unit or written
    return written_like(match["number"], unit, expression.value(match["text"], book, unit))


def _misplaced(text):
    """Comments that look like references but follow no number, or stand where a reader would see them."""
    referring = {match.end() for match in REFERENCE.finditer(text)}
    for match in COMMENT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match.end() not in referring:
            if not MARK.match(match[0]):
                yield Mismatch(line, f"<!--{_one_line(match['text'])}--> must follow a number and its unit directly")
        elif text[: match.start()].rsplit("\n", 1)[-1].startswith("    "):
            yield Mismatch(line, "an indented block shows its comments: make it a table")


def _one_line(text):
    return " ".join(text.split())
