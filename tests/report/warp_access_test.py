"""One warp's accesses, from the profile's sample to sectors, banks and heat."""

import json

import pytest

from data import source_traffic
from data.documents import read
from data.profiles import read_profile
from data.warp_access import Access, lanes_to_banks, lanes_to_sectors, sectors, words_of_banks
from figures import warp_figure

PROFILE = "profile-04_transpose_padded-starter-sim.json"


def every(step, width=4, lanes=32):
    return Access(width, tuple(lane * step if lane < lanes else None for lane in range(32)))


@pytest.mark.parametrize(
    "access, count, used",
    [
        (every(4), 4, 32),
        (every(8), 8, 16),
        (every(400), 32, 4),
        (every(0), 1, 4),
        (every(4, lanes=3), 1, 12),
        (every(16, width=16), 16, 32),
    ],
)
def test_sectors_hold_what_the_lanes_use(access, count, used):
    touched = sectors(access)
    assert len(touched) == count and touched[0].used == used


def test_an_access_across_a_sectors_edge_touches_both():
    access = Access(16, (24, *[None] * 31))
    assert [s.used for s in sectors(access)] == [8, 8]
    assert lanes_to_sectors(access) == [(0, 0), (0, 1)]


@pytest.mark.parametrize("step, busy, most", [(4, 32, 1), (128, 1, 32), (132, 32, 1), (8, 16, 2), (0, 1, 1)])
def test_banks_deliver_a_word_each(step, busy, most):
    words = words_of_banks(every(step))
    assert (sum(count > 0 for count in words), max(words)) == (busy, most)


def test_idle_lanes_touch_nothing():
    assert [lane for lane, _ in lanes_to_banks(every(4, lanes=5))] == [0, 1, 2, 3, 4]


@pytest.fixture
def profile(workspace):
    return read_profile(read(workspace.root / "results" / PROFILE))


def test_a_profile_gives_each_line_its_traffic_and_each_kind_its_picture(profile):
    conflict = next(t for t in profile.traffic if (t.space, t.op) == ("shared", "load"))
    assert (conflict.per_request, conflict.waste, conflict.unit) == (32, 32, "wavefronts")
    assert profile.before.lab == "03_transpose_shared"
    pairs = warp_figure.pairs(profile)
    assert [f"{after.space} {after.op}" for _, after in pairs] == [
        "global load",
        "shared store",
        "shared load",
        "global store",
    ]
    assert all((before.space, before.op) == (after.space, after.op) for before, after in pairs)


def test_the_hottest_line_is_the_one_with_the_conflicts(profile):
    lines = source_traffic.heated(profile)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    hottest = max(lines, key=lambda line: line.heat)
    assert hottest.wasteful and hottest.heat == source_traffic.SHADES and "shared[threadIdx.x][" in hottest.text
    assert {line.heat for line in lines if not line.accesses} == {0}


@pytest.mark.parametrize(
    "change, complaint",
    [
        (lambda line: line["sample"].update(offsets=[0] * 31), "sample.offsets: [0, 0"),
        (lambda line: line["sample"].update(bytes=64), "sample.bytes: 64 is greater than the maximum of 16"),
        (lambda line: line["sample"].update(offsets=["</svg>"] * 32), "sample.offsets[0]: '</svg>' is not of type"),
        (lambda line: line.update(requests=-1), "requests: -1 is less than the minimum of 0"),
        (lambda line: line.pop("sectors"), "'sectors' is a required property"),
    ],
)
def test_a_damaged_profile_is_refused_with_file_and_key(workspace, change, complaint):
    path = workspace.root / "results" / PROFILE
    document = json.loads(path.read_text())
    change(document["launches"][0]["lines"][0])
    path.write_text(json.dumps(document))
    result = workspace.run()
    assert result.returncode == 2
    assert PROFILE in result.stderr and "launches[0].lines[0]" in result.stderr and complaint in result.stderr
    assert PROFILE in workspace.page()
