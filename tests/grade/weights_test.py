"""What a policy gives points for: the groups of cases, gates, deadlines of single labs, extra credit."""
# ctest: slow

import json
import os
import subprocess

import pytest

from conftest import LAB_04, ROOT, SOLUTIONS, solution, starter

LAB_01, LAB_05, LAB_07, LAB_15 = (SOLUTIONS[i].name for i in (0, 4, 6, 14))
NAIVE = solution(LAB_05)  # the launcher of lab 07 is the same, and its idea is missing
NOT_777 = solution(LAB_01).replace("if (i < n) out[i]", "if (i < n && n != 777) out[i]")
assert NOT_777 != solution(LAB_01)


def grade(room, document, labs):
    result = room.grade("--labs", labs, *room.policy(document))
    assert result.returncode == 0, result.stderr
    return " ".join((result.stdout + result.stderr).split())


@pytest.mark.parametrize(
    "gates, points, words",
    [
        (None, 5, "gates of 07 count: a kernel that misses a gate or has a hazard loses their share"),
        ("points", 5, "gates of 07 count"),
        ("required", 0, "gates of 07 are required: a kernel that misses a gate or has a hazard earns no points"),
        ("advisory", 10, "gates of 07 are advice and change no points"),
    ],
)
def test_a_right_kernel_without_the_labs_idea_loses_the_share_of_the_gates(room, gates, points, words):
    room.hand_in("naive", _07=NAIVE)
    room.hand_in("tiled", _07=solution(LAB_07))
    printed = grade(room, {"gates": gates} if gates else {}, "07")
    assert words in printed
    naive, tiled = room.row("naive", "07"), room.row("tiled", "07")
    assert [naive["points"], tiled["points"]] == [points, 10]
    assert naive["gates_count"] == (gates or "points") and naive["gates_passed"] < naive["gates_total"]
    assert naive["verdict"] == ("pass" if gates == "advisory" else "gate")


def test_each_lab_may_count_its_gates_its_own_way(room):
    room.hand_in("naive", _07=NAIVE, _04=starter(LAB_04))
    printed = grade(room, {"gates": "advisory", "labs": {"07": {"gates": "required"}}}, "04,07")
    assert "gates of 04 are advice" in printed and "gates of 07 are required" in printed
    assert room.row("naive", "07")["points"] == 0 and room.row("naive", "04")["points"] == 10


def test_a_starter_that_is_right_and_misses_a_gate_earns_nothing(room):
    room.hand_in("idle", _04=starter(LAB_04))
    room.hand_in("right", _04=solution(LAB_04))
    grade(room, {}, "04")
    assert [room.row(student, "04")["points"] for student in ("idle", "right")] == [0, 10]


def test_weights_share_the_points_among_values_hidden_cases_and_gates(room):
    room.hand_in("naive", _07=NAIVE)
    weights = {"values": 60, "hidden": 20, "gates": 20}
    grade(room, {"labs": {"07": {"points": 100, "weights": weights, "hidden_sizes": ["65x33x17"]}}}, "07")
    assert room.row("naive", "07")["points"] == 80


def test_hidden_cases_have_their_own_weight(room):
    room.hand_in("knows", _01=NOT_777)
    rules = {"gates": "advisory", "default": {"weights": {"values": 1, "hidden": 3}, "hidden_sizes": ["777"]}}
    grade(room, rules, "01")
    row = room.row("knows")
    share = row["hidden_passed"] / row["hidden_total"]
    assert share < 1 and row["points"] == pytest.approx(10 * (1 + 3 * share) / 4, abs=0.01)


def test_a_lab_has_its_own_deadline_and_deduction(room):
    file = room.hand_in("late", _01=solution(LAB_01), _04=solution(LAB_04))
    for source in file.iterdir():
        os.utime(source, (1e9, 1e9))
    late = {"deadline": "2001-09-09T01:00:00Z", "percent_per_day": 20, "times": {"late": "2001-09-09T02:00:00Z"}}
    own = {"deadline": "2001-09-08T00:00:00Z", "percent_per_day": 15}
    grade(room, {"late": late, "labs": {"04": {"late": own}}}, "01,04")
    assert [room.row("late", number)["points"] for number in ("01", "04")] == [8, 7]
    assert [room.row("late", number)["late_days"] for number in ("01", "04")] == [1, 2]


