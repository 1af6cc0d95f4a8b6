"""Results files: what is tolerated, and what is refused with the file's and the key's name."""
# ctest: slow

import json

import pytest

CHECK = "check-01_vector_add-solution-sim.json"
BENCH = "bench-02_transpose_naive-solution-sim.json"


def test_without_any_result_the_report_says_what_to_run(workspace):
    for folder in ("results", "recorded"):
        for path in (workspace.root / folder).glob("*.json"):
            path.unlink()
    result = workspace.run()
    assert result.returncode == 1
    assert "no results yet" in result.stderr and "lab check all" in result.stderr
    assert not (workspace.root / "out/index.html").exists()


def test_a_folder_that_is_not_there_is_named(workspace):
    result = workspace.run("--results", str(workspace.root / "nowhere"))
    assert result.returncode == 2
    assert f"{workspace.root / 'nowhere'}: there is no such folder" in result.stderr
    assert (workspace.root / "out/index.html").exists()


def test_a_place_that_cannot_be_written_is_named(workspace):
    (workspace.root / "paper").write_text("a file")
    result = workspace.run("--figures", str(workspace.root / "paper"))
    assert result.returncode == 2
    assert f"report: cannot write {workspace.root / 'paper'}" in result.stderr


@pytest.mark.parametrize(
    "place", ["out/index.html", "out/course.html", "paper/published-transpose.md", "paper/warp-04-transpose-padded.png"]
)
def test_a_file_that_does_not_fit_a_full_disk_is_named(workspace, place):
    file = workspace.root / place
    file.parent.mkdir(exist_ok=True)
    file.symlink_to("/dev/full")
    result = workspace.run("--figures", str(workspace.root / "paper"))
    assert result.returncode == 2
    assert f"report: cannot write {file}: No space left on device" in result.stderr, result.stderr


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("{", "not readable as JSON"),
        ("", "not readable as JSON"),
        ("[" * 100_000, "not readable as JSON"),
        ('{"results": [], "schema": ' + "9" * 400 + "}", "schema: 999"),
        ("[1, 2]", "[1, 2] is not of type 'object'"),
        ('{"results": []}', "'schema' is a required property"),
        ('{"schema": 3, "results": []}', "schema: 3 is not one of [1, 2]"),
        ('{"schema": 1}', "'results' is a required property"),
        ('{"schema": 1, "results": {}}', "results: {} is not of type 'array'"),
        ('{"schema": 1, "results": [3]}', "results[0]: 3 is not of type 'object'"),
        ('{"schema": 1, "results": [{"size": "1"}]}', "results[0]: 'lab' is a required property"),
        ('{"schema": 1, "results": [{"lab": 4, "size": "1", "variant": "x"}]}', "results[0].lab: 4 is not of type"),
        (
            '{"schema": 1, "results": [{"lab": "a", "variant": "b", "size": "1", "kernel_ms": {"median": -1}}]}',
            "results[0].kernel_ms.median: -1 is less than the minimum of 0",
        ),
        (
            '{"schema": 1, "results": [{"lab": "a", "variant": "b", "size": "1", "gflops": "fast"}]}',
            "results[0].gflops: 'fast' is not of type 'number'",
        ),
        ('{"schema": 1, "results": [{"lab": "a", "variant": "b", "size": "1", "gflops": NaN}]}', "NaN is not JSON"),
        (
            '{"schema": 1, "results": [{"lab": "a", "variant": "b", "size": "1", "gflops": 1e999}]}',
            "results[0].gflops: inf is greater than the maximum of 1e+18",
        ),
        (
            '{"schema": 1, "results": [{"lab": "a", "variant": "b", "size": "1", "speed": 3}]}',
            "results[0]: Additional properties are not allowed ('speed' was unexpected)",
        ),
        (
            '{"schema": 1, "results": [{"lab": "a", "variant": "b", "verdict": "pass", "cases": [{}]}]}',
            "results[0].cases[0]: 'verdict' is a required property",
        ),
    ],
)
def test_a_damaged_file_is_named_with_its_key_and_costs_only_itself(workspace, text, complaint):
    for path in [*workspace.root.glob("*/bench-*"), *workspace.root.glob("*/profile-*")]:
        path.unlink()  # what would only cost time to draw
    (workspace.root / "results/bench-damaged.json").write_text(text)
    result = workspace.run()
    assert result.returncode == 2
    assert "bench-damaged.json" in result.stderr and complaint in result.stderr
    assert "Traceback" not in result.stderr
    page = workspace.page()
    assert "bench-damaged.json" in page and "04_transpose_padded" in page


def test_a_recorded_measurement_must_say_when_and_on_what(workspace):
    path = next((workspace.root / "recorded").glob("*.json"))
    document = json.loads(path.read_text())
    del document["recorded"]
    path.write_text(json.dumps(document))
    result = workspace.run()
    assert result.returncode == 2
    assert path.name in result.stderr and "recorded is missing" in result.stderr


def test_a_damaged_table_of_published_figures_is_named(workspace):
    path = workspace.root / "labs/04_transpose_padded/published.json"
    path.write_text(path.read_text().replace('"sentence"', '"sentense"'))
    result = workspace.run()
    assert result.returncode == 2
    assert "published.json: tables[0]: 'sentence' is a required property" in result.stderr


def test_optional_keys_may_be_missing(tmp_path):
    from data.load import load

    row = {"lab": "01_vector_add", "variant": "solution", "size": "1000", "kernel_ms": {"median": 0.5}}
    (tmp_path / "bench.json").write_text(json.dumps({"schema": 1, "results": [row]}))
    results = load([tmp_path], tmp_path / "nothing")
    assert results.problems == []
    assert results.bench[0].kernel.median == 0.5
    assert results.bench[0].warm is None and results.bench[0].cpu["one_thread"] is None
    assert results.bench[0].source.device == "unknown device"


def test_zero_stands_for_not_measured(tmp_path):
    from data.load import load

    row = {"lab": "a", "variant": "b", "size": "1", "kernel_ms": {"median": 2}, "warm_ms": {"median": 0}}
    document = {"schema": 1, "results": [row | {"cpu_one_thread_ms": 0, "of_ceiling": 0}]}
    (tmp_path / "bench.json").write_text(json.dumps(document))
    bench = load([tmp_path], tmp_path / "nothing").bench[0]
    assert bench.warm is None and bench.cpu["one_thread"] is None and bench.of_ceiling is None


def test_of_two_measurements_of_the_same_the_newer_counts(workspace):
    from data.load import load

    old = json.loads((workspace.root / "results" / BENCH).read_text())
    old["date"] = "2025-01-01"
    old["results"][0]["kernel_ms"] = {"median": 1.0}
    (workspace.root / "results/zzz-old.json").write_text(json.dumps(old))
    rows = load([workspace.root / "results"], workspace.root / "nothing").bench
    assert [row.kernel.median for row in rows if row.lab == "02_transpose_naive"] == [61.0]


def test_a_lab_that_was_skipped_is_no_place_of_measurement(tmp_path):
    from data.load import load

    row = {"lab": "16", "variant": "solution", "launcher": "", "size": "", "verdict": "skipped", "message": "no GPU"}
    (tmp_path / "bench.json").write_text(json.dumps({"schema": 1, "device": {}, "results": [row]}))
    results = load([tmp_path], tmp_path / "nothing")
    assert results.problems == [] and results.bench == []
