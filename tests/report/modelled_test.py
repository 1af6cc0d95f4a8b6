"""Modelled times: read, drawn, compared, and never shown as measured."""

import copy
import json
import re
import shutil

import pytest

from conftest import ROOT
from data import documents, modelled
from data.load import load
from figures import drawings
from pages import modelled_times

BAND = {"us": 33.0, "low_us": 27.0, "high_us": 41.0}
ROW = {"lab": "04_transpose_padded", "variant": "starter", "launcher": "transpose", "size": "2000x5000", "us": 15.0}
ROW |= {"low_us": 12.0, "high_us": 19.5, "limit": "DRAM throughput", "balanced": False, "gbytes_per_s": 5300.0}
ROW |= {
    "step_before": "03_transpose_shared",
    "before": BAND,
    "gain": {"change": "without bank conflicts", "ratio": 1.9},
}
SOLUTION = ROW | {"variant": "solution", "us": 30.0, "low_us": 24.0, "high_us": 38.0}
MATMUL = ROW | {
    "lab": "15_matmul_register_tiled",
    "launcher": "matmul",
    "size": "8x8x8",
    "gflops": 28980.0,
    "us": 690.0,
}
MATMUL |= {"low_us": 458.0, "high_us": 1030.0, "gbytes_per_s": 81.2, "step_before": ""}
MATMUL = {name: value for name, value in MATMUL.items() if name not in ("before", "gain")}
PROBLEM = {"lab": "16_matmul_tensor_cores", "variant": "solution", "launcher": "matmul_wmma", "size": "8x8x8"}
PROBLEM |= {"problem": "its products run on tensor cores"}


def document(*rows, gpu="h200", validated=True):
    model = {"gpu": gpu, "validated": validated, "results": list(rows)}
    return {"schema": 2, "backend": "sim", "date": "2026-02-02T00:00:00Z", "results": [], "modelled": model}


def loaded(folder, *made):
    for number, one in enumerate(made):
        (folder / f"bench-{number}.json").write_text(json.dumps(one))
    results = load([folder], ROOT / "tests/report/fixtures/recorded")
    assert results.problems == []
    return results


@pytest.fixture(scope="module")
def made(workspaces, tmp_path_factory):
    """A report with modelled times for a GPU that has a record, and for one that has none."""
    space = workspaces(tmp_path_factory.mktemp("modelled"))
    shutil.move(space.root / "recorded/bench-matmul-cuda.json", space.root / "recorded/h200.json")
    (space.root / "results/bench-h200.json").write_text(json.dumps(document(ROW, SOLUTION, MATMUL, PROBLEM)))
    other = document(ROW | {"us": 30.0}, MATMUL, gpu="a100", validated=False)
    (space.root / "results/bench-a100.json").write_text(json.dumps(other))
    done = space.run("--figures", str(space.root / "paper"))
    assert done.returncode == 0, done.stderr
    return space


def section(page, identifier):
    text = re.search(rf'<section[^>]* id="{identifier}">.*?</section>', page, re.S).group(0)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def parts(page, lab):
    """What the section of a lab says for the A100 and for the H200."""
    first, second = section(page, lab).split("Time on a GPU")[1:]
    return first, second


def test_a_document_of_modelled_times_follows_the_schema_and_no_field_may_be_added():
    whole = document(ROW, PROBLEM)
    documents.require("x", whole, "bench")
    model = whole["modelled"]
    for one in (model, *model["results"], model["results"][0]["before"], model["results"][0]["gain"]):
        one["not_documented"] = 1
        with pytest.raises(documents.DamagedDocument, match="not_documented"):
            documents.require("x", whole, "bench")
        del one["not_documented"]


@pytest.mark.parametrize("change", [{"us": -1}, {"us": 1e19}, {"low_us": "fast"}, {"balanced": 1}])
def test_values_out_of_bounds_are_refused(change):
    with pytest.raises(documents.DamagedDocument):
        documents.require("x", document(ROW | change), "bench")


def test_a_row_has_a_time_or_a_problem():
    row = copy.deepcopy(PROBLEM)
    del row["problem"]
    with pytest.raises(documents.DamagedDocument):
        documents.require("x", document(row), "bench")


def test_modelled_rows_are_data_of_their_own_and_no_measurements(tmp_path):
    results = loaded(tmp_path, document(ROW, PROBLEM))
    row, problem = results.modelled
    assert row.time == modelled.Band(15.0, 12.0, 19.5) and row.before == modelled.Band(33.0, 27.0, 41.0)
    assert row.gain == ("without bank conflicts", 1.9) and row.validated and row.gpu == "h200"
    assert problem.time is None and problem.problem == "its products run on tensor cores"
    assert not [one for one in results.bench if not one.source.recorded]


def test_a_document_without_modelled_times_has_none(tmp_path):
    whole = document()
    del whole["modelled"]
    assert loaded(tmp_path, whole).modelled == []


