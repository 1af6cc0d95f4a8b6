"""The style tests fail on a bad file, and are skipped where their tool is missing."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

CHECK = pathlib.Path(__file__).resolve().parent / "check.py"
ROOT = CHECK.parents[2]
BAD = {
    "clang-format": ("common/bad.cpp", "int  main( ) {}\n"),
    "clang-tidy": ("common/bad.cpp", "int BadName() { return 0; }\n"),
    "prose": ("labs/bad.md", "# A kernel\n\nNobody walks.\n"),
    "proselint": ("docs/bad.md", "A warp is very unique.\n"),
    "ruff": ("tests/bad.py", "import os\n"),
    "shellcheck": ("report/bad.sh", '#!/bin/sh\nrm -rf "$1"/*.o $2\n'),
}


@pytest.fixture
def project(tmp_path):
    for name in (".clang-format", ".clang-tidy", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "compile_commands.json").write_text(
        f'[{{"directory": "{tmp_path}", "file": "{tmp_path}/common/bad.cpp", '
        f'"command": "c++ -o CMakeFiles/room.dir/bad.o -c {tmp_path}/common/bad.cpp"}}]'
    )

    def check(tool, **environment):
        command = ["/usr/bin/python3", CHECK, tool, tmp_path, tmp_path / "build"]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})

    (tmp_path / "build").mkdir()
    shutil.move(tmp_path / "compile_commands.json", tmp_path / "build")
    return tmp_path, check


def write_database(folder, *compiled):
    """compile_commands.json, from targets and what they compile."""
    rows = [
        {
            "directory": str(folder),
            "file": str(file),
            "command": f"c++ -std=c++20 -o CMakeFiles/{target}.dir/o -c {file}",
        }
        for target, file in compiled
    ]
    (folder / "build/compile_commands.json").write_text(json.dumps(rows))


@pytest.mark.parametrize("tool", BAD)
def test_a_bad_file_fails(project, tool):
    folder, check = project
    name, text = BAD[tool]
    (folder / name).parent.mkdir()
    (folder / name).write_text(text)
    done = check(tool)
    if done.returncode == 77:
        pytest.skip(done.stdout.split(": ", 1)[1].strip())
    assert done.returncode not in (0, 77) and pathlib.Path(name).name in done.stdout + done.stderr, done.stdout


def test_a_finding_in_one_of_the_files_that_a_unit_joins_fails(project):
    folder, check = project
    (folder / "common/text").mkdir(parents=True)
    (folder / "common/text/good.cpp").write_text("int good() { return 0; }\n")
    (folder / "common/text/bad.cpp").write_text("int BadName() { return 0; }\n")
    (folder / "common/text/unread.cpp").write_text("#include <source_location>\nstd::source_location here;\n")
    unit = folder / "build/Unity/unit.cxx"
    unit.parent.mkdir()
    unit.write_text("".join(f'#include "{folder}/common/text/{name}.cpp"\n' for name in ("good", "unread", "bad")))
    write_database(folder, ("room", unit))
    done = check("clang-tidy")
    if done.returncode == 77:
        pytest.skip(done.stdout.split(": ", 1)[1].strip())
    assert done.returncode not in (0, 77) and "bad.cpp" in done.stdout and "BadName" in done.stdout, done.stdout
    (folder / "common/text/bad.cpp").write_text("int fine() { return 0; }\n")
    assert check("clang-tidy").returncode == 0


@pytest.mark.parametrize("tool", set(BAD) - {"prose"})  # which needs Python alone
def test_a_missing_tool_is_a_skip_with_its_reason(project, tool):
    _, check = project
    done = check(tool, PATH="/nowhere", LAB_STYLE_TOOLS="/nowhere")
    assert done.returncode == 77 and done.stdout == f"SKIPPED: {tool} is not installed\n"


def test_a_target_is_one_unit_and_a_source_is_read_once(project):
    folder, check = project
    (folder / "common/text").mkdir(parents=True)
    for name in ("one", "two", "three"):
        (folder / f"common/text/{name}.cpp").write_text(f"int Bad_{name}() {{ return 0; }}\n")
    one, two, three = (folder / f"common/text/{name}.cpp" for name in ("one", "two", "three"))
    write_database(folder, ("room", one), ("room", two), ("other", one), ("other", three), ("again", two))
    done = check("clang-tidy")
    if done.returncode == 77:
        pytest.skip(done.stdout.split(": ", 1)[1].strip())
    assert "2 units, 2 new or changed" in done.stdout, done.stdout
    for name in ("one", "two", "three"):
        assert done.stdout.count(f"invalid case style for function 'Bad_{name}'") == 1, done.stdout
