"""Numbers in READMEs that refer to a record: read, compared, written again."""

import json

import pytest

from conftest import ROOT
from readmes import book, expression, references
from readmes.quantity import Quantity, written_like
from readmes.unreferenced import unreferenced


@pytest.fixture
def records(tmp_path):
    """Two kernels timed on a GPU, and one counted on the simulator."""
    folder = tmp_path / "recorded"
    folder.mkdir()

    def timed(lab, ms, **more):
        return {"lab": lab, "variant": "solution", "launcher": "f", "size": "8x9", "kernel_ms": {"median": ms},
                "gbytes_per_s": 2403.7 / ms, **more}  # fmt: skip

    peer = {"name": "cublas", "ms": 3.0, "ratio": 2.0}
    results = [timed("02_a", 4.2345), timed("03_b", 1.5, of_ceiling=0.376, peers=[peer])]
    device = {"ceiling_gbytes_per_s": 4277.7, "multiprocessors": 132}
    gpu = {"schema": 1, "backend": "cuda", "recorded": {"date": "2030-01-02"}, "device": device, "results": results}
    (folder / "gpu.json").write_text(json.dumps(gpu))

    def launch(kernel, requests):
        counts = {"load_requests": requests, "load_sectors": 4 * requests, "shared_load_wavefronts": 7}
        return {"kernel": kernel, "grid": [5, 2, 1], "block": [32, 1, 1], "counts": counts}

    row = {"lab": "03_b", "variant": "solution", "launcher": "f", "size": "8x9"}
    row["launches"] = [launch("one", 312_500), launch("one", 500), launch("two", 1_000_000)]
    (folder / "sim.json").write_text(json.dumps({"schema": 1, "counts": [row]}))
    cost = {"lab": "02_a", "kernel": "wrong", "launcher": "f", "size": "4"}
    cost |= {"solution_ms": 1, "kernel_ms": 3, "ratio": 3}
    (tmp_path / "costs.json").write_text(json.dumps({"rows": [cost]}))
    (tmp_path / "labs/02_a").mkdir(parents=True)
    rows = [{"label": "CPU, 50 threads", "published": "50 ms", "measured": ""},
            {"label": "GPU", "published": "43.22 (no unit)", "measured": ""}]  # fmt: skip
    table = {"title": "", "launcher": "f", "size": "8x9", "sentence": "", "rows": rows}
    (tmp_path / "labs/02_a/published.json").write_text(json.dumps({"schema": 1, "tables": [table]}))
    return book.load(folder, tmp_path / "costs.json", tmp_path / "labs")


@pytest.mark.parametrize(
    "text",
    [
        "moves 1600 GB/s<!--gpu 03/solution f 8x9 bandwidth-->.",
        "takes 1.50 ms<!--gpu 03/solution 8x9 time--> or 1500\nµs<!--gpu 03/solution\n8x9 time-->",
        "2.8 times<!--gpu 02/solution 8x9 time / 03/solution--> as fast",
        "282 %<!--gpu 02/solution 8x9 time / 03/solution-->",
        "37.6%<!--gpu 03/solution 8x9 of_copy--> of a copy's 4280 GB/s<!--gpu device copy_bandwidth-->",
        "37%<!--gpu 03/solution 8x9 bandwidth / device copy_bandwidth-->",
        "a row of 132<!--gpu device multiprocessors--> multiprocessors",
        "| 1.5<!--gpu 03/solution 8x9 time in ms--> | 0.0015<!--gpu 03/solution 8x9 time in s--> |",
        "cuBLAS 3 ms<!--gpu 03/solution 8x9 cublas:time-->, 801 GB/s<!--gpu 03/solution 8x9 cublas:bandwidth-->",
        "1,313,000<!--sim 03/solution f 8x9 load_requests--> requests",
        "1.31 million<!--sim 03/solution 8x9 requests-->; 312,500<!--sim 03/solution 8x9 one#1 load_requests-->",
        "313000<!--sim 03/solution 8x9 one load_requests-->",
        "4<!--sim 03/solution 8x9 load_sectors / load_requests-->",
        "21<!--sim 03/solution 8x9 shared_wavefronts--> of 30<!--sim 03/solution 8x9 blocks--> blocks",
        "3 times<!--gate_costs 02/wrong 4 ratio-->",
        "50 ms<!--published 02/tutorial f 8x9 cpu_50_threads time--> takes 11.8 times<!--published 02/tutorial 8x9\n"
        "cpu_50_threads time / gpu 02/solution 8x9 time--> as long",
        "1.87 µs<!--= 8 / 4.278-->",
        "97%<!--= 512 / 132 / 4--> of 20,000<!--= 2 * (10_000 + 0)-->",
        "4800 GB/s<!--source: H200 data sheet-->",
    ],
)
def test_a_number_that_is_recorded_stays(records, text):
    assert references.corrected(text, records) == (text, [])


