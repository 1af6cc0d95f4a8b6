"""Optimization steps and roofline: which steps stand beside which peer and ceiling."""

import dataclasses

import pytest

from data.load import Bench, Peer, Source, Timing
from data.peaks import of_device
from figures import optimization_steps

H200 = Source("cuda", "d", ceiling=4000.0, peaks=(("FP32 peak", 60_000.0), ("bf16 tensor peak", 1_000_000.0)))


def row(lab, ms, variant="solution", size="64x64", gbytes=None, gflops=None, peers=()):
    time, cpu = Timing(ms, ms, ms), dict.fromkeys(("one_thread", "all_threads", "fast"))
    raced = tuple(Peer(name, its, its / ms, None, None) for name, its in peers)
    return Bench(H200, lab, variant, "f", size, "pass", "", time, None, None, gbytes, gflops, None, cpu, raced)


def test_steps_come_in_the_order_of_the_course_and_the_peer_is_a_line():
    (one,) = optimization_steps.step_charts(
        [
            row("03_t_shared", 2, gbytes=2000.0, peers=[("geam", 1.25)]),
            row("02_t_naive", 8, gbytes=500.0),
            row("03_t_shared", 1, variant="encore", gbytes=4000.0),
        ],
        H200,
    )
    assert [(s.label, s.value) for s in one.steps] == [("02 naive", 500), ("03 shared", 2000), ("03 encore", 4000)]
    assert [(p.label, p.value) for p in one.peers] == [("geam", 3200)]
    assert one.unit == "GB/s" and one.ceiling == ("copy in memory", 4000.0)


def test_a_naive_rival_is_the_first_step_and_no_peer():
    (one,) = optimization_steps.step_charts([row("09_convolution", 1, gbytes=3000.0, peers=[("naive", 4)])], H200)
    steps = [(s.label, s.role, s.value) for s in one.steps]
    assert steps == [("naive", "cpu", 750), ("09 convolution", "solution", 3000)]
    assert one.peers == ()


def test_another_labs_solution_among_the_rivals_is_a_step_in_its_place():
    rivals = [("07_m_tiled", 4), ("cublas", 0.5)]
    rows = [row("05_m_naive", 8, gflops=1e3), row("15_m_fast", 1, gflops=8e3, peers=rivals)]
    (one,) = optimization_steps.step_charts(rows, H200)
    assert [(s.label, s.role, s.value) for s in one.steps] == [
        ("05 naive", "solution", 1),
        ("07 tiled", "solution", 2),
        ("15 fast", "solution", 8),
    ]
    assert [p.label for p in one.peers] == ["cublas"]


def test_the_ceiling_of_arithmetic_is_the_lowest_peak_that_nobody_exceeds():
    fp32 = [row("05_m_a", 9, gbytes=1.0, gflops=5_000.0), row("07_m_b", 1, gbytes=1.0, gflops=45_000.0)]
    tensor = [row("16_m_a", 9, gbytes=1.0, gflops=50_000.0), row("17_m_b", 1, gbytes=1.0, gflops=450_000.0)]
    assert optimization_steps.step_charts(fp32, H200)[0].ceiling == ("FP32 peak", 60.0)
    assert optimization_steps.step_charts(tensor, H200)[0].ceiling == ("bf16 tensor peak", 1000.0)
    assert optimization_steps.step_charts(tensor, H200)[0].unit == "TFLOP/s"
    assert optimization_steps.step_charts(fp32, dataclasses.replace(H200, peaks=()))[0].ceiling is None


def test_one_step_is_no_chart():
    assert optimization_steps.step_charts([row("01_v", 1, gbytes=3.0, peers=[("copy", 1)])], H200) == []


def test_the_roofline_has_each_kernel_once_at_its_best():
    points = optimization_steps.roofline_points(
        [
            row("01_vector_add", 1, size="10", gbytes=12.0, gflops=1.0),
            row("01_vector_add", 1, size="1000", gbytes=3600.0, gflops=300.0),
            row("02_transpose", 1, gbytes=500.0, gflops=None),
        ]
    )
    assert [(p.label, p.gflops, round(p.intensity, 4)) for p in points] == [("01 add", 300.0, 0.0833)]


@pytest.mark.parametrize(
    "multiprocessors, capability, clock, expected",
    [
        (132, "9.0", 1980, [66.9, 1070.5]),
        (108, "8.0", 1410, [19.5, 311.9]),
        (132, "9.0", None, []),
        (132, "99.0", 1980, []),
    ],
)
def test_peaks_follow_from_the_device_and_its_clock(multiprocessors, capability, clock, expected):
    device = {"multiprocessors": multiprocessors or 0, "compute_capability": capability or ""}
    recorded = {"sm_clock_mhz": clock or 0}
    rows = [{"gpu": {"multiprocessor_mhz": mhz}} for mhz in (300, clock)] if clock else []
    assert [round(peak / 1000, 1) for _, peak in of_device(device, recorded)] == expected
    assert [round(peak / 1000, 1) for _, peak in of_device(device, {}, rows)] == expected
