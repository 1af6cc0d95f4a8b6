"""Grading single rows again, and comparing two gradings."""
# ctest: slow

import json
import os
import shutil
import sys

import pytest

from conftest import LAB_04, ROOT, SOLUTIONS, classroom, solution, starter

sys.path.insert(0, str(ROOT / "report"))
from data import documents  # noqa: E402

LAB_01 = SOLUTIONS[0].name
WRONG = solution(LAB_01).replace("a[i] + b[i]", "a[i] - b[i]")
assert WRONG != solution(LAB_01)


NO_FRESH_SIZES = {"default": {"fresh_sizes": 0}}  # other tests are about them


@pytest.fixture(scope="module")
def first_grading(class_folder):
    """Two students and two labs, graded once for all tests."""
    room = classroom(class_folder)
    for student in ("ada", "bob"):
        room.hand_in(student, _01=WRONG, _04=solution(LAB_04))
    done = room.grade("--labs", "01,04", *room.policy({**NO_FRESH_SIZES, "seed": 7}))
    assert done.returncode == 0, done.stderr
    room.out.rename(room.out.with_name("old"))
    return room


@pytest.fixture
def again(first_grading):
    """The grading as it was, after which both students have new sources; its copy is in `old`."""
    room = first_grading
    room.out = room.out.with_name("grades")
    room.old = room.out.with_name("compared")
    for copy in (room.out, room.old):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(room.out.with_name("old"), copy)
    for student in ("ada", "bob"):
        room.hand_in(student, _01=solution(LAB_01))
    return room


def lines(room):
    return {(row["student"], row["lab"]): json.dumps(row) for row in room.rows().values()}


def compare(room, old, *more):
    done = room.run("--compare", old, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("choice", ["ada:01", "ada:01_vector_add"])
def test_only_the_chosen_row_is_graded_again(again, choice):
    room, old = again, again.old
    before, log = lines(room), len(room.log())
    done = room.grade("--regrade", choice)
    assert done.returncode == 0, done.stderr
    after = lines(room)
    assert {place for place in before if before[place] != after[place]} == {("ada", LAB_01)}
    assert room.row("ada")["verdict"] == "pass" and room.row("bob")["verdict"] == "wrong_answer"
    assert room.row("ada")["seed"] == 7 and len(room.log()) == log + 1
    assert list(before) == list(after)
    others = [p for p in old.rglob("*") if p.is_file() and "bob" in p.parts]
    assert others and all(p.read_bytes() == (room.out / p.relative_to(old)).read_bytes() for p in others)


def test_a_row_whose_source_is_the_same_is_graded_again_too(again):
    rows = len(again.log())
    assert again.grade("--regrade", "ada:04").returncode == 0
    assert len(again.log()) == rows + 1


def test_several_rows_are_graded_again_with_another_policy(again):
    room = again
    before = lines(room)
    rules = room.policy({"default": {"points": 20, "fresh_sizes": 0}})
    done = room.grade("--regrade", "ada", "--regrade", "bob:04", *rules)
    assert done.returncode == 0, done.stderr
    assert [room.row(s, n)["max_points"] for s in ("ada", "bob") for n in ("01", "04")] == [20, 20, 10, 20]
    assert lines(room)["bob", LAB_01] == before["bob", LAB_01]


@pytest.mark.parametrize(
    "choice, words",
    [
        ("eve", "no student eve; it has ada"),
        ("ada:05", "no row of ada for 05_matmul_naive; it has the labs 01_vector_add"),
        ("", "needs a student, such as ada or ada:05"),
    ],
)
def test_a_row_that_was_never_graded_is_refused(again, choice, words):
    room = again
    before = (room.out / "grades.json").read_bytes()
    done = room.grade("--regrade", choice)
    assert done.returncode == 2 and words in " ".join(done.stderr.split())
    assert (room.out / "grades.json").read_bytes() == before


def test_there_must_be_a_grading(room):
    room.hand_in("ada", _01=WRONG)
    done = room.grade("--regrade", "ada")
    assert done.returncode == 2 and "holds no grading; grade the class first" in " ".join(done.stderr.split())
    assert not room.out.exists()


def test_a_comparison_names_each_difference_and_its_reasons(again):
    room, old = again, again.old
    assert room.grade("--regrade", "ada:01").returncode == 0
    text = compare(room, old)
    assert text.startswith("ada 01_vector_add: 0 -> 10 points, wrong_answer -> pass, ")
    assert "because: another source\n" in text and text.endswith("1 row differs, 3 are equal\n")
    document = json.loads(compare(room, old / "grades.json", "--json"))
    documents.require("comparison", document, "grade_compare")
    (change,) = document["rows"]
    assert change["because"] == ["another source"] and document["equal"] == 3
    assert (change["before"]["points"], change["after"]["points"]) == (0, 10)
    assert change["before"]["diagnosis"] != "none" == change["after"]["diagnosis"]


def test_policy_seed_and_lateness_are_reasons(room):
    room.hand_in("idle", _04=starter(LAB_04))
    assert room.grade("--labs", "04", *room.policy({**NO_FRESH_SIZES, "seed": 7, "gates": "required"})).returncode == 0
    old = room.out
    room.out = room.out.with_name("second")
    rules = {**NO_FRESH_SIZES, "seed": 8, "gates": "advisory", "labs": {"05": {"points": 5}}}
    assert room.grade("--labs", "04", *room.policy(rules)).returncode == 0
    text = compare(room, old)
    assert 'policy: gates: "required" -> "advisory"\n' in text and "policy: labs.05.points: - -> 5\n" in text
    assert "0 -> 10 points, gate -> pass" in text and "because: another policy, another seed\n" in text


def test_a_rule_for_another_lab_or_student_is_no_reason(room):
    file = room.hand_in("ada", _01=solution(LAB_01)) / "01_kernel.cu"
    os.utime(file, (1e9, 1e9))
    late = {"deadline": "2001-09-09T02:00:00Z"}
    assert room.grade("--labs", "01", *room.policy({**NO_FRESH_SIZES, "seed": 7, "late": late})).returncode == 0
    old = room.out
    room.out = room.out.with_name("second")
    late["times"] = {"bob": "2001-09-09T02:00:00Z"}
    rules = {**NO_FRESH_SIZES, "seed": 7, "late": late, "labs": {"05": {"points": 5}}}
    assert room.grade("--labs", "01", *room.policy(rules)).returncode == 0
    assert compare(room, old).endswith("0 rows differ, 1 is equal\n")


def test_rows_of_one_grading_alone_are_named_and_a_regrading_may_be_compared_at_once(again):
    room, old = again, again.old
    document = json.loads((old / "grades.json").read_text())
    document["rows"] = [{**row, "student": "eve" if row["student"] == "bob" else row["student"]}
                        for row in document["rows"]]  # fmt: skip
    (old / "grades.json").write_text(json.dumps(document))
    done = room.grade("--regrade", "ada:01", "--compare", old)
    assert done.returncode == 0, done.stderr
    assert "bob 04_transpose_padded: new; 10 points, pass\n" in done.stdout
    assert "eve 04_transpose_padded: removed; it had 10 points, pass\n" in done.stdout


def test_what_is_no_grading_is_refused(room):
    folder = room.submissions
    for place in (folder, folder / "nowhere"):
        done = room.run("--compare", place)
        assert done.returncode == 2 and "is no grading" in done.stderr