@pytest.mark.parametrize(
    "written, right, message",
    [
        ("1768 GB/s<!--gpu 03/solution 8x9 bandwidth-->", "1602 GB/s", "1768 GB/s is written, 1602 is recorded"),
        ("1700 GB/s<!--gpu 03/solution 8x9 bandwidth-->", "1600 GB/s", "1600 is recorded"),
        ("3.5 times<!--gpu 02/solution 8x9 time / 03/solution-->", "2.8 times", "2.8 is recorded"),
        ("3.50 times<!--gpu 02/solution 8x9 time / 03/solution-->", "2.82 times", "2.82 is recorded"),
        ("312,500<!--sim 03/solution 8x9 one load_requests-->", "313,000", "313,000 is recorded"),
        ("6<!--sim 03/solution 8x9 one load_requests-->", "313,000", "313,000 is recorded"),
        ("42 %<!--gpu 03/solution 8x9 of_copy-->", "38 %", "42 % is written, 38 is recorded"),
        ("95%<!--= 512 / 132 / 4-->", "97%", "97 is recorded"),
    ],
)
def test_another_number_is_named_by_its_line_and_put_right(records, written, right, message):
    corrected, (mismatch,) = references.corrected(f"# Title\n\nIt is {written}.\n", records)
    assert corrected == f"# Title\n\nIt is {right}{written[written.index('<') :]}.\n"
    assert mismatch.line == 3 and message in mismatch.message


@pytest.mark.parametrize(
    "text, message",
    [
        ("1 ms<!--gpu 03/solution 8x9 bandwidth-->", "ms stands for a time, the record holds a bandwidth"),
        ("1<!--gpu 03/solution 8x9 time-->", "no unit stands for a number, the record holds a time"),
        ("1 ms<!--gpu 03/solution 8x9 time in ms-->", "the unit is given twice"),
        ("1 ms<!--gpu 03/solution 8x8 time-->", "gpu has no size 8x8; there are 8x9"),
        ("1 ms<!--gpu 04/solution 8x9 time-->", "no subject 04/solution; there are 02/solution, 03/solution, dev"),
        ("1 ms<!--gpu 03/solution 8x9 tine-->", "no metric tine there; there are bandwidth, cublas:"),
        ("1 ms<!--gpu 03/solution 8x9-->", "no metric (none) there"),
        ("1 ms<!--03/solution 8x9 time-->", "no record is named; there are gate_costs, gpu, published, sim"),
        ("1<!--sim 03/solution 8x9 g load_requests-->", "0 rows are called g: f, f one, f one#1"),
        ("1<!--gpu 03/solution 8x9 time / 03/solution bandwidth-->", "a time cannot be divided by a bandwidth"),
        ("1<!--gpu 03/solution 04/solution 8x9 time-->", "03/solution and 04/solution are both a subject"),
        ("1<!--sim 03/solution 8x9 loads / requests / sectors-->", "more than one division"),
        ("1<!--= __import__('os')-->", "is no arithmetic"),
        ("1<!--= 1 / 0-->", "is no arithmetic"),
        ("1<!--= 9 ** 9-->", "is no arithmetic"),
        ("1 s<!--gpu 03/solution 8x9 time-->", "0.0015 s needs more digits than 1"),
        ("fast<!--gpu 03/solution 8x9 time-->", "must follow a number and its unit directly"),
        ("    1.50 ms<!--gpu 03/solution 8x9 time-->", "an indented block shows its comments"),
    ],
)
def test_a_reference_that_means_nothing_says_why(records, text, message):
    corrected, (mismatch,) = references.corrected(text, records)
    assert corrected == text and message in mismatch.message


