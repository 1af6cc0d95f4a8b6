"""The sentences of a Markdown file, with the lines where they stand.

Code, tables, comments and addresses are no prose. `inline code` counts as one word, and so does a size: 64 x 64 x 64.
"""

import itertools
import re
from typing import NamedTuple

INLINE_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
SIZE = re.compile(r"\d[\d,]*(?:\s+x\s+\d[\d,]*)+")
NOT_AN_END = re.compile(r"\b(?:e\.g|i\.e|vs|Fig|cf)\.$")


class sentence(NamedTuple):
    line: int
    text: str

    def words(self):
        return re.findall(r"[^\W_](?:[\w'’./-]*[^\W_])?", self.text)


def _blanked(match):
    """Spaces in place of a match; its line ends stay."""
    return re.sub(r"[^\n]", " ", match[0])


def only_prose(markdown):
    """The same number of lines without code, tables, comments, quoted pictures and addresses."""
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", _blanked, markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    # Numbered, so that no linter takes two names in a row for a repeated word; "_" keeps "code51 128" from being one.
    number = itertools.count()
    text = INLINE_CODE.sub(lambda m: f"code{next(number)}_" + "\n" * m[0].count("\n"), text)
    text = SIZE.sub(lambda m: f"size{next(number)}_" + "\n" * m[0].count("\n"), text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", _blanked, text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"https?://\S+|</?[a-z][^>]*>", "", text)
    lines, column = text.split("\n"), 0  # where the text of a list item begins
    for i, line in enumerate(lines):
        code = line.startswith(" " * (column + 4))
        if item := re.match(r"\s*([-*]|\d+\.) +", line) if not code else None:
            column = item.end()
        elif line and not line[0].isspace():
            column = 0
        if code or line.lstrip().startswith("|"):
            lines[i] = ""
    return "\n".join(lines)


def _paragraphs(prose):
    """(first line, lines) of each paragraph, list item or heading."""
    lines, first = [], 1
    for number, line in enumerate([*prose.split("\n"), ""], 1):
        begins = re.match(r"\s*(#+ |[-*] |\d+\. |>)", line)
        if lines and (begins or not line.strip()):
            yield first, lines
            lines = []
        if line.strip():
            first = first if lines else number
            lines.append(re.sub(r"^\s*(#+ |[-*] |\d+\. |> ?)", "", line))
            if line.startswith("#"):
                yield first, lines
                lines = []


def sentences(markdown):
    for first, lines in _paragraphs(only_prose(markdown)):
        begun, at = [], first
        for number, line in enumerate(lines, first):
            for part in re.split(r"(?<=[.?!:;])[*_)\"”]*\s+", line.strip()):
                at = at if begun else number
                begun.append(part)
                if re.search(r"[.?!:;][*_)\"”]*$", part) and not NOT_AN_END.search(part):
                    yield sentence(at, " ".join(begun))
                    begun = []
        if begun:
            yield sentence(at, " ".join(begun))
