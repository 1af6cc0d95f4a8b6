"""The policy file: points, hidden cases, deadlines. A mistake in it is reported before grading."""
# ctest: slow

import json
import os
import subprocess

import pytest

from conftest import BUILD, LAB_04, ROOT, SOLUTIONS, solution, starter

LAB_01 = SOLUTIONS[0].name
SMALL_ONLY = solution(LAB_01).replace("if (i < n) out[i]", "if (i < n && n < 4000) out[i]")
NOT_777 = solution(LAB_01).replace("if (i < n) out[i]", "if (i < n && n != 777) out[i]")
assert SMALL_ONLY != solution(LAB_01) != NOT_777


NO_FRESH_SIZES = {"default": {"fresh_sizes": 0}}  # for tests that are not about them


def grade(room, document, *labs):
    """The default of the policy is NO_FRESH_SIZES, unless the document has one."""
    result = room.grade("--labs", *(labs or ("01",)), *room.policy({**NO_FRESH_SIZES, **document}))
    assert result.returncode == 0, result.stderr


def test_partial_credit_counts_cases_and_can_be_switched_off(room):
    room.hand_in("half", _01=SMALL_ONLY)
    grade(room, {"default": {"points": 20, "fresh_sizes": 0}})
    row = room.row("half")
    right = sum(case["verdict"] == "pass" for case in row["cases"])
    assert 0 < right < len(row["cases"])
    half = 20 / 2  # the other half is for the gates, which a wrong kernel does not pass
    assert row["points"] == pytest.approx(half * right / len(row["cases"]), abs=0.01) and row["max_points"] == 20
    room.out = room.out.with_name("strict")
    grade(room, {"labs": {"01": {"points": 20, "partial": False, "fresh_sizes": 0}}})
    assert room.row("half")["points"] == 0 and room.row("half")["max_points"] == 20


def test_hidden_cases_count_and_their_sizes_and_seeds_are_not_shown(room):
    room.hand_in("knows", _01=NOT_777)
    room.hand_in("right", _01=solution(LAB_01))
    grade(room, {"hidden_seed": 123456789123, "labs": {"01": {"points": 10, "hidden_sizes": ["777", "778"]}}})
    row = room.row("knows")
    assert row["verdict"] == "wrong_answer" and 0 < row["hidden_passed"] < row["hidden_total"]
    share = row["hidden_passed"] / row["hidden_total"]
    assert row["points"] == pytest.approx(2.5 + 2.5 * share, abs=0.01)
    assert room.row("right")["points"] == 10
    for file in (room.out / "students").rglob("*"):
        if file.is_file():
            text = file.read_text()
            assert "777" not in text and "123456789123" not in text, file
            assert "hidden cases passed" in text
            assert str(room.row("right")["seed"]) not in text
    assert (room.out / ".grade/plan.json").stat().st_mode & 0o077 == 0
    assert (room.out / ".grade/log.jsonl").stat().st_mode & 0o077 == 0


def listing():
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)}
    command = [BUILD / "bin/lab", "list", "--json"]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def published_sizes(lab):
    (of_lab,) = (one for one in json.loads(listing())["labs"] if one["lab"] == lab)
    return {int(size) for launcher in of_lab["launchers"] for size in launcher["check_sizes"]}


def test_a_kernel_for_the_published_sizes_alone_fails_at_fresh_ones_that_no_student_sees(room):
    sizes = published_sizes(LAB_01)
    assert len(sizes) > 3
    known = " || ".join(f"n == {n}" for n in sizes)
    table = solution(LAB_01).replace("if (i < n) out[i]", f"if (i < n && ({known})) out[i]")
    assert table != solution(LAB_01)
    room.hand_in("knows", _01=table)
    room.hand_in("right", _01=solution(LAB_01))
    assert room.grade("--labs", "01").returncode == 0
    row, right = room.row("knows"), room.row("right")
    assert row["verdict"] == "wrong_answer" and row["points"] < row["max_points"]
    assert right["points"] == right["max_points"] and right["hidden_passed"] == right["hidden_total"] >= 2
    plan = json.loads((room.out / ".grade/plan.json").read_text())
    drawn = plan["fresh_sizes"][LAB_01]
    assert len(drawn) == 2 and not sizes & {int(n) for n in drawn}
    assert any(drawn[0] in failure and str(plan["hidden_seed"]) in failure for failure in row["hidden_failures"])
    for file in (room.out / "students").rglob("*"):
        if file.is_file():
            assert not any(failure in file.read_text() for failure in row["hidden_failures"]), file
            assert str(plan["hidden_seed"]) not in file.read_text(), file


