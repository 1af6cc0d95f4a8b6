"""The goals of the fastest kernels, beside what was recorded."""

import json
import re
import types

import pytest

from conftest import ROOT
from data import goals
from data.load import Bench, Peer, Results, Source, Timing, load

H200 = Source("cuda", "NVIDIA H200", "2026-11-21", recorded=True)


def bench(size="8x8", ms=2.0, of_ceiling=0.9, peers=(), source=H200):
    timing = Timing(ms, ms, ms)
    texts = ("04_transpose", "encore", "transpose", size, "pass", "")
    return Bench(source, *texts, timing, None, None, None, None, of_ceiling, {}, tuple(peers))


def goal(against, size="8x8", least=0.0, most_ms=0.0):
    return goals.Goal("04_transpose", "encore", "transpose", size, against, least, most_ms, "the gap")


def standing(one, *rows):
    ((source, (found,)),) = goals.standings([one], Results(bench=list(rows)))
    assert source is H200
    return found


@pytest.mark.parametrize(
    "one, met, reached",
    [
        (goal("copy", least=0.9), True, "0.900×"),
        (goal("copy", least=0.95), False, "0.900×"),
        (goal("cublas", least=1.0), True, "1.05×, 1.03 to 1.07"),
        (goal("cublas", least=1.1), False, "1.05×, 1.03 to 1.07"),
        (goal("time", most_ms=2.0), True, "2.00 ms"),
        (goal("time", most_ms=1.9), False, "2.00 ms"),
        (goal("cub", least=1.0), None, ""),
        (goal("copy", size="9x9", least=0.5), None, ""),
    ],
)
def test_a_goal_is_met_missed_or_not_measured(one, met, reached):
    found = standing(one, bench(peers=[Peer("cublas", 2.1, 1.05, 1.03, 1.07)]))
    assert (found.met, found.reached) == (met, reached)
    assert ("the gap" in found.why) == (met is not True)


def test_a_goal_is_told_the_limit_at_its_own_size_where_there_is_one():
    def limit(size, busy):
        return types.SimpleNamespace(lab="04_transpose", variant="encore", launcher="transpose", size=size,
                                     ms=busy, units={"memory": busy}, stalls={})

    rows = [bench(), bench(size="9x9"), bench(size="7x7")]
    found = Results(bench=rows, limits=[limit("8x8", 85), limit("9x9", 90)])
    ((_, told),) = goals.standings([goal("copy", size=row.size, least=1.0) for row in rows], found)
    sizes = [re.search(r"Profiled at (\S+): limited by memory, at (\d+)", one.why).groups() for one in told]
    assert sizes == [("8x8", "85"), ("9x9", "90"), ("9x9", "90")]


def test_a_simulator_reaches_nothing():
    assert goals.standings([goal("copy", least=0.1)], Results(bench=[bench(source=Source("sim", "a CPU"))])) == []


def test_each_goal_of_the_course_names_what_exists():
    found, problems = goals.load_goals(ROOT / "solutions")
    assert not problems and len(found) > 15
    for one in found:
        folder = ROOT / "solutions" / one.lab
        assert (folder / {"encore": "encore.cu", "solution": "kernel.cu"}[one.variant]).exists(), one
        assert one.against in ("copy", "time") or (folder / "peers" / f"{one.against}.cu").exists(), one
        assert one.launcher in (folder / "kernel.cu").read_text(), one


def test_what_was_missed_is_explained():
    found, _ = goals.load_goals(ROOT / "solutions")
    for _, rows in goals.standings(found, load([], ROOT / "report/results")):
        assert rows and all(row.why for row in rows if row.met is False)


def test_a_damaged_file_is_told_and_costs_only_itself(workspace):
    folder = workspace.root / "solutions"
    for lab, text in (("04_transpose", '{"schema": 1, "goals": [{"variant": "encore"}]}'), ("05_x", "{")):
        (folder / lab).mkdir(parents=True)
        (folder / lab / "goals.json").write_text(text)
    done = workspace.run()
    assert done.returncode == 2 and (workspace.root / "out/index.html").exists()
    assert "04_transpose/goals.json: goals[0]: 'launcher' is a required property" in done.stderr, done.stderr
    assert "05_x/goals.json: not readable" in done.stderr


def test_the_page_shows_them(workspace):
    recorded = next(row for row in load([], workspace.root / "recorded").bench if row.source.backend == "cuda")
    folder = workspace.root / "solutions" / recorded.lab
    folder.mkdir(parents=True)
    row = {key: getattr(recorded, key) for key in ("variant", "launcher", "size")}
    rows = [{**row, "against": "time", "most_ms": ms, "gap": "<b>too slow</b>"} for ms in (1e9, 1e-9)]
    (folder / "goals.json").write_text(json.dumps({"schema": 1, "goals": rows}))
    assert workspace.run().returncode == 0
    section = re.search(r'<section id="goals">.*?</section>', workspace.page("course.html"), re.S).group(0)
    assert section.count(">met<") == 1 and section.count(">missed<") == 1
    assert section.count("&lt;b&gt;too slow&lt;/b&gt;") == 1
