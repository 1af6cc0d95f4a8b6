#!/usr/bin/python3
"""Draws the figures of the lessons: each labs/**/figures/NAME.py becomes NAME.svg beside it, and each Markdown file
that shows it gets its description as alternative text, and labs/machine.md its table. With --check it writes nothing
and exits 1 if a file differs.
"""

import argparse
import importlib.util
import pathlib
import re
import sys
import textwrap

from lessons import machine_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]*figures/[^)]+)\.svg\)")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--labs", type=pathlib.Path, default=ROOT / "labs")
    parser.add_argument("--only", default="", metavar="TEXT", help="figures whose path contains this text")
    options = parser.parse_args(arguments)
    sources = [path for path in sorted(options.labs.glob("**/figures/*.py")) if options.only in str(path)]
    drawn = {path: drawing(path) for path in sources}
    wanted = {path.with_suffix(".svg"): canvas.svg() for path, canvas in drawn.items()}
    about = {path.with_suffix(""): canvas.about for path, canvas in drawn.items()}
    for page in sorted(options.labs.glob("**/*.md")):
        wanted[page] = machine_table.replaced(described(page, about))
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if options.check:
            print(f"lesson_figures: {path} is not what is drawn; run report/lesson_figures.py", file=sys.stderr)
        else:
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if stale and options.check else 0


def drawing(path):
    """The Canvas that a figure's draw() returns."""
    spec = importlib.util.spec_from_file_location(f"figure_{path.parent.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.draw()


def described(page, about):
    """The page's text, with each figure's description as its alternative text."""

    def picture(found):
        text = about.get((page.parent / found[1]).resolve())
        if text is None:
            return found[0]
        if "]" in text:
            raise ValueError(f"{found[1]}: an alternative text in Markdown cannot have brackets: {text}")
        return textwrap.fill(f"![{text}]", 118, break_on_hyphens=False) + f"({found[1]}.svg)"

    return PICTURE.sub(picture, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    sys.dont_write_bytecode = True  # no __pycache__ in the lessons' folders
    sys.exit(main())
