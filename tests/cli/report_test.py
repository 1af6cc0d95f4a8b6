"""`lab report`: from checks to a page with the memory accesses of each kernel."""
# ctest: slow

import json
import re
import shutil

import pytest

SIM = ("--backend", "sim")


@pytest.fixture
def unrecorded(lab):
    """A checkout without recorded results: to draw them takes most of a report's time."""
    for results in lab.own("report/results").rglob("*.json"):
        results.unlink()


def profile_of(lab, name, variant):
    return lab.root / f"report/out/results/profile-{name}-{variant}-sim.json"


def solve(lab, name):
    shutil.copy(lab.root / f"solutions/{name}/kernel.cu", lab.root / f"labs/{name}/kernel.cu")


@pytest.mark.usefixtures("unrecorded")
def test_what_was_checked_is_profiled_with_its_source_and_its_predecessor(lab):
    solve(lab, "04_transpose_padded")
    for number in ("04", "05"):
        lab.run("check", number, *SIM)
    result = lab.run("report")
    assert result.returncode == 0, result.stderr
    assert "memory accesses of 1 kernels" in result.stdout  # lab 05 is as it was handed out
    document = json.loads(profile_of(lab, "04_transpose_padded", "starter").read_text())
    assert document["source"] == (lab.root / "labs/04_transpose_padded/kernel.cu").read_text()
    before = document["before"]
    assert (before["lab"], before["variant"]) == ("03_transpose_shared", "solution")
    assert before["launches"][0]["size"] == document["launches"][0]["size"]
    sentence = "This kernel has no bank conflicts, and 03_transpose_shared has 5952."
    assert document["changed"] == sentence and document["counts"]["bank_conflicts"] == 0
    assert before["counts"]["bank_conflicts"] == 5952
    page = (lab.root / "report/out/index.html").read_text()
    assert sentence in page
    assert "Before: the solution of 03_transpose_shared" in page and "After: your kernel" in page
    assert re.search(r"05_matmul_naive.*?not begun", page, re.S)


@pytest.mark.usefixtures("unrecorded")
def test_a_kernel_is_profiled_again_only_when_it_has_changed(lab):
    solve(lab, "02_transpose_naive")
    lab.run("check", "02", *SIM)
    lab.run("report")
    kept = profile_of(lab, "02_transpose_naive", "starter")
    first = kept.stat().st_mtime_ns
    lab.run("report")
    assert kept.stat().st_mtime_ns == first
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text("// a line above\n" + kernel.read_text())
    assert lab.run("report").returncode == 0
    lines = [line["line"] for line in json.loads(kept.read_text())["launches"][0]["lines"]]
    assert lines and all("in[" in kernel.read_text().split("\n")[line - 1] for line in lines)


def sizes(document, launcher):
    return list(dict.fromkeys(launch["size"] for launch in document["launches"] if launch["launcher"] == launcher))


@pytest.mark.usefixtures("unrecorded")
def test_a_naive_rival_is_what_a_lab_of_its_own_begins_with(lab):
    lab.run("check", "09", "--solution", *SIM)
    lab.run("report")
    document = json.loads(profile_of(lab, "09_convolution", "solution").read_text())
    before = document["before"]
    assert (before["lab"], before["variant"]) == ("09_convolution", "naive")
    last = [launch for launch in document["launches"] if launch["launcher"] == "convolve"]
    assert len({launch["kernel"] for launch in last}) == 2
    assert sizes(before, "convolve") == sizes(document, "convolve"), "each kernel has a size of its own"
    assert len(sizes(before, "convolve")) == 2


@pytest.mark.usefixtures("unrecorded")
def test_a_lab_whose_first_stages_have_launchers_of_their_own_is_compared_by_its_last(lab):
    lab.run("check", "15", "--solution", "--size", "64x64x64", *SIM)
    lab.run("report")
    document = json.loads(profile_of(lab, "15_matmul_register_tiled", "solution").read_text())
    assert document["before"]["lab"] == "13_matmul_work_per_thread"


@pytest.mark.usefixtures("unrecorded")
def test_a_kernel_that_does_not_compile_costs_only_its_own_picture(lab):
    (lab.root / "labs/01_vector_add/kernel.cu").write_text("nonsense\n")
    lab.run("check", "01", *SIM)
    result = lab.run("report")
    assert result.returncode == 0, result.stderr
    document = json.loads(profile_of(lab, "01_vector_add", "starter").read_text())
    assert document["launches"] == [] and "compile_error" in document["message"]
    assert "compile error" in (lab.root / "report/out/index.html").read_text()


@pytest.mark.usefixtures("unrecorded")
def test_a_damaged_result_is_named_and_the_rest_is_shown(lab):
    lab.run("check", "01", "--solution", *SIM)
    (lab.root / "report/out/results/bench-01_vector_add-solution-sim.json").write_text('{"schema": 1, "results": 3}')
    result = lab.run("report")
    assert result.returncode == 2
    assert "bench-01_vector_add-solution-sim.json: results: 3 is not of type 'array'" in result.stderr
    assert "01_vector_add" in (lab.root / "report/out/index.html").read_text()


def test_a_fresh_checkout_shows_what_was_recorded(lab):
    result = lab.run("report", "--figures", "paper")
    assert result.returncode == 0, result.stderr
    assert "Recorded on NVIDIA H200" in (lab.root / "report/out/course.html").read_text()
    assert "You have checked no kernel of your own yet" in (lab.root / "report/out/index.html").read_text()
    written = {path.name for path in (lab.root / "paper").iterdir()}
    stems = {"transpose", "steps-transpose", "roofline"}
    assert {f"{stem}-recorded-nvidia-h200.{kind}" for stem in stems for kind in ("png", "svg")} <= written
    assert {"transpose-recorded-nvidia-h200.tex", "published-transpose.md"} <= written
