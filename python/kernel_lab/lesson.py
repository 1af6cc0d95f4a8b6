"""Splits the Markdown of a lesson into the cells of a notebook."""

import base64
import pathlib
import re
import textwrap

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
FIGURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.svg)\)")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?://)[^)]*\)")
COMMAND = re.compile(r"    \./lab (?P<command>[a-z]+.*?)(?:\s+# (?P<comment>.*))?$")
FENCE = re.compile(r"```(\w*)\n(.*?)\n```$", re.DOTALL)
NEEDS_TERMINAL = ("predict", "app", "watch")
WRITE = "## What to write"
QUESTION = "## A question"


def cells(text, folder, number, kernel):
    """(type, source) of each cell; `kernel` is the text of the cell in which the student works."""
    found, waiting = [], False
    for block in blocks(COMMENT.sub("", text)):
        if waiting and (block.startswith("## ") or _commands(block)):
            found.append(("code", f"%%lab {number}\n{kernel.rstrip()}"))
            waiting = False
        waiting = waiting or block.startswith(WRITE)
        found += _cells_of(block, folder)
        if block.startswith(QUESTION):
            found.append(None)  # the answer's place, after the rest of this section
    return list(_joined(_with_answer(found)))


def blocks(text):
    """Paragraphs, lists, tables and code; blank lines inside indented or fenced code do not end it."""
    found, lines, fenced = [], [], False
    for line in [*text.splitlines(), "", "end"]:
        if not fenced and lines and not lines[-1].strip() and line.strip():
            block = "\n".join(lines).rstrip()
            if not (_indented(block) and _indented(line)):
                found.append(block)
                lines = []
        if lines or line.strip():
            lines.append(line)
        fenced ^= line.startswith("```")
    return [block for block in found if block]


def _indented(text):
    return text.startswith("    ")


def _cells_of(block, folder):
    if commands := _commands(block):
        return [("code", command) for command in commands]
    if (fence := FENCE.match(block)) and fence[1] == "python":
        return [("code", fence[2])]
    if figure := FIGURE.fullmatch(" ".join(block.split())):
        return [("figure", _embedded(figure, folder))]
    if _indented(block) or block.startswith("```"):
        return [("markdown", block)]
    return [("markdown", LINK.sub(r"\1", block))]


def _commands(block):
    """The lines of magics, if every line of the block is a command; a comment stands above its command."""
    lines = [COMMAND.fullmatch(line.rstrip()) for line in block.splitlines()]
    if not all(lines):
        return []
    found = []
    for line in lines:
        comment = f"# {line['comment'].strip()}\n" if line["comment"] else ""
        command = line["command"].strip()
        if command.split()[0] in NEEDS_TERMINAL:
            found.append(f"{comment}# needs a terminal: ./lab {command}")
        else:
            found.append(f"{comment}%lab {command}")
    return found


def _embedded(figure, folder):
    """The figure in the text of the cell: it needs no file, so the notebook can be opened anywhere."""
    data = base64.b64encode(pathlib.Path(folder, figure[2]).read_bytes()).decode()
    return f"![{figure[1]}](data:image/svg+xml;base64,{data})"


def _with_answer(found):
    """Puts a cell for the answer at the end of the section that asks."""
    asked = False
    for cell in found:
        if asked and cell and cell[1].startswith("## "):
            yield ("answer", "**Your answer:**")
            asked = False
        if cell is None:
            asked = True
        else:
            yield cell
    if asked:
        yield ("answer", "**Your answer:**")


def _joined(found):
    """Text up to the next heading, figure or code becomes one cell."""
    text = []
    for kind, source in [*found, ("end", "")]:
        if text and (kind != "markdown" or source.startswith("## ")):
            yield ("markdown", "\n\n".join(text))
            text = []
        if kind == "markdown":
            text.append(source)
        elif kind != "end":
            yield ("code" if kind == "code" else "markdown", textwrap.dedent(source) if kind == "figure" else source)
