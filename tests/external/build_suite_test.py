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


def test_a_description_makes_the_inputs_of_a_program_and_checks_its_output(tmp_path):
    (tmp_path / "one").write_text("#!/bin/sh\nread number <input\necho twice $((number * 2))\n")
    (tmp_path / "one").chmod(0o755)
    built = programs.Built(tmp_path, "builds", "", [tmp_path / "one"], 0)
    context = context_of(tmp_path)
    context.prepare, context.check = {"one": "echo 4 >input"}, {"one": "grep -qx 'twice 8' || { echo wrong; exit 1; }"}
    assert programs.run(built, context, True)[:2] == ("passes", "")
    context.check = {"one": "grep -qx 'twice 9' || { echo wrong; exit 1; }"}
    assert programs.run(built, context, True)[:2] == ("fails", "one: wrong")
    context.prepare = {"one": "echo no room; exit 1"}
    assert programs.run(built, context, True)[:2] == ("fails", "one: its inputs: no room")


DATA = pathlib.Path(__file__).parent / "rodinia_data.py"


def checked(name, folder, printed=""):
    return subprocess.run([DATA, "check", name], cwd=folder, input=printed, text=True, capture_output=True).returncode


def test_distances_in_a_graph_are_right_only_if_all_are(tmp_path):
    subprocess.run([DATA, "make", "bfs"], cwd=tmp_path, check=True)
    numbers = [int(each) for each in (tmp_path / "graph.txt").read_text().split()]
    count = numbers[0]
    nodes, ends = numbers[1 : 1 + 2 * count], numbers[3 + 2 * count :: 2]
    cost = [0] + [-1] * (count - 1)
    for step in range(count):
        for node in [node for node in range(count) if cost[node] == step]:
            for to in ends[nodes[2 * node] : nodes[2 * node] + nodes[2 * node + 1]]:
                cost[to] = step + 1 if cost[to] < 0 else cost[to]
    (tmp_path / "result.txt").write_text("".join(f"{node}) cost:{each}\n" for node, each in enumerate(cost)))
    assert max(cost) > 3 and -1 in cost and checked("bfs", tmp_path) == 0
    (tmp_path / "result.txt").write_text("".join(f"{node}) cost:{abs(each)}\n" for node, each in enumerate(cost)))
    assert checked("bfs", tmp_path) == 1


def test_the_nearest_records_are_right_only_in_their_order(tmp_path):
    subprocess.run([DATA, "make", "nn"], cwd=tmp_path, check=True)
    lines = (tmp_path / "records.db").read_text().splitlines()
    places = [(float(line[28:33]), float(line[33:38])) for line in lines]
    nearest = sorted(((30 - lat) ** 2 + (90 - lng) ** 2) ** 0.5 for lat, lng in places)[:5]
    printed = [f"{lines[0]} --> Distance={each:f}\n" for each in nearest]
    assert checked("nn", tmp_path, "".join(printed)) == 0
    assert checked("nn", tmp_path, "".join(reversed(printed))) == 1
    assert checked("nn", tmp_path) == 1


def test_temperatures_that_stay_as_they_are_or_are_missing_are_wrong(tmp_path):
    subprocess.run([DATA, "make", "hotspot"], cwd=tmp_path, check=True)
    unchanged = (tmp_path / "temperature.txt").read_text().splitlines()
    (tmp_path / "output.txt").write_text("".join(f"{i}\t{each}\n" for i, each in enumerate(unchanged)))
    assert checked("hotspot", tmp_path) == 1
    (tmp_path / "output.txt").write_text("")
    assert checked("hotspot", tmp_path) == 1
