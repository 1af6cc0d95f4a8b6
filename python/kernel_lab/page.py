"""HTML and plain text of one result, side by side: a front end shows the one that it can."""

import html
import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

# Colours that read on a light and on a dark page.
RIGHT, WRONG, UNWRITTEN, WARNING, MUTED = "#2e8b57", "#d1493f", "#d98a00", "#b07800", "#808890"
MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"


def escape(text):
    """Text from a kernel or a compiler, which may contain anything."""
    return html.escape(CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)), quote=True)


class Page:
    """Parts are added in the order in which they are shown."""

    def __init__(self):
        self._html, self._text = [], []

    def add(self, markup, text):
        self._html.append(markup)
        if text:
            self._text.append(text.rstrip("\n"))

    def heading(self, word, rest, colour):
        badge = f"<b style='color:#fff;background:{colour};border-radius:3px;padding:1px 7px'>{escape(word)}</b>"
        self.add(f"<div style='margin:4px 0'>{badge} {escape(rest)}</div>", f"{word} {rest}")

    def line(self, text):
        self.add(f"<div>{escape(text)}</div>", text)

    def verbatim(self, text):
        style = f"{MONO};white-space:pre-wrap;margin:6px 0;background:none;color:inherit"
        self.add(f'<pre style="{style}">{escape(text.rstrip())}</pre>', text)

    def table(self, head, rows):
        """Cells are text; all columns but the first are aligned to the right."""
        if rows:
            self.add(_table(head, rows), _text_table(head, rows))

    def drawing(self, svg, text=""):
        self.add(f"<div style='margin:8px 0'>{svg}</div>", text)

    def bundle(self):
        """What IPython displays: MIME types and their data."""
        return {"text/html": "<div>" + "".join(self._html) + "</div>", "text/plain": "\n".join(self._text)}


def _table(head, rows):
    def row(cells, tag):
        styles = ["text-align:left", *["text-align:right"] * (len(cells) - 1)]
        parts = (
            f"<{tag} style='{style};padding:1px 8px'>{escape(cell)}</{tag}>"
            for style, cell in zip(styles, cells, strict=True)
        )
        return f"<tr>{''.join(parts)}</tr>"

    return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def _text_table(head, rows):
    all_rows = [tuple(map(str, cells)) for cells in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]
    pads = [str.ljust, *[str.rjust] * (len(widths) - 1)]
    lines = ([pad(*cell) for pad, *cell in zip(pads, cells, widths, strict=True)] for cells in all_rows)
    return "\n".join("  ".join(line).rstrip() for line in lines)
