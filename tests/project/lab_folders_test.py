"""What every lab promises: two folders that mirror each other, and a starter that is its solution with gaps."""

import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
NAMES = sorted(p.name for p in ROOT.glob("labs/[0-9][0-9]_*"))
LAB_FILES = {"README.md", "hints.md", "kernel.cu", "lab.cpp", "lab.hpp"}
LAB_MAY_HAVE = {"published.json", "data", "app", "figures"}
SOLUTION_FILES = {"README.md", "kernel.cu", "starter.cu"}
SOLUTION_MAY_HAVE = {"goals.json", "encore.cu", "equivalent_mutants.txt", "peers"}

REPLACES = re.compile(r"TODO.* in place of the (line|two lines|three lines) below")
REPLACED = {"line": 2, "two lines": 3, "three lines": 4}  # with the TODO's own line

COURSE = 17  # labs of the course itself; a lab of one's own may do without a figure

every_lab = pytest.mark.parametrize("name", NAMES)


def text(*parts):
    return (ROOT.joinpath(*parts)).read_text()


def files(folder):
    return {p.name for p in (ROOT / folder).iterdir()}


def headers_of_encore(name):
    """The headers that a lab's encore includes, or one of these, from its own folder."""
    folder, found = ROOT / "solutions" / name, set()
    rest = [folder / "encore.cu"]
    while rest:
        source = rest.pop()
        included = set(re.findall(r'#include "(\w+\.hpp)"', source.read_text())) if source.exists() else set()
        new = {header for header in included - found if (folder / header).exists()}
        found |= new
        rest += [folder / header for header in new]
    return found


def gaps_removed(source):
    """The lines of a starter that its solution must have, in order: all but TODOs and the lines that they replace."""
    kept, replaced = [], 0
    for line in source.splitlines():
        replaced = REPLACED[match[1]] if (match := REPLACES.search(line)) else max(0, replaced - 1)
        if not replaced and "TODO" not in line and line.strip():
            kept.append(line)
    return kept


def test_a_todo_may_replace_the_lines_below_it():
    source = "a\n// TODO: put a call in place of the two lines below.\nb\nc\nd\n"
    assert gaps_removed(source) == ["a", "d"]


def test_there_are_labs():
    assert len(NAMES) >= 4


def test_numbers_are_used_once():
    numbers = [name[:2] for name in NAMES]
    assert len(set(numbers)) == len(numbers)


def test_every_solution_has_a_lab():
    assert sorted(p.name for p in ROOT.glob("solutions/*")) == NAMES


@every_lab
def test_the_folders_hold_what_they_must(name):
    assert files(f"labs/{name}") - LAB_MAY_HAVE == LAB_FILES
    assert files(f"solutions/{name}") - SOLUTION_MAY_HAVE - headers_of_encore(name) == SOLUTION_FILES


def parts_of(name):
    """How many checks a lab has: one for each stage, or one for the whole lab."""
    said = subprocess.run([BUILD / "bin/lab", "list", "--json"], capture_output=True, check=True).stdout
    (lab,) = [row for row in json.loads(said)["labs"] if row["lab"] == name]
    return max(1, len(lab["stages"]))


@every_lab
def test_the_starter_has_one_to_three_gaps_for_each_stage_and_the_solution_none(name):
    parts = parts_of(name)
    assert parts <= text("solutions", name, "starter.cu").count("TODO") <= 3 * parts
    assert "TODO" not in text("solutions", name, "kernel.cu")


@every_lab
def test_the_solution_is_the_starter_with_its_gaps_filled(name):
    wanted = gaps_removed(text("solutions", name, "starter.cu"))
    solution = [line for line in text("solutions", name, "kernel.cu").splitlines() if line.strip()]
    kept = sum(block.size for block in difflib.SequenceMatcher(None, wanted, solution, False).get_matching_blocks())
    missing = [line for line in wanted if line not in solution]
    assert kept == len(wanted), f"not in the solution, or not in this order: {missing}"


def git(*arguments):
    if not shutil.which("git"):
        return ""
    result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else ""


