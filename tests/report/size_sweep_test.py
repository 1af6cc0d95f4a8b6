"""The plot of `lab bench --sweep`: ratio over size, the line at 1, the worst sizes named."""

import copy
import dataclasses
import json
import shutil

import pytest

from conftest import FIXTURES
from data import documents, size_sweeps
from data.load import Results, load
from figures import drawings, size_sweep_figure

SWEEPS = FIXTURES / "sweeps"
DOCUMENT = SWEEPS / "bench_sweep-04_transpose_padded-encore-cuda.json"


@pytest.fixture
def sweep(tmp_path):
    shutil.copy(DOCUMENT, tmp_path)
    (found,) = load([tmp_path], tmp_path / "none").size_sweeps
    return found


def test_the_documents_follow_their_schemas_and_an_unknown_field_does_not():
    for path, schema in ((DOCUMENT, "bench_sweep"), (SWEEPS / "bench_verify.json", "bench_verify")):
        document = json.loads(path.read_text())
        documents.require(path, document, schema)
        for change in ({"unknown": 1}, {"head_start": "late"}):
            damaged = copy.deepcopy(document)
            damaged["results"][0].update(change)
            with pytest.raises(documents.DamagedDocument):
                documents.require(path, damaged, schema)


def test_a_sweep_is_read_with_its_failures(sweep):
    assert (sweep.lab, sweep.variant, sweep.launcher) == ("04_transpose_padded", "encore", "transpose")
    assert [one.ratio for one in sweep.points] == [1.0, 0.9, 1.1, 0.5]
    assert sweep.failures == ("1x9999991",)
    assert sweep.source.device == "NVIDIA H200" and not sweep.source.recorded


def test_a_record_is_read_from_its_folder_and_the_newest_counts(tmp_path):
    folder = tmp_path / "h200_sweeps"
    folder.mkdir()
    document = json.loads(DOCUMENT.read_text())
    (folder / "new.json").write_text(json.dumps(document))
    document.update({"date": "2026-01-01T00:00:00Z", "results": []})
    (folder / "old.json").write_text(json.dumps(document))
    results = load([], tmp_path)
    (found,) = results.size_sweeps
    assert not results.problems and found.source.recorded and len(found.points) == 4


def test_both_axes_are_logarithmic_with_a_line_at_1_and_the_worst_sizes_named(sweep):
    figure = size_sweep_figure.size_sweep_figure(sweep, "heading")
    figure.canvas.draw()
    (axis,) = figure.axes
    assert axis.get_xscale() == axis.get_yscale() == "log"
    assert [list(line.get_ydata()) for line in axis.lines if line.get_gid() == "even"] == [[1.0, 1.0]]
    marks = {line.get_label(): line for line in axis.lines if line.get_gid() != "even"}
    assert list(marks["cublas"].get_xdata()) == [2097152, 2400000] and list(marks["cublas"].get_ydata()) == [1.1, 0.5]
    assert [text.get_text() for text in axis.texts] == ["100000x3, separate: 0.50", "31x97, misaligned: 0.90"]
    low, high = axis.get_ylim()
    assert low < 0.5 and high > 1.1
    frame = figure.bbox
    for text in axis.texts:
        box = text.get_window_extent()
        assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0


def test_labels_of_sizes_with_the_same_ratio_do_not_cover_each_other(sweep):
    points = [size_sweeps.SweptSize(f"{n}x{n}", "pooled", 1e6 + n, "cublas", 0.8) for n in range(4)]
    figure = size_sweep_figure.size_sweep_figure(dataclasses.replace(sweep, points=tuple(points)), "")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 4
    assert not [1 for i, box in enumerate(boxes) for other in boxes[:i] if box.overlaps(other)]


def test_the_report_shows_the_plot_for_each_lab(workspace):
    shutil.copy(DOCUMENT, workspace.root / "results")
    done = workspace.run()
    assert done.returncode == 0, done.stderr
    page = workspace.page("course.html")
    assert "04_transpose_padded, encore, NVIDIA H200" in page and "100000x3, separate: 0.50" in page
    assert "slower at 2, the worst 0.500× at 100000x3" in page and "No right result at 1x9999991" in page
    assert (workspace.root / "out/figures/sizes-04-transpose-padded-encore-cuda.svg").is_file()


def test_a_sweep_without_a_measured_size_has_no_figure(sweep):
    empty = dataclasses.replace(sweep, points=())
    assert drawings.draw(Results(size_sweeps=[empty])) == []