def test_fresh_sizes_are_drawn_from_the_hidden_seed_and_can_be_switched_off(room):
    room.hand_in("ada", _01="#error unfinished")
    drawn = []
    for i, seed in enumerate((5, 5, 6)):
        room.out = room.out.with_name(f"run{i}")
        grade(room, {"hidden_seed": seed, "labs": {"01": {"fresh_sizes": 3}}})
        drawn.append(json.loads((room.out / ".grade/plan.json").read_text())["fresh_sizes"][LAB_01])
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == 3
    room.hand_in("ada", _01=solution(LAB_01))
    room.out = room.out.with_name("none")
    grade(room, {"default": {"fresh_sizes": 0}})
    assert room.row("ada")["verdict"] == "pass" and room.row("ada")["hidden_total"] == 0


RACY_LINES = "\n".join(f"  shared[{i}] = threadIdx.x;" for i in range(40))
RACY_LINES += "\n  int sum = 0;\n  for (int k = 0; k < 40; ++k) sum += shared[k];\n  if (sum < 0) return;"


def test_many_hazards_are_one_failed_case(room):
    text = solution(LAB_01).replace(
        "  const int i =", f"  __shared__ int shared[64];\n{RACY_LINES}\n  const int i =", 1
    )
    assert text != solution(LAB_01)
    room.hand_in("racy", _01=text)
    grade(room, {"gates": "points"})
    row = room.row("racy")
    failed = [case for case in row["cases"] if case["verdict"] != "pass"]
    assert row["verdict"] == "race" and 1 <= len(failed) <= 2, [case["name"] for case in failed]
    assert row["points"] == row["max_points"] / 2  # the half for gates is lost, that for values is not


def test_a_late_submission_loses_the_policys_percentage(room):
    for student in ("early", "late", "excused"):
        file = room.hand_in(student, _01=solution(LAB_01)) / "01_kernel.cu"
        os.utime(file, (1e9, 1e9 + (student != "early") * 1.5e5))
    late = {"deadline": "2001-09-09T01:46:40Z", "percent_per_day": 15, "times": {"excused": "2001-09-09T01:00:00Z"}}
    grade(room, {"late": late})
    assert [room.row(s)["points"] for s in ("early", "late", "excused")] == [10, 7, 10]
    assert room.row("late")["late_days"] == 2 and room.row("late")["penalty"] == 30
    assert "30% less" in (room.out / "students/late/index.html").read_text()


def test_only_chosen_labs_have_rows(room):
    room.hand_in("ada", _01=solution(LAB_01), _04="#error unfinished")
    grade(room, {}, "04")
    assert [lab for _, lab in room.rows()] == [LAB_04]


@pytest.mark.parametrize("labs", [("1", "4"), ("01,04",)])
def test_labs_are_separated_by_blanks_or_commas(room, labs):
    room.hand_in("ada", _01="#error unfinished", _02="#error not chosen", _04="#error unfinished")
    grade(room, {}, *labs)
    assert sorted(lab for _, lab in room.rows()) == [LAB_01, LAB_04]


def test_a_lab_that_is_named_twice_is_graded_once_with_a_warning(room):
    room.hand_in("ada", _01="#error unfinished")
    result = room.grade("--labs", "01,01", *room.policy(NO_FRESH_SIZES))
    assert f"--labs names {LAB_01} twice; it is graded once" in " ".join(result.stderr.split())
    assert len(room.table()) == 1


@pytest.mark.parametrize(
    "document, words",
    [
        ([], "the document must be an object"),
        ({"lab": {}}, "lab is unknown; the known keys are"),
        ({"labs": {"99": {}}}, "99"),
        ({"labs": {"01": {"points": "ten"}}}, "labs.01.points must be a number"),
        ({"labs": {"01": {"points": -1}}}, "labs.01.points must be a number from 0"),
        ({"labs": {"01": {"hidden_sizes": ["7x7"]}}}, "does not fit the lab: 7x7"),
        ({"default": {"fresh_sizes": -1}}, "fresh_sizes must be a number from 0"),
        ({"labs": {"01": {"hidden_sizes": [7]}}}, "hidden_sizes must hold sizes"),
        ({"labs": {"01": {"speed": [{"size": "7", "zero_at": 1, "full_at": 0.5}]}}}, "full_at must be larger"),
        ({"late": {"deadline": "tomorrow"}}, 'late.deadline is "tomorrow", which is not a time'),
        ({"late": {}}, "late.deadline is missing"),
        ({"default": {"hidden_sizes": ["7x7x7x7x7x7"]}}, "default.hidden_sizes has a size that fits no lab"),
        ({"labs": {"09": {"hidden_sizes": ["2x8"]}}}, "2x8: a filter of 8 does not fit into 2"),
        ({"labs": {"09": {"speed": [{"size": "8x9x9x2x1"}]}}}, "a filter of 9 x 2 does not fit into 8 x 9"),
        ({"labs": {"01": {"speed": [{"size": "7x7"}]}}}, "labs.01.speed has a size that does not fit the lab: 7x7"),
        ({"labs": {"01": {"speed": [{"size": "7", "launcher": "add"}]}}}, "its launchers are vector_add"),
        ({"gates": "maybe"}, "gates must be"),
        ({"clock": "sundial"}, "clock must be"),
        ({"hidden_seed": -3}, "hidden_seed must be a whole number"),
    ],
)
def test_a_wrong_policy_is_reported_before_grading(room, document, words):
    room.hand_in("ada", _01=solution(LAB_01))
    result = room.grade(*room.policy(document))
    assert result.returncode == 2 and words in " ".join(result.stderr.split())
    assert not room.out.exists()


