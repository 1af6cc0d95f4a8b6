"""`lab sweep` as a student calls it."""
# ctest: slow

import json
import signal

import pytest

from waiting import wait_until

SIM = ("--backend", "sim")
TILES = ("sweep", "07", "--solution", "--set")


def swept(lab, *arguments, code=0):
    done = lab.run("sweep", *arguments, "--json", *SIM)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)


def temporary_folders(tmp_path):
    return list(tmp_path.glob("kernel-lab-scratch-*"))


def test_each_value_is_counted_and_the_best_of_each_count_is_marked(lab):
    document = swept(lab, "07", "--solution", "--set", "tile=16,32,8,16", "--size", "64x64x64")
    (constant,) = document["constants"]
    assert constant == {"name": "tile", "line": 3, "value": "32", "values": [8, 16, 32]}
    rows = document["results"]
    assert [row["values"] for row in rows] == [{"tile": 8}, {"tile": 16}, {"tile": 32}]
    # Each block loads its tiles once: half the tile is twice the sectors.
    assert [row["counts"]["load_sectors"] for row in rows] == [8192, 4096, 2048]
    assert [row["counts"]["blocks"] for row in rows] == [64, 16, 4]
    assert [row["occupancy"] for row in rows] == [1, 1, 1]
    assert "load_sectors" in rows[2]["best"] and rows[0]["best"] == [] and "occupancy" not in rows[2]["best"]


def test_all_combinations_are_tried_and_sorted(lab):
    document = swept(lab, "02.1", "--solution", "--set", "tile=32", "--set", "block_rows=8,4", "--size", "64x64")
    assert [row["values"] for row in document["results"]] == [
        {"tile": 32, "block_rows": 4},
        {"tile": 32, "block_rows": 8},
    ]


def test_an_impossible_combination_is_a_row_with_its_reason(lab):
    said = lab.run(*TILES, "tile=32,64", "--size", "64x64x64", *SIM)
    assert said.returncode == 0 and "tile = 64: launch_error" in said.stdout and "4096 threads" in said.stdout
    document = swept(lab, "07", "--solution", "--set", "tile=64,128", code=1)
    first, second = document["results"]
    assert first["verdict"] == "launch_error" and "counts" not in first and first["best"] == []
    assert second["verdict"] != "pass" and second["message"]


def test_a_wrong_kernel_has_no_numbers_and_fails(lab):
    (row,) = swept(lab, "07", "--set", "tile=32", code=1)["results"]
    assert row["verdict"] == "wrong_answer" and "counts" not in row


def test_the_students_file_stays_as_it_is(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    before = kernel.read_text()
    swept(lab, "02.1", "--set", "block_rows=4", code=1)
    assert kernel.read_text() == before


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("07", "--solution"), "defines tile = 32 (line 3)"),
        (("07", "--solution", "--set", "tyle=16"), 'did you mean "tile"'),
        (("07", "--solution", "--set", "tile"), "names no values"),
        (("07", "--solution", "--set", "tile=16,x"), "no whole number"),
        (("07", "--solution", "--set", "tile=16", "--set", "tile=8"), "set twice"),
        (("07", "--solution", "--set", "tile=16", "--plot", "tiles.gif"), ".svg or .png"),
        (("07", "--solution", "--set", "tile=16", "--plot", "nowhere/tiles.svg"), "does not exist"),
        (("all", "--solution", "--set", "tile=16"), "one lab"),
    ],
)
def test_wrong_usage_is_explained(lab, arguments, words):
    done = lab.run("sweep", *arguments, *SIM)
    assert done.returncode == 2 and words in done.stderr


def test_a_constant_that_is_defined_twice_is_refused(lab):
    kernel = lab.root / "twice.cu"
    kernel.write_text("constexpr int tile = 32;\nvoid f() { constexpr int tile = 16; }\n")
    done = lab.run("sweep", "07", "--kernel", kernel, "--set", "tile=16", *SIM)
    assert done.returncode == 2 and "2 times, in lines 1 and 2" in done.stderr


def test_the_results_are_plotted(lab):
    pytest.importorskip("matplotlib")
    picture = lab.root / "tiles.svg"
    done = lab.run(*TILES, "tile=16,32", "--size", "64x64x64", "--plot", picture, *SIM)
    assert done.returncode == 0, done.stdout + done.stderr
    drawn = picture.read_text()
    for words in ("07_matmul_tiled, matmul 64x64x64", "load sectors", ">16<", ">32<"):
        assert words in drawn


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind(lab, tmp_path, monkeypatch, number):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = lab.start(*TILES, "tile=1,2,4,8,16,32", *SIM)
    wait_until(lambda: temporary_folders(tmp_path))
    process.send_signal(number)
    process.communicate()
    assert process.returncode == 128 + number
    assert temporary_folders(tmp_path) == []
