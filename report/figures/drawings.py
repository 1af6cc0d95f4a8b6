"""All figures of a report: drawn once, for files and for the page."""

import dataclasses
import re

from data import families, modelled, source_labels, traced_kernels, writing
from figures import (
    family_figure,
    modelled_figure,
    optimization_steps,
    roofline_figure,
    size_sweep_figure,
    steps_figure,
    warp_figure,
)


@dataclasses.dataclass
class Drawing:
    """`kind` is "family", "steps", "roofline", "sizes" or "warp"; `about` a family's stem or a lab.

    A warp has no source. "modelled" is about a lab and a GPU, "modelled-roofline" about a GPU; they have none either.

    Kinds for the pages alone: "access" is a `half` of a warp, "before" or "after"; a "roofline-narrow" or
    "modelled-roofline-narrow" fits a telephone.
    """

    kind: str
    about: str
    source: object
    figure: dataclasses.InitVar[object]
    half: str = ""
    svg: str = dataclasses.field(init=False)
    png: bytes = dataclasses.field(init=False)

    def __post_init__(self, figure):
        self.svg = family_figure.svg(figure, self.stem)
        self.png = b"" if self.only_on_page else family_figure.png(figure)
        family_figure.close(figure)

    @property
    def only_on_page(self):
        return self.kind == "access" or self.kind.endswith("-narrow")

    @property
    def stem(self):
        """For example "transpose-sim", "steps-transpose-recorded-nvidia-h200", "warp-04-transpose-padded"."""
        where = source_labels.stem(self.source) if self.source else ""
        kind = "" if self.kind == "family" else self.kind
        return identifier(" ".join((kind, self.about, self.half, where)))


def draw(results):
    """Every figure that the results have the numbers for."""
    return [
        *_of_families(results.bench),
        *_rooflines(results.bench),
        *_size_sweeps(results.size_sweeps),
        *_warps(results.profiles),
        *_modelled(results),
    ]


def save(drawings, folders):
    """PNG and SVG of each in each folder, which is made."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        for one in (one for one in drawings if not one.only_on_page):
            writing.write(folder / f"{one.stem}.svg", one.svg)
            writing.write(folder / f"{one.stem}.png", one.png)


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
            yield Drawing("family", stem, source, family_figure.family_figure(groups, source_labels.name(source)))
        steps = optimization_steps.step_charts(mine, source)
        if steps:
            heading = f"Step by step. {source_labels.name(source)}"
            yield Drawing("steps", stem, source, steps_figure.steps_figure(steps, heading))


def _rooflines(rows):
    for source in families.sources(rows):
        points = optimization_steps.roofline_points([row for row in rows if row.source.key == source.key])
        if points:
            heading = f"Roofline. {source_labels.name(source)}"
            yield Drawing("roofline", "", source, roofline_figure.roofline_figure(points, source, heading))
            narrow = roofline_figure.roofline_figure(points, source, "", roofline_figure.NARROW)
            yield Drawing("roofline-narrow", "", source, narrow)


def _size_sweeps(sweeps):
    for sweep in sweeps:
        if sweep.points:
            heading = f"{sweep.lab}, {sweep.variant}, {sweep.launcher}. {source_labels.name(sweep.source)}"
            figure = size_sweep_figure.size_sweep_figure(sweep, heading)
            yield Drawing("sizes", f"{sweep.lab} {sweep.variant}", sweep.source, figure)


def _warps(profiles):
    for profile in traced_kernels.shown(profiles):
        if warp_figure.pairs(profile):
            yield Drawing("warp", profile.lab, None, warp_figure.warp_figure(profile, *traced_kernels.names(profile)))
    for profile in traced_kernels.own(profiles):
        for half in ("before", "after") if profile.before else ("after",):
            if figure := warp_figure.half_figure(profile, half):
                yield Drawing("access", profile.lab, None, figure, half)


def _modelled(results):
    for (gpu, validated), rows in modelled.groups(results.modelled):
        heading = modelled.heading(gpu, validated)
        for lab in sorted({row.lab for row in rows if row.time}):
            mine = [row for row in rows if row.lab == lab]
            figure = modelled_figure.modelled_figure(mine, results.bench, f"{lab}: {heading}")
            yield Drawing("modelled", f"{lab} {gpu}", None, figure)
        points, place = optimization_steps.roofline_points(rows, True), modelled.record_of(gpu, results.bench)
        if points and place:
            wide = roofline_figure.roofline_figure(points, place, f"Roofline, {heading}")
            yield Drawing("modelled-roofline", gpu, None, wide)
            narrow = roofline_figure.roofline_figure(points, place, "", roofline_figure.NARROW)
            yield Drawing("modelled-roofline-narrow", gpu, None, narrow)


def identifier(text):
    """What may stand in a file's name or an id."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower() or "family"