def test_a_policy_that_is_not_json_is_reported_with_its_column(room):
    file = room.submissions.parent / "broken.json"
    file.write_text('{"labs": {')
    result = room.grade("--policy", file)
    assert result.returncode == 2 and "broken.json" in result.stderr and "column" in result.stderr


def test_all_mistakes_of_a_policy_are_named_with_their_lines(room):
    file = room.submissions.parent / "rules.json"
    lines = ["{", '// a comment with "gates": 7', '"gates": "maybe",', '"labs": {"01": {', '"points": "ten"}}', "}"]
    file.write_text("\n".join(lines))
    result = room.grade("--policy", file)
    assert result.returncode == 2
    assert "rules.json:3: gates must be" in result.stderr and "rules.json:5: labs.01.points must be" in result.stderr


def test_speed_and_hidden_sizes_that_fit_no_lab_are_named_with_line_and_remedy(room):
    file = room.submissions.parent / "rules.json"
    lines = ["{", '"default": {', '"hidden_sizes": ["7x7x7x7x7x7"],', '"speed": [{"size": "7x7x7x7x7x7"}]},']
    lines += ['"labs": {"01": {', '"speed": [', '{"size": "7", "launcher": "add"}]}}}']
    file.write_text("\n".join(lines))
    result = room.grade("--policy", file)
    said = " ".join(result.stderr.split())
    assert result.returncode == 2 and not room.out.exists()
    for words in ("rules.json:3: default.hidden_sizes", "rules.json:4: default.speed", "rules.json:6: labs.01.speed"):
        assert words in said
    assert said.count("./lab list") == 2 and "its launchers are vector_add" in said