@every_lab
def test_the_pristine_starter_is_the_one_that_was_shipped(name):
    # A student may have committed a solved kernel; what was shipped is what lay beside the pristine copy's last commit.
    shipped = git("log", "-1", "--format=%H", "--", f"solutions/{name}/starter.cu").strip()
    kernel = git("show", f"{shipped}:labs/{name}/kernel.cu") if shipped else ""
    if not kernel:
        pytest.skip("not in a git checkout, so what was shipped cannot be told from a student's edit")
    assert text("solutions", name, "starter.cu") == kernel


@every_lab
def test_there_are_three_hints_or_more_in_order(name):
    numbers = re.findall(r"^## (\d)\. .+$", text("labs", name, "hints.md"), re.MULTILINE)
    assert len(numbers) >= 3 and numbers == [str(i + 1) for i in range(len(numbers))]


@every_lab
def test_hints_name_only_diagnoses_that_the_judge_makes(name):
    said = subprocess.run([BUILD / "bin/lab", "explain", "--json"], capture_output=True, check=True).stdout
    known = {row["word"] for row in json.loads(said)["explanations"]}
    named = re.findall(r"<!-- (.+?) -->", text("labs", name, "hints.md"))
    launchers = {group.partition(":")[0].strip() for group in named if ":" in group}
    assert launchers <= set(re.findall(r"\bvoid (\w+)\(", text("labs", name, "lab.hpp")))
    words = {word.strip() for group in named for word in group.rpartition(":")[2].split(",")} - {""}
    assert len(known) > 10 and words <= known, words - known


@every_lab
def test_a_hint_of_a_stage_names_a_launcher_of_it(name):
    """Otherwise it belongs to all stages, and `lab hint NN.1` prints the solution of stage 2."""
    titles = re.findall(r"^## \d\. .*\b[Ss]tage \d.*$", text("labs", name, "hints.md"), re.MULTILINE)
    assert [title for title in titles if not re.search(r"<!-- \w+:", title)] == []


@every_lab
def test_a_hint_answers_each_cause_that_the_judge_names_for_a_mutant(name):
    named = re.findall(r"^## .*<!-- (.+?) -->", text("labs", name, "hints.md"), re.MULTILINE)
    answered = {word.strip() for group in named for word in group.rpartition(":")[2].split(",")}
    for patch in (ROOT / "tests/mutants" / name).glob("*.patch"):
        for words in re.findall(r"^diagnosis: (.+)$", patch.read_text(), re.MULTILINE):
            unanswered = set(words.split(", ")) - answered - {"none", "scattered", "wrong_everywhere"}
            assert not unanswered, f"{patch.name}: no hint of lab {name[:2]} lists {unanswered}"


@every_lab
def test_the_lesson_has_its_parts(name):
    lesson = text("labs", name, "README.md")
    assert lesson.startswith(f"# {name[:2]} · ")
    for heading in ("## What is new", "## What to write", "## What to expect, and why", "## A question"):
        assert heading in lesson
    assert f"./lab check {name[:2]}" in lesson and f"./lab hint {name[:2]}" in lesson
    assert "**The answer.**" in text("solutions", name, "README.md")


def without_comments(lesson):
    return re.sub(r"<!--.*?-->", "", lesson, flags=re.DOTALL)


@every_lab
def test_a_lesson_begins_with_two_sentences_and_a_figure(name):
    before, _, _ = without_comments(text("labs", name, "README.md")).partition("## ")
    why, picture, _ = before.partition("![")
    assert picture or not (ROOT / "labs" / name / "figures").exists() and int(name[:2]) > COURSE
    why = why.split("\n\n", 1)[1]
    assert len(re.findall(r"[.?!][*_)]*(?=\s)", why)) == 2, why


@every_lab
def test_a_lesson_has_its_parts_in_order(name):
    headings = re.findall(r"^## (.+)$", text("labs", name, "README.md"), re.MULTILINE)
    order = ["What is new", "What to write", "Run it", "What to expect, and why", "A question", "Where to read on"]
    assert [heading for heading in order if heading in headings] == headings
    assert set(order) - set(headings) <= {"Run it"}


