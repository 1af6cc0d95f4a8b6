"""How a suite is built: with a compiler that writes down its arguments, since the suites themselves are not here."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import programs

TOOL = pathlib.Path(__file__).resolve().parent / "build_suite.py"


@pytest.fixture
def suite(tmp_path):
    """Builds a suite of one program. Returns the arguments of its compilation and what the tool prints."""
    toolkit, program = tmp_path / "toolkit", tmp_path / "programs" / "one"
    (toolkit / "bin").mkdir(parents=True)
    program.mkdir(parents=True)
    (program / "one.cu").write_text("int main() {}\n")
    compiler = toolkit / "bin" / "nvcc"
    compiler.write_text(f'#!/bin/sh\necho $LABCC_FLAGS "$@" >>{tmp_path}/arguments\n')
    compiler.chmod(0o755)
    (toolkit / "env.sh").write_text(f"export PATH='{toolkit}/bin':$PATH CUDA_PATH='{toolkit}' CPLUS_INCLUDE_PATH=''\n")

    def run(*options, flags=None):
        variables = {name: value for name, value in os.environ.items() if name != "LABCC_FLAGS"}
        if flags:
            variables["LABCC_FLAGS"] = flags
        command = ["/usr/bin/python3", TOOL, toolkit, tmp_path / "programs", *options]
        done = subprocess.run(command, capture_output=True, text=True, env=variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return (tmp_path / "arguments").read_text().splitlines()[-1], done.stdout

    return run


def test_flags_reach_every_compilation(suite):
    arguments, table = suite("--flags=-DSIZE=64 -O2")
    assert arguments.startswith("-DSIZE=64 -O2 -I.")
    assert "1 builds" in table


def test_flags_stand_beside_those_of_a_trace_and_of_the_environment(suite):
    assert suite("--flags=-DSIZE=64", "--traced", flags="-w")[0].startswith("--trace -DSIZE=64 -w -I.")
    assert suite()[0].startswith("-I.")


def context_of(folder, prints=None, environments=None):
    return programs.Context(
        working=folder,
        include=[],
        libraries=[],
        variables=dict(os.environ),
        seconds=600,
        prefix=[],
        traced=False,
        arguments={},
        needs_arguments=False,
        prints=prints or {},
        hazards={},
        original=folder / "elsewhere",
        environments=environments or {},
    )


def test_a_library_that_a_module_loads_is_no_program(tmp_path):
    for name in ("one", "one.fatbin", "one.cubin", "libone.so"):
        (tmp_path / name).write_bytes(b"\x7fELF")
        (tmp_path / name).chmod(0o755)
    assert programs.executables(tmp_path, context_of(tmp_path)) == [tmp_path / "one"]


def test_a_program_runs_with_the_variables_that_the_description_gives_it(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text("#!/bin/sh\necho devices $LAB_SIM_DEVICES\n")
        (tmp_path / name).chmod(0o755)
    context = context_of(
        tmp_path,
        prints={"one": "^devices 2$", "two": "^devices$"},
        environments={"one": {"LAB_SIM_DEVICES": "2"}},
    )
    built = programs.Built(tmp_path, "builds", "", [tmp_path / "one", tmp_path / "two"], 0)
    assert programs.run(built, context, True)[:2] == ("passes", "")


def test_a_program_that_needs_more_processor_time_than_the_prefix_allows_is_too_slow(tmp_path):
    (tmp_path / "one").write_text("#!/bin/sh\nkill -XCPU $$\n")
    (tmp_path / "one").chmod(0o755)
    built = programs.Built(tmp_path, "builds", "", [tmp_path / "one"], 0)
    assert programs.run(built, context_of(tmp_path), True)[0] == "too slow"
