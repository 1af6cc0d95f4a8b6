"""`lab editor`: clang understands every kernel, and VS Code finds our messages."""

import json
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT, needs_patch
from watching import watching

TASKS = json.loads((ROOT / "common/cli/vscode/tasks.json").read_text())["tasks"]
NAMED = ("check this kernel", "watch")
WRITTEN = sorted(path.name for path in ROOT.glob("common/cli/vscode/*.json"))


def database(lab):
    assert lab.run("editor").returncode == 0
    return json.loads((lab.root / "compile_commands.json").read_text())


def test_every_kernel_has_an_entry(lab):
    files = {row["file"] for row in database(lab)}
    for kernel in lab.root.glob("labs/*/kernel.cu"):
        assert str(kernel) in files
    for kernel in lab.root.glob("solutions/*/kernel.cu"):
        assert str(kernel) in files
    assert any(file.endswith("common/cli/main.cpp") for file in files)


@pytest.mark.skipif(not shutil.which("clang++"), reason="clang is not installed")
def test_clang_understands_starters_and_solutions_without_a_toolkit(lab):
    wanted = [r for r in database(lab) if re.search(r"(labs|solutions)/(0[1-9]|1[0-4])_\w+/kernel\.cu$", r["file"])]
    assert len(wanted) == 28
    for row in wanted:
        result = subprocess.run(row["arguments"], cwd=row["directory"], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr


@pytest.mark.skipif(not shutil.which("clang++"), reason="clang is not installed")
def test_clang_underlines_a_mistake_in_a_kernel(lab):
    kernel = lab.root / "labs/01_vector_add/kernel.cu"
    kernel.write_text(kernel.read_text().replace("// TODO: if element", "std::printf(a); // if element"))
    (row,) = [r for r in database(lab) if r["file"] == str(kernel)]
    result = subprocess.run(row["arguments"], cwd=row["directory"], capture_output=True, text=True)
    assert result.returncode != 0 and re.search(r"kernel\.cu:\d+:\d+: error", result.stderr)


@pytest.mark.skipif(not shutil.which("clangd"), reason="clangd is not installed")
def test_clangd_reads_a_kernel_without_an_error(lab):
    database(lab)
    kernel = lab.root / "solutions/04_transpose_padded/kernel.cu"
    command = ["clangd", f"--check={kernel}", f"--compile-commands-dir={lab.root}"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert not re.search(r"^E\[", result.stderr, re.MULTILINE), result.stderr


def test_the_tasks_are_written_once_and_never_over_ones_own(lab):
    assert lab.run("editor", "--vscode").returncode == 0
    tasks = lab.root / ".vscode/tasks.json"
    assert json.loads(tasks.read_text())["tasks"] == TASKS
    tasks.write_text("{}")
    assert "stays as it is" in lab.run("editor", "--vscode").stdout and tasks.read_text() == "{}"


def test_settings_and_recommended_extensions_are_written_too(lab):
    assert WRITTEN == ["extensions.json", "settings.json", "tasks.json"]
    (lab.root / ".vscode").mkdir()
    (lab.root / ".vscode/settings.json").write_text("{}")
    assert lab.run("editor", "--vscode").returncode == 0
    assert sorted(path.name for path in (lab.root / ".vscode").iterdir()) == WRITTEN
    assert (lab.root / ".vscode/settings.json").read_text() == "{}"
    assert "ms-vscode.cmake-tools" in (lab.root / ".vscode/extensions.json").read_text()


def test_every_task_runs_a_command_that_exists(lab):
    commands = {task["args"][0] for task in TASKS if task["command"] == "./lab"}
    assert {"check", "watch", "profile", "hint", "asm", "pack", "report"} == commands
    for command in commands:
        assert lab.run(command, "--help").returncode == 0, command


def without_background(matchers):
    return [{key: value for key, value in one.items() if key != "background"} for one in matchers]


def test_watch_marks_the_same_lines_and_its_output_starts_and_ends_each_check(lab):
    check, watch = (next(task for task in TASKS if task["label"] == f"lab: {name}") for name in NAMED)
    assert without_background(watch["problemMatcher"]) == check["problemMatcher"] and watch["isBackground"]
    with watching(lab.root, BUILD, "02", terminal=True) as shown:
        lines = re.sub(r"\033\[[0-9;]*[A-Za-z]", "", shown.until("from save to verdict")).split("\n")
    for one in watch["problemMatcher"]:
        begins, ends = (re.compile(one["background"][f"{when}Pattern"]) for when in ("begins", "ends"))
        assert sum(bool(begins.search(line)) for line in lines) == 1, lines
        assert sum(bool(ends.search(line)) for line in lines) == 1 and ends.search(lines[-1]), lines


def test_ctest_has_a_preset_with_the_students_kernels_alone(lab):
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]
    (student,) = (preset for preset in presets if preset["name"] == "student")
    assert student["filter"] == {"include": {"label": "^student$"}}
    listed = subprocess.run(
        ["ctest", "--test-dir", BUILD, "-N", "-L", "^student$"], capture_output=True, text=True
    )
    if "student: " not in listed.stdout:
        pytest.skip("the tests of the labs are not built")
    names = re.findall(r"Test +#\d+: (.*)", listed.stdout)
    assert names and all(re.match(r"student: \d\d_\w+ is solved", name) for name in names)


def marks(text):
    """(file, line) of what the problem matchers of the check task find in a text."""
    found = []
    check = next(t for t in TASKS if "check" in t["label"])
    compiler, judge = check["problemMatcher"]
    lines = text.split("\n")
    first, second = (re.compile(p["regexp"]) for p in judge["pattern"])
    for here, below in zip(lines, lines[1:] + [""], strict=True):
        if m := re.match(compiler["pattern"]["regexp"], here):
            found.append((m[1].rsplit("/", 1)[-1], int(m[2])))
        if first.match(here) and (m := second.match(below)):
            found.append((m[1], int(m[2])))
    return found


@needs_patch
@pytest.mark.parametrize(
    "number, mutant, code",
    [
        ("03", "03_transpose_shared/missing_barrier", "= shared["),
        ("04", "04_transpose_padded/unpadded", "shared[threadIdx.x][j]"),
    ],
)
def test_hazards_and_gates_become_marks_at_the_students_line(lab, number, mutant, code):
    path = lab.mutant(mutant)
    said = lab.run("check", number, "--kernel", str(path), "--backend", "sim").stdout
    places = {i for i, line in enumerate(path.read_text().split("\n"), 1) if code in line or "shared[j]" in line}
    assert any(file == path.name and line in places for file, line in marks(said)), said


def test_a_compiler_error_becomes_a_mark(lab):
    kernel = lab.root / "labs/02_transpose_naive/kernel.cu"
    kernel.write_text("int x = ;\n")
    assert ("kernel.cu", 1) in marks(lab.run("check", "02", "--backend", "sim").stdout)