@pytest.mark.parametrize(
    "before, words",
    [
        (33.0, "2.2 times as fast as 03_transpose_shared"),
        (18.0, "too close to 03_transpose_shared to say which is faster"),
        (12.5, "too close to 03_transpose_shared to say which is faster"),
        (7.5, "2 times as slow as 03_transpose_shared"),
    ],
)
def test_times_are_compared_only_where_the_model_can_tell_them_apart(tmp_path, before, words):
    results = loaded(tmp_path, document(ROW | {"before": BAND | {"us": before}}))
    (one,) = modelled_times.of_lab("04_transpose_padded", results, [])
    assert one["lines"][0]["comparison"] == words


@pytest.mark.parametrize("gpu, words", [("h100_sxm", "an H100 SXM"), ("t4", "a T4"), ("rtx4090", "an RTX4090")])
def test_a_heading_names_the_gpu_and_says_that_nothing_was_measured(gpu, words):
    assert modelled.heading(gpu, True) == f"modelled for {words}, not measured"
    assert modelled.heading(gpu, False).endswith("; the model is not validated for this GPU")


def test_the_students_page_has_band_limit_comparison_and_gain_under_a_heading_that_says_modelled(made):
    a100, h200 = parts(made.page(), "lab-04-transpose-padded")
    assert h200.startswith(" modelled for an H200, not measured") and "not validated" not in h200
    assert "12.0 µs to 19.5 µs , modelled, limited by DRAM throughput" in h200
    assert "2.2 times as fast as 03_transpose_shared; without bank conflicts it would be 1.9 times as fast" in h200
    assert a100.startswith(" modelled for an A100, not measured; the model is not validated for this GPU")
    assert "too close to 03_transpose_shared to say which is faster" in a100


def test_recorded_times_of_the_same_kernel_and_call_stand_beside_the_modelled(made):
    _, h200 = parts(made.page(), "lab-04-transpose-padded")
    assert "solution: 24.0 µs to 38.0 µs , modelled" in h200 and "Recorded on Fixture H200: 31.0 µs" in h200
    figure = (made.root / "out/figures/modelled-04-transpose-padded-h200.svg").read_text()
    assert figure.count("recorded on Fixture H200") == 2 and "time in µs" in figure  # of the solution, the step before
    assert "12.0 to 19.5 µs" in figure
    assert figure.count(">03_transpose_shared<") == 1  # both of the lab's kernels improve on it


def test_a_kernel_without_a_modelled_time_says_why_and_has_no_figure(made):
    assert "no modelled time: its products run on tensor cores" in section(made.page(), "others")
    assert 'id="lab-16' not in made.page()  # the page has sections of the student's own kernels only
    assert not list((made.root / "out/figures").glob("modelled-16*"))


def test_only_a_gpu_with_a_record_has_a_roofline_of_hollow_marks(made):
    drawn = {path.stem for path in (made.root / "paper").glob("modelled-roofline*")}
    assert drawn == {"modelled-roofline-h200"}
    shown = section(made.page(), "roofline")
    assert "modelled for an H200, not measured" in shown and "A100" not in shown
    figure = (made.root / "paper/modelled-roofline-h200.svg").read_text()
    assert "15 yours" in figure and "FP32 peak" in figure and ">modelled<" in figure


def test_the_courses_page_has_measured_times_only(made):
    page = made.page("course.html")
    assert "modelled" not in page.split("</style>")[1] and "15 yours" not in page


def test_files_for_a_written_report_are_marked_as_modelled(made):
    stems = {path.stem for path in (made.root / "paper").glob("modelled-*.svg")}
    assert {"modelled-04-transpose-padded-h200", "modelled-15-matmul-register-tiled-a100"} <= stems
    text = (made.root / "paper/modelled-h200.md").read_text()
    assert "**Times modelled for an H200, not measured." in text and "31.0 µs recorded on Fixture H200" in text
    assert "no time: its products run on tensor cores" in text
    assert "not validated" in (made.root / "paper/modelled-a100.tex").read_text()


def test_a_long_call_stands_whole_above_its_bands(tmp_path):
    row = ROW | {"launcher": "matmul_double_buffered", "size": "2000x1000x5000"}
    (drawing,) = drawings.of(drawings.draw(loaded(tmp_path, document(row))), "modelled")
    assert ">matmul_double_buffered, 2000x1000x5000<" in drawing.svg


def test_hostile_names_of_a_model_are_text(tmp_path):
    evil = "</svg><script>alert(1)</script>"
    row = ROW | {"limit": evil, "launcher": evil, "step_before": evil, "variant": evil}
    results = loaded(tmp_path, document(row, gpu=evil))
    (one,) = modelled_times.of_lab(ROW["lab"], results, drawings.draw(results))
    assert "<script" not in one["svgs"][0] and one["lines"][0]["limit"] == f"limited by {evil}"