def test_a_lab_alone_may_have_a_deadline(room):
    folder = room.hand_in("late", _01=solution(LAB_01), _04=solution(LAB_04))
    for source in folder.iterdir():
        os.utime(source, (1e9, 1e9))
    grade(room, {"labs": {"04": {"late": {"deadline": "2001-09-08T00:00:00Z"}}}}, "01,04")
    assert [room.row("late", number)["points"] for number in ("01", "04")] == [10, 8]


@pytest.mark.parametrize(
    "line, words",
    [
        ('"weights": {"values": 0, "hidden": 0, "gates": 0}', "labs.05.weights are all 0; give one group"),
        ('"weights": {"tests": 1}', "labs.05.weights.tests is unknown; the known keys are gates, hidden"),
        ('"weights": {"gates": -1}', "labs.05.weights.gates must be a number from 0"),
        ('"weights": {"gates": 5}, "gates": "advisory"', "labs.05.weights.gates has no effect"),
        ('"weights": {"gates": 5}, "gate_points": 2', "labs.05.weights.gates and gate_points both give points"),
        ('"weights": {"speed": 5}', 'labs.05.weights.speed needs a rule in "speed"'),
        ('"most_extra": 3', "labs.05.most_extra limits nothing"),
        ('"speed": [{"size": "64x64x64", "extra": 1}]', "labs.05.speed.extra must be true or false"),
        ('"gates": "maybe"', 'labs.05.gates must be "points" or "required" or "advisory"'),
        ('"late": {"percent_per_day": 5}', 'labs.05.late.deadline is missing; write "deadline": "2026-'),
        ('"late": {"deadline": "tomorrow"}', 'labs.05.late.deadline is "tomorrow", which is not a time'),
        ('"late": {"deadline": "2026-11-21T23:59:00Z", "hours": 1}', "labs.05.late.hours is unknown"),
        ('"points": 1}, "05_matmul_naive": {"points": 2', "names 05_matmul_naive again"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_to_write(room, line, words):
    file = room.submissions.parent / "rules.json"
    file.write_text('{"labs": {\n"05": {\n' + line + "\n}}}\n")
    result = room.grade("--policy", file)
    assert result.returncode == 2 and "rules.json:3: " in result.stderr and words in " ".join(result.stderr.split())
    assert not room.out.exists()


def test_the_rules_of_the_template_are_those_that_count(room):
    (room.submissions.parent / "template.json").write_text(room.grade("--policy-template").stdout)
    room.hand_in("right", _05=solution(LAB_05), _07=NAIVE)
    done = room.grade("--labs", "05,07", "--policy", room.submissions.parent / "template.json")
    assert done.returncode == 0, done.stderr
    row = room.row("right", "05")
    assert (row["points"], row["max_points"], row["hidden_total"] > 0, row["gates_count"]) == (20, 20, True, "required")
    assert (row["extra"], row["max_extra"], row["speed"]) == (0, 0, [])  # the simulator measures no speed
    assert room.row("right", "07")["points"] == 5


def test_the_template_names_every_key(room):
    printed = room.grade("--policy-template").stdout
    for key in ("weights", "values", "hidden", "gates", "speed", "extra", "most_extra", "late", "required"):
        assert f'"{key}"' in printed, key
    assert json.loads("\n".join(line.split("//")[0] for line in printed.splitlines()))["gates"] == "points"


def test_a_gate_that_is_a_remark_takes_no_points(room):
    """A kernel beyond a remark's limit is as fast as the solution, so it passes."""
    file = room.hand_in("fast", _15=solution(LAB_15)) / "15_kernel.cu"
    patch = ROOT / "tests/labs/faster" / LAB_15 / "scalar_reads.patch"
    subprocess.run(["patch", "--quiet", file, patch], check=True)
    grade(room, {"labs": {"15": {"points": 10, "gate_points": 6}}}, "15")
    row = room.row("fast", "15")
    assert (row["verdict"], row["points"], row["max_points"]) == ("pass", 16, 16)
    assert row["gates_passed"] == row["gates_total"] > 0
