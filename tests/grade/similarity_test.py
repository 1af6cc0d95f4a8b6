"""Pairs of kernels with much code in common beyond their starter."""
# ctest: slow

import csv
import re
import shutil

import pytest

from conftest import SOLUTIONS, solution, starter

LAB_07, LAB_11, LAB_15 = (SOLUTIONS[i].name for i in (6, 10, 14))

if not shutil.which("sim_c++"):
    pytest.skip("similarity-tester is not installed", allow_module_level=True)


def renamed(text):
    """Other names, layout and comments."""
    own = set(re.findall(r"(?:int|float|float4|auto)\*?\s+([a-z_]\w*)\b(?!\s*\()", text))
    assert len(own) > 3, own
    for name in own:
        text = re.sub(rf"\b{name}\b", f"my_{name}_value", text)
    text = re.sub(r"//.*", "", text)
    return "// all my own work\n" + text.replace("{", "\n{\n").replace("  ", "\t")


def similar(room, labs, *more):
    done = room.grade("--labs", labs, "--similarity", "60", *more)
    assert done.returncode == 0, done.stderr
    with open(room.out / "similarity.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file)), done.stdout


def test_a_copy_with_other_names_is_found_and_starters_are_not(room):
    text = solution(LAB_15)
    room.hand_in("ada", _15=text)
    room.hand_in("bob", _15=renamed(text))
    room.hand_in("idle", _15=starter(LAB_15))
    room.hand_in("idler", _15=starter(LAB_15) + "\n// nothing\n")
    pairs, printed = similar(room, "15")
    assert [(p["lab"], {p["student"], p["other"]}) for p in pairs] == [(LAB_15, {"ada", "bob"})]
    assert int(pairs[0]["percent"]) >= 90 and int(pairs[0]["tokens"]) >= 60
    assert "1 similar pair of 2 kernels; 2 have fewer than 60 tokens of own code" in printed


def test_many_pairs_do_not_fill_the_terminal(room):
    for i in range(8):
        room.hand_in(f"student{i}", _15=solution(LAB_15))
    pairs, printed = similar(room, "15")
    assert len(pairs) == 28 and printed.count(" tokens of own code\n") == 20
    assert "28 similar pairs of 8 kernels" in printed and "8 more pairs are in the file" in " ".join(printed.split())


def test_kernels_for_different_labs_and_different_kernels_are_no_pair(room):
    room.hand_in("ada", _11=solution(LAB_11), _15=solution(LAB_15))
    other = SOLUTIONS[10].parent / LAB_15 / "encore.cu"
    room.hand_in("bob", _15=other.read_text())
    pairs, _ = similar(room, "11,15")
    assert pairs == []


def test_little_own_code_is_not_compared(room):
    for student in ("ada", "bob"):
        room.hand_in(student, _07=solution(LAB_07))
    pairs, printed = similar(room, "07")
    assert pairs == [] and "of 0 kernels; 2 have fewer than 60" in printed


def test_a_finished_grading_can_be_searched_and_names_are_harmless(room):
    for student in ("=ada()", "bob;rm -rf"):
        room.hand_in(student, _15=solution(LAB_15))
    assert room.grade("--labs", "15").returncode == 0
    done = room.run("--similarity", "80")
    assert done.returncode == 0, done.stderr
    text = (room.out / "similarity.csv").read_text()
    assert text.count("\n") == 2 and "\n=" not in text and ",=" not in text and '"=' not in text
    assert (room.out / "similarity.csv").stat().st_mode & 0o077 == 0


def test_a_missing_program_is_named_before_anything_is_graded(room):
    room.hand_in("ada", _15=solution(LAB_15))
    done = room.grade("--labs", "15", "--similarity", "60", PATH="/nowhere")
    assert done.returncode == 3 and "install the package similarity-tester" in " ".join(done.stderr.split())
    assert not room.out.exists()


@pytest.mark.parametrize("percent", ["0", "101", "much"])
def test_a_share_is_a_percentage(room, percent):
    assert room.run("--similarity", percent).returncode == 2
