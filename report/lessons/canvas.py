"""An SVG drawing: shapes and texts with the colours of roles, one file for light and dark pages.

All lengths are in units of a drawing that is 640 units wide, so that a text of 13 can be read where the drawing is
shrunk to the 400 pixels of a phone.
"""

from xml.sax.saxutils import escape

WIDTH = 640
SMALL, NORMAL, LARGE = 13, 15, 17
FONT = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# Okabe and Ito's colours, safe for the common kinds of colour blindness; those for dark pages are lighter.
COLOURS = {
    "ink": ("#1b1e23", "#e8eaed"),
    "muted": ("#59606b", "#a3abb6"),
    "rule": ("#c9ced6", "#454c57"),
    "paper": ("#ffffff", "#14181d"),
    "blue": ("#0072b2", "#5bb5ea"),
    "orange": ("#c65200", "#ff9a5c"),
    "green": ("#00805d", "#41c79c"),
    "yellow": ("#b27700", "#f0b93f"),
    "purple": ("#a3508a", "#e39bc8"),
}
TINT = ".17"  # opacity of a tinted area


class Canvas:
    """Shapes are drawn in the order of the calls; y grows downwards. `about` is the figure's alternative text."""

    def __init__(self, height, about):
        self.height, self.about = height, about
        self._body, self._classes = [], {}
        self.rect(0, 0, WIDTH, height, fill="paper", radius=10)

    def rect(self, x, y, width, height, fill=None, tint=None, stroke=None, radius=2, dashed=False, thick=1):
        """Filled with a role's colour, or tinted with it; the outline has a colour of its own."""
        self._add("rect", {"x": x, "y": y, "width": width, "height": height, "rx": radius},
                  self._looks(fill, tint, stroke, dashed, thick))  # fmt: skip

    def line(self, *points, colour="muted", thick=1.5, dashed=False):
        """A line through points (x, y)."""
        path = "M" + "L".join(f"{_short(x)},{_short(y)}" for x, y in points)
        self._add("path", {"d": path}, self._looks(None, None, colour, dashed, thick))

    def lines(self, pairs, colour="muted", thick=1):
        """Many separate lines ((x, y), (x, y)) as one shape, which keeps the file small."""
        path = "".join(f"M{_short(a)},{_short(b)}L{_short(c)},{_short(d)}" for (a, b), (c, d) in pairs)
        self._add("path", {"d": path}, self._looks(None, None, colour, False, thick))

    def rects(self, boxes, fill=None, tint=None, stroke=None, thick=1):
        """Many rectangles (x, y, width, height) as one shape."""
        path = "".join(f"M{_short(x)},{_short(y)}h{_short(w)}v{_short(h)}h{_short(-w)}z" for x, y, w, h in boxes)
        if path:
            self._add("path", {"d": path}, self._looks(fill, tint, stroke, False, thick))

    def arrow(self, *points, colour="muted", thick=1.5, dashed=False):
        """A line through points with a head at the last one."""
        (x0, y0), (x, y) = points[-2:]
        length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        dx, dy, head = (x - x0) / length, (y - y0) / length, 3.2 + 2.4 * thick
        back = (x - head * dx, y - head * dy)
        self.line(*points[:-1], back, colour=colour, thick=thick, dashed=dashed)
        half = head * 0.48
        corners = [(x, y), (back[0] - half * dy, back[1] + half * dx), (back[0] + half * dy, back[1] - half * dx)]
        path = "M" + "L".join(f"{_short(a)},{_short(b)}" for a, b in corners) + "z"
        self._add("path", {"d": path}, self._looks(colour, None, None, False, 1))

    def text(self, x, y, text, size=NORMAL, anchor="start", colour="ink", bold=False, mono=False):
        """One line of text; y is its baseline."""
        names = [self._fill(colour), self._class(f"font-size:{size}px", f"t{size}")]
        if anchor != "start":
            names.append(self._class(f"text-anchor:{anchor}", anchor[0]))
        if bold:
            names.append(self._class("font-weight:600", "b"))
        if mono:
            names.append(self._class(f"font-family:{MONO}", "mono"))
        self._body.append(f'<text x="{_short(x)}" y="{_short(y)}" class="{" ".join(names)}">{escape(text)}</text>')

    def note(self, x, y, text, anchor="start", colour="muted", size=SMALL):
        """A small text."""
        self.text(x, y, text, size, anchor=anchor, colour=colour)

    def centred(self, x, y, width, height, text, **looks):
        """A text in the middle of a rectangle."""
        size = looks.get("size", NORMAL)
        self.text(x + width / 2, y + height / 2 + size * 0.36, text, anchor="middle", **looks)

    def svg(self):
        """The file's text."""
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {_short(self.height)}" width="800" '
                f'height="{_short(self.height * 800 / WIDTH)}" role="img">')  # fmt: skip
        rules = "".join(f".{name}{{{light}}}" for name, (light, _) in sorted(self._classes.items()))
        dark = "".join(f".{name}{{{other}}}" for name, (_, other) in sorted(self._classes.items()) if other)
        style = f"<style>text{{font-family:{FONT}}}{rules}@media(prefers-color-scheme:dark){{{dark}}}</style>"
        return "\n".join([head, f"<title>{escape(self.about)}</title>", style, *self._body, "</svg>", ""])

    def _add(self, tag, numbers, classes):
        attributes = "".join(f' {name}="{_short(value)}"' for name, value in numbers.items() if value or name != "rx")
        self._body.append(f'<{tag}{attributes} class="{classes}"/>')

    def _looks(self, fill, tint, stroke, dashed, thick):
        names = []
        if fill or tint:
            names.append(self._fill(fill or tint))
            if tint:
                names.append(self._class(f"fill-opacity:{TINT}", "tint"))
        else:
            names.append(self._class("fill:none", "none"))
        if stroke:
            light, dark = COLOURS[stroke]
            names.append(self._class(f"stroke:{light}", f"s-{stroke}", f"stroke:{dark}"))
            if thick != 1:
                names.append(self._class(f"stroke-width:{thick}", f"w{thick}".replace(".", "-")))
        if dashed:
            names.append(self._class("stroke-dasharray:5 4", "dash"))
        return " ".join(names)

    def _fill(self, role):
        light, dark = COLOURS[role]
        return self._class(f"fill:{light}", f"f-{role}", f"fill:{dark}")

    def _class(self, rule, name, dark=""):
        self._classes[name] = (rule, dark)
        return name


def _short(value):
    """A number with at most two decimals, and a text as it is."""
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