@every_lab
def test_a_lesson_says_what_each_command_shows(name):
    lesson = without_comments(text("labs", name, "README.md"))
    commands = ["predict", "check", "profile", "bench"]
    if '.backends = {"cuda"}' in text("labs", name, "lab.cpp"):
        commands = ["check", "bench"]  # the others count on the simulator
    for command in commands:
        assert f"    ./lab {command} {name[:2]}" in lesson, command
        assert f"`{command}`" in lesson or f"**{command}**" in lesson, f"no sentence says what {command} shows"


@every_lab
def test_there_are_five_mutants_and_each_names_its_mistake_in_a_sentence(name):
    patches = sorted((ROOT / "tests/mutants" / name).iterdir())
    assert len(patches) >= 5 and {p.suffix for p in patches} == {".patch"}
    for patch in patches:
        assert re.search(r"^mistake: [A-Z].+\.\n\n--- ", patch.read_text(), re.MULTILINE), patch.name


def test_forty_mistakes_of_beginners_have_the_words_of_their_cause():
    """Labs without a simulator have none, because their messages need a GPU."""
    marked = {name: 0 for name in NAMES if "backends" not in text("labs", name, "lab.cpp")}
    for name in marked:
        patches = (ROOT / "tests/mutants" / name).glob("*.patch")
        marked[name] = sum("\nbeginner: " in patch.read_text() for patch in patches)
    assert all(marked.values()) and sum(marked.values()) >= 40, marked


def code(source):
    return [line for line in source.splitlines() if not line.strip().startswith("//")]


@every_lab
@pytest.mark.skipif(not shutil.which("patch"), reason="the program patch is not installed")
def test_mutants_apply_to_the_solution_and_change_its_code(name, tmp_path):
    solution = ROOT / "solutions" / name / "kernel.cu"
    for patch in (ROOT / "tests/mutants" / name).glob("*.patch"):
        made = tmp_path / f"{patch.stem}.cu"
        command = ["patch", "--unified", "--force", "--fuzz=0", "--reject-file=-", "--output", made, solution, patch]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, f"{patch.name}: {result.stdout}{result.stderr}"
        assert code(made.read_text()) != code(solution.read_text()), patch.name


def replaced_lines(patch):
    """Of each hunk the lines that it needs to find in the solution."""
    hunks = re.split(r"^@@ .*\n", patch, flags=re.MULTILINE)[1:]
    return ["".join(line[1:] for line in hunk.splitlines(keepends=True) if line[0] != "+") for hunk in hunks]


@every_lab
def test_each_hunk_of_a_mutant_fits_one_place_of_the_solution(name):
    # Else a change of the solution could make it apply to another place.
    solution = "\n" + text("solutions", name, "kernel.cu")
    for patch in (ROOT / "tests/mutants" / name).glob("*.patch"):
        for lines in replaced_lines(patch.read_text()):
            assert solution.count("\n" + lines) == 1, f"{patch.name}: make it with more context, diff -U2\n{lines}"


def changed_lines(patch):
    """Of each group of changed lines those of the solution and those of the mutant."""
    groups = re.findall(
        r"^((?:-.*\n)*)((?:\+.*\n?)*)", re.sub(r"^(?:---|\+\+\+) .*\n", "", patch, flags=re.MULTILINE), re.MULTILINE
    )
    return [[[line[1:] for line in side.splitlines()] for side in group] for group in groups if any(group)]


def without_layout(lines):
    return re.sub(r"\s|//", "", "".join(line for line in lines if "// hazard:" not in line))


def test_groups_of_changed_lines_are_compared_without_their_layout():
    patch = (
        "--- solution\n+++ mutant\n@@ -1,4 +1,5 @@\n-if (a) b = *c;  // why\n+if (a)\n+  b =*c; // why\n d\n-e\n+f\n"
    )
    (before, after), others = changed_lines(patch)
    assert without_layout(before) == without_layout(after)
    assert others == [["e"], ["f"]]


@every_lab
def test_a_mutant_does_not_also_reformat_the_solution(name):
    for patch in sorted((ROOT / "tests/mutants" / name).glob("*.patch")):
        for before, after in changed_lines(patch.read_text()):
            only_markers = not without_layout(before + after)
            assert only_markers or without_layout(before) != without_layout(after), f"{patch.name}: {before}"