def test_other_comments_are_left_alone(records):
    text = "<!-- measured -->\nWords.\n<!-- end of measured -->\n"
    assert references.corrected(text, records) == (text, [])


@pytest.mark.parametrize("number, value, text", [
    ("1600", 1651.7, "1650"), ("1602", 1651.7, "1652"), ("999", 1651.7, "1650"), ("1,600", 1651.7, "1,650"),
    ("0.5", 0.04, "0.0"), ("12", 99.6, "100"), ("12.0", 9.96, "10.0"), ("16000", 1e6, "1000000"),
])  # fmt: skip
def test_digits_follow_the_number_as_written(number, value, text):
    if text == "0.0":
        with pytest.raises(ValueError, match="needs more digits"):
            written_like(number, "GB/s", Quantity(value * 1e9, "bandwidth"))
    else:
        assert written_like(number, "GB/s", Quantity(value * 1e9, "bandwidth")) == text


def test_operands_take_what_they_leave_out_from_the_first():
    first, second = expression.operands("sim 07/solution matmul 9x9 load_sectors / 05/naive", {"sim"})
    assert (second.record, second.subject, second.size) == ("sim", "05/naive", "9x9")
    assert second.names == first.names == ("matmul",) and second.metric == "load_sectors"


@pytest.mark.parametrize("text", [
    "at 1600 GB/s", "43 TFLOP/s", "10 to\n12 GB/s", "0.17 ms", "3 µs", "25 us", "2 microseconds", "1.97 GHz", "42%",
    "42 %",     "per cent: 5 per cent", "3.5×", "1.5 times", "3 times as fast", "eight times as many", "20 times fewer",
    "312,500 wavefronts", "10^7 sectors", "1.25 million load requests", "2048 requests", "a ratio of 0.92", "| 0.468 |",
    "1600 GB/s <!-- measured -->", "    2048 requests",
])  # fmt: skip
def test_a_number_without_reference_is_found(text):
    assert [mismatch.line for mismatch in unreferenced(f"Title\n\n{text}\n")] == [3]


@pytest.mark.parametrize("text", [
    "32 threads load 4 sectors", "each element is used 32 times", "2000 x 5000 ints", "256 threads", "48 KB", "`42%`",
    "CUDA 13.0", "(2k + row) % 32", "5 of 8 banks", "10,000 elements", "`./lab bench 04 --size 1024`", "lab 04",
    "4.5 TFLOP/s<!--= 4.5-->", "4800 GB/s<!--source: H200 data sheet-->", "16 × 16 threads",
    "<!-- measured -->\n| 42 % |\n<!-- end of measured -->",
])  # fmt: skip
def test_other_numbers_need_none(text):
    assert unreferenced(text) == []


def test_the_memories_of_a_gpu_can_be_cited(tmp_path):
    levels = {"latencies": [{"level": "L1", "cycles": 40}, {"level": "shared memory", "cycles": 25}],
              "bandwidths": [{"level": "L1", "gbytes_per_s": 29384}]}  # fmt: skip
    about = json.loads((ROOT / "report/results/h200_memory.json").read_text())
    (tmp_path / "gpu_memory.json").write_text(json.dumps({**about, **levels}))
    records = book.load(tmp_path, ROOT / "tests/labs/data/gate_costs.json", tmp_path)
    for written, right in (
        ("1.5 times<!--gpu_memory device latency:L1 / latency:shared_memory-->", "1.6 times<!--"),
        ("1.0 TB/s<!--gpu_memory device rate:L1-->", "29.4 TB/s<!--"),
    ):
        assert references.corrected(written, records)[0].startswith(right)