@pytest.fixture
def one_core():
    """However many the machine has: more are fast enough for every size that fits into memory."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_cores)})
    yield
    os.sched_setaffinity(0, all_cores)


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize(
    "lines, words",
    [
        (
            ['{"case_seconds": 0.1, "labs": {"05": {', '"hidden_sizes": ["1200x1200x1199"]}}}'],
            "rules.json:2: labs.05.hidden_sizes has a size at which the solution of 05_matmul_naive gets timeout",
        ),
        (
            ['{"case_seconds": 0.1, "default": {', '"hidden_sizes": ["1200x1200x1199"]}}'],
            "rules.json:2: default.hidden_sizes has a size at which the solution of 05_matmul_naive gets timeout",
        ),
        (['{"labs": {"01": {', '"hidden_sizes": ["2000000000"]}}}'], "rules.json:2: labs.01.hidden_sizes"),
        (['{"labs": {"04": {', '"speed": [{"size": "50000x50000"}]}}}'], "rules.json:2: labs.04.speed"),
    ],
)
def test_a_size_that_no_kernel_can_pass_is_refused_with_line_and_remedy(room, lines, words):
    room.hand_in("ada", _01=solution(LAB_01))
    file = room.submissions.parent / "rules.json"
    file.write_text("\n".join(lines))
    result = room.grade("--labs", "05", "--policy", file)
    said = " ".join(result.stderr.split())
    assert result.returncode == 2 and words in said and "write a smaller size" in said, said
    assert not room.out.exists()


def test_sizes_for_all_labs_count_where_they_fit(room):
    room.hand_in("right", _01=solution(LAB_01), _04=solution(LAB_04))
    grade(room, {"default": {"hidden_sizes": ["777"], "fresh_sizes": 0}}, "01,04")
    assert room.row("right", "01")["hidden_total"] > 0 and room.row("right", "04")["hidden_total"] == 0
    assert room.row("right", "01")["verdict"] == room.row("right", "04")["verdict"] == "pass"


def test_the_template_is_a_policy(room):
    printed = room.grade("--policy-template")
    assert printed.returncode == 0
    (room.submissions.parent / "template.json").write_text(printed.stdout)
    room.hand_in("ada", _01=solution(LAB_01))
    result = room.grade("--labs", "01", "--policy", room.submissions.parent / "template.json")
    assert result.returncode == 0 and room.row("ada")["points"] == 10
    assert result.stdout.startswith("1 row, sandbox level "), result.stdout


@pytest.mark.parametrize("wanted, code", [((), 0), (("--fail-on", "failure"), 1), (("--fail-on", "points"), 1)])
def test_the_exit_code_says_on_request_that_somebody_failed(room, wanted, code):
    room.hand_in("ada", _01=solution(LAB_01))
    room.hand_in("bob", _01="#error unfinished")
    assert room.grade("--labs", "01", *room.policy(NO_FRESH_SIZES), *wanted).returncode == code


def test_full_points_are_no_failure_and_a_late_submission_misses_points(room):
    file = room.hand_in("ada", _01=solution(LAB_01)) / "01_kernel.cu"
    full = room.policy(NO_FRESH_SIZES)
    assert room.grade("--labs", "01", "--fail-on", "points", *full).returncode == 0
    os.utime(file, (2e9, 2e9))
    late = room.policy({**NO_FRESH_SIZES, "late": {"deadline": "2001-09-09T01:46:40Z"}})
    for words, code in (("failure", 0), ("points", 1)):
        room.out = room.out.with_name(words)
        assert room.grade("--labs", "01", "--fail-on", words, *late).returncode == code


def test_gates_that_fail_take_their_share_of_the_points_for_gates_only(room):
    room.hand_in("naive", _04=starter(LAB_04))
    room.hand_in("right", _04=solution(LAB_04))
    grade(room, {"gates": "points", "labs": {"04": {"points": 10, "gate_points": 6}}}, "04")
    row = room.row("naive", "04")
    assert row["verdict"] == "gate" and 0 < row["gates_passed"] < row["gates_total"]
    assert row["points"] == pytest.approx(10 + 6 * row["gates_passed"] / row["gates_total"], abs=0.01)
    assert room.row("right", "04")["points"] == row["max_points"] == 16


@pytest.mark.parametrize("number", ["05", "10", "11"])
def test_an_untouched_starter_earns_nothing(room, number):
    lab = next(folder.name for folder in SOLUTIONS if folder.name.startswith(number))
    room.hand_in("idle", **{f"_{number}": starter(lab)})
    room.hand_in("right", **{f"_{number}": solution(lab)})
    grade(room, {}, number)
    assert room.row("idle", number)["points"] == 0 and room.row("right", number)["points"] == 10
    passed = [case for case in room.row("idle", number)["cases"] if case["verdict"] == "pass"]
    assert all(case["free"] for case in passed)


def test_equal_kernels_earn_equal_points_from_the_same_inputs(room):
    wrong = solution(LAB_01).replace("a[i] + b[i]", "a[i] + (b[i] > 0.5f ? b[i] : 0.0f)")
    room.hand_in("ada", _01=wrong)
    room.hand_in("bob", _01=wrong + "// mine")
    grade(room, {"seed": 7})
    first = (room.row("ada")["points"], room.row("bob")["points"])
    assert first[0] == first[1] and room.row("ada")["seed"] == room.row("bob")["seed"] == 7


def test_the_grace_and_the_most_that_lateness_costs(room):
    for student, seconds in (("grace", 500), ("days", 40 * 86400)):
        os.utime(room.hand_in(student, _01=solution(LAB_01)) / "01_kernel.cu", (1e9, 1e9 + seconds))
    late = {"deadline": "2001-09-09T01:46:40Z", "grace_minutes": 10, "percent_per_day": 5, "most_percent": 40}
    grade(room, {"late": late})
    assert [room.row(student)["points"] for student in ("grace", "days")] == [10, 6]


def test_absent_students_have_rows_and_the_gradebook_has_the_rosters_form(room):
    room.hand_in("alee", _01=solution(LAB_01))
    roster = room.submissions.parent / "roster.csv"
    roster.write_text('Student,ID,SIS Login ID\n    Points Possible,,\n"Lee, Ann",1,alee\n"King, Ada",2,aking\n')
    result = room.grade("--labs", "01", *room.policy(NO_FRESH_SIZES), "--roster", roster)
    assert result.returncode == 0, result.stderr
    assert room.row("King, Ada")["verdict"] == "collect_error" and "nothing was" in room.row("King, Ada")["message"]
    book = (room.out / "gradebook.csv").read_text().splitlines()
    assert book[0] == f"Student,ID,SIS Login ID,{LAB_01}" and book[1:] == [
        "    Points Possible,,,10",
        '"Lee, Ann",1,alee,10',
        '"King, Ada",2,aking,0',
    ]
    wrong = room.grade("--labs", "01", "--roster", "nowhere.csv")
    assert wrong.returncode == 2 and "nowhere.csv does not exist" in wrong.stderr
