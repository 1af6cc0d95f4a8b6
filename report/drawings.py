"""All figures of a report: drawn once, for files and for the page."""

import dataclasses
import re

import families
import figures
import kernels
import ladder_figure
import ladders
import places
import warp_figure


@dataclasses.dataclass
class Drawing:
    """`kind` is "family", "ladder", "roofline" or "warp"; `about` a family's stem or a lab; a warp has no source."""

    kind: str
    about: str
    source: object
    figure: dataclasses.InitVar[object]
    svg: str = dataclasses.field(init=False)
    png: bytes = dataclasses.field(init=False)

    def __post_init__(self, figure):
        self.svg, self.png = figures.svg(figure, self.stem), figures.png(figure)
        figures.close(figure)

    @property
    def stem(self):
        """For example "transpose-sim", "ladder-transpose-recorded-nvidia-h200", "warp-04-transpose-padded"."""
        where = places.stem(self.source) if self.source else ""
        kind = "" if self.kind == "family" else self.kind
        return identifier(" ".join((kind, self.about, where)))


def draw(results):
    """Every figure that the results have the numbers for."""
    return [*_of_families(results.bench), *_rooflines(results.bench), *_warps(results.profiles)]


def save(drawings, folders):
    """PNG and SVG of each in each folder, which is made."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for one in drawings:
            (folder / f"{one.stem}.svg").write_text(one.svg, encoding="utf-8")
            (folder / f"{one.stem}.png").write_bytes(one.png)


def of(drawings, kind, about=None):
    return [one for one in drawings if one.kind == kind and about in (None, one.about)]


def by_family_and_source(rows):
    """(stem, source, rows) of each family at each place of measurement."""
    for stem, members in families.families({row.lab for row in rows}).items():
        mine = [row for row in rows if row.lab in members]
        for source in families.sources(mine):
            yield stem, source, [row for row in mine if row.source.key == source.key]


def _of_families(rows):
    for stem, source, mine in by_family_and_source(rows):
        if groups := families.groups(mine):
            yield Drawing("family", stem, source, figures.family_figure(groups, places.name(source)))
        steps = ladders.ladders(mine, source) if source.backend != "sim" else []
        if steps:
            heading = f"Step by step. {places.name(source)}"
            yield Drawing("ladder", stem, source, ladder_figure.ladder_figure(steps, heading))


def _rooflines(rows):
    for source in families.sources(rows):
        points = ladders.roofline_points([row for row in rows if row.source.key == source.key])
        if points and source.backend != "sim":
            figure = ladder_figure.roofline_figure(points, source, f"Roofline. {places.name(source)}")
            yield Drawing("roofline", "", source, figure)


def _warps(profiles):
    for profile in kernels.shown(profiles):
        if warp_figure.pairs(profile):
            yield Drawing("warp", profile.lab, None, warp_figure.warp_figure(profile, *kernels.names(profile)))


def identifier(text):
    """What may stand in a file's name or an id."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower() or "family"
