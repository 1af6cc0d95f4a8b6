"""The roofline's names lie neither on each other nor on a mark, in both widths."""

import dataclasses
import itertools

import pytest
from matplotlib.transforms import Bbox

import style
from conftest import ROOT
from data.load import load
from figures import family_figure, optimization_steps, roofline_figure

CROWDED = [
    optimization_steps.RooflinePoint(f"{number:02d} a kernel's name", "solution", 50.0 + number % 3, 900.0 + number)
    for number in range(14)
]


def recorded():
    results = load([], ROOT / "report/results")
    rows = [row for row in results.bench if row.source.backend == "cuda"]
    return optimization_steps.roofline_points(rows), rows[0].source


def ticks(axis):
    """The labels of the ticks in view; Matplotlib has others beyond."""
    low, high = axis.get_view_interval()
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


@pytest.mark.parametrize("inches", [roofline_figure.WIDE, roofline_figure.NARROW])
@pytest.mark.parametrize("points", ["recorded", "crowded"])
def test_no_name_covers_another_or_a_mark(points, inches):
    kernels, source = recorded()
    kernels = kernels if points == "recorded" else CROWDED
    figure = roofline_figure.roofline_figure(kernels, source, "", inches)
    figure.canvas.draw()
    (axis,) = figure.axes
    names = [text for text in axis.texts if text.get_text()]
    assert {kernel.label for kernel in kernels} <= {name.get_text() for name in names}
    boxes = [(name.get_text(), name.get_window_extent()) for name in names if name.get_rotation() == 0]
    for (one, box), (other, second) in itertools.combinations(boxes, 2):
        assert not box.overlaps(second), (one, other)
    for kernel in kernels:
        centre = axis.transData.transform((kernel.intensity, kernel.gflops))
        mark = Bbox.from_extents(centre - 3, centre + 3)
        assert not [name for name, box in boxes if box.overlaps(mark)], kernel.label
    frame = figure.bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for _, box in boxes)
    for label in (*ticks(axis.xaxis), *ticks(axis.yaxis), axis.xaxis.label):
        box = label.get_window_extent()
        assert label.get_text() and "$" not in label.get_text()
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and box.y0 >= frame.y0, label
    family_figure.close(figure)


@pytest.mark.parametrize("inches", [roofline_figure.WIDE, roofline_figure.NARROW])
def test_no_roof_runs_through_a_name(inches):
    kernels, source = recorded()
    figure = roofline_figure.roofline_figure(kernels, source, "", inches)
    figure.canvas.draw()
    (axis,) = figure.axes
    roofs = [line.get_transform().transform_path(line.get_path()) for line in axis.lines if len(line.get_xdata()) > 1]
    assert len(roofs) == 2
    names = {kernel.label for kernel in kernels}
    for text in (text for text in axis.texts if text.get_text() in names):
        assert not [roof for roof in roofs if roof.intersects_bbox(text.get_window_extent(), filled=False)], text
    family_figure.close(figure)


def test_a_mark_says_its_value_to_whoever_points_at_it():
    kernels, source = recorded()
    figure = roofline_figure.roofline_figure(kernels, source, "")
    svg = family_figure.inline(family_figure.svg(figure, "r"), "r", 'aria-label="r"')
    family_figure.close(figure)
    assert svg.count("<title>") == len(kernels) and "GFLOP/s</title>" in svg


@pytest.mark.parametrize("modelled", [False, True])
def test_modelled_marks_are_hollow_and_explained(modelled):
    kernels, source = recorded()
    kernels = [dataclasses.replace(kernel, modelled=modelled) for kernel in kernels]
    figure = roofline_figure.roofline_figure(kernels, source, "")
    marks = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 1]
    assert [mark.get_markerfacecolor() == style.PAPER for mark in marks] == [modelled] * len(kernels)
    assert [text.get_text() for legend in figure.legends for text in legend.get_texts()] == ["modelled"] * modelled
    family_figure.close(figure)
