"""Parts that several figures have: rows and grids of cells, braces, matrices and time lines."""

from lessons.canvas import NORMAL, SMALL


def cells(canvas, x, y, width, height, texts, looks=None, size=SMALL, mono=False):
    """A row of cells side by side, each with a text; `looks(place)` gives a cell's fill or tint and stroke."""
    for place, text in enumerate(texts):
        look = {"stroke": "muted", **(looks(place) if looks else {})}
        colour = look.pop("colour", "paper" if look.get("fill") else "ink")
        canvas.rect(x + place * width, y, width, height, **look)
        if text != "":
            canvas.centred(x + place * width, y, width, height, str(text), size=size, colour=colour, mono=mono)


def grid(canvas, x, y, columns, rows, cell, colour="rule", height=None):
    """The lines of a grid of columns x rows cells; a cell is square unless it has a height."""
    tall = height or cell
    right, bottom = x + columns * cell, y + rows * tall
    pairs = [((x + i * cell, y), (x + i * cell, bottom)) for i in range(columns + 1)]
    pairs += [((x, y + i * tall), (right, y + i * tall)) for i in range(rows + 1)]
    canvas.lines(pairs, colour=colour)


def brace(canvas, x1, x2, y, text, below=True, colour="muted", size=SMALL, text_colour=None):
    """A bracket along x1 to x2 with its text below or above."""
    tip = 6 if below else -6
    canvas.line((x1, y), (x1, y + tip), (x2, y + tip), (x2, y), colour=colour, thick=1)
    where = y + tip + size if below else y + tip - 5
    canvas.text((x1 + x2) / 2, where, text, size=size, anchor="middle", colour=text_colour or colour)


def side_brace(canvas, x, y1, y2, text, colour="muted", size=SMALL, left=True):
    """A bracket along y1 to y2 with its text to the left or to the right."""
    tip = -6 if left else 6
    canvas.line((x, y1), (x + tip, y1), (x + tip, y2), (x, y2), colour=colour, thick=1)
    canvas.text(
        x + tip * 1.8, (y1 + y2) / 2 + size * 0.36, text, size=size, anchor="end" if left else "start", colour=colour
    )


def box(canvas, x, y, width, height, lines, colour="blue", size=NORMAL, bold_first=True):
    """A tinted box with centred lines of text."""
    canvas.rect(x, y, width, height, tint=colour, stroke=colour, radius=5)
    step = size + 4
    top = y + height / 2 - step * (len(lines) - 1) / 2 + size * 0.36
    for place, line in enumerate(lines):
        canvas.text(
            x + width / 2,
            top + place * step,
            line,
            anchor="middle",
            bold=bold_first and place == 0,
            size=size if place == 0 else min(size, SMALL),
        )


def key(canvas, x, y, entries, gap=18):
    """A legend in one row: (role, tinted, text) each; returns where it ends."""
    for role, tinted, text in entries:
        canvas.rect(x, y - 11, 13, 13, **{"tint" if tinted else "fill": role}, stroke=role)
        canvas.text(x + 19, y, text, size=SMALL, colour="muted")
        x += 19 + 7.4 * len(text) + gap
    return x


def bar(canvas, x, y, width, height, text, colour="blue", solid=False, size=SMALL):
    """One piece of work on a time line."""
    canvas.rect(x, y, width, height, **{"fill" if solid else "tint": colour}, stroke=colour, radius=3)
    if text:
        canvas.centred(x, y, width, height, text, size=size, colour="paper" if solid else "ink")


def time_axis(canvas, x1, x2, y, text="time"):
    """An arrow to the right, below a time line."""
    canvas.arrow((x1, y), (x2, y), colour="muted")
    canvas.text(x2, y + 16, text, size=SMALL, anchor="end", colour="muted")


def plural(count, unit):
    """ "1 sector", "4 sectors"."""
    return f"{count} {unit}{'' if count == 1 else 's'}"
