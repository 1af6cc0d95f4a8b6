"""`lab watch`: on every save a verdict, in a pipe and on a terminal, and nothing is lost or left behind."""
# ctest: slow

import json
import os
import pathlib
import shutil
import signal
import subprocess
import termios
import time

import pytest

from conftest import BUILD, needs_patch
from waiting import wait_until
from watching import watching

VERDICT = "from save to verdict"
KEYS = "q quit"


def kernel(lab, name="02_transpose_naive"):
    return lab.root / "labs" / name / "kernel.cu"


def solution(lab, name="02_transpose_naive"):
    return lab.root / "solutions" / name / "kernel.cu"


def states(lab):
    return {row["lab"]: row["state"] for row in json.loads(lab.run("list", "--json").stdout)["labs"]}


def test_every_save_gets_a_verdict_and_what_was_passed_is_kept(lab):
    with watching(lab.root, BUILD, "02") as watch:
        first = watch.until(KEYS)
        assert "FAILED" in first and "never written" in first and "0 of 17 labs passed" in first
        shutil.copy(solution(lab), kernel(lab))
        assert "passed" in watch.until(VERDICT) and "1 of 17 labs passed" in watch.until(KEYS)
        kernel(lab).write_text("broken\n")
        assert "compile_error" in watch.until(VERDICT)
        watch.end_input()
        assert watch.code() == 1
    assert states(lab)["02_transpose_naive"] == "passed"


def test_a_pipe_is_plain_and_its_keys_come_in_their_turn(lab):
    with watching(lab.root, BUILD, "02") as watch:
        watch.press("h", "l", "e", "p", "s", "y", "x", "n", "q")
        said = watch.until("03_transpose_shared: ") + watch.until(KEYS)
        assert watch.code() == 1 and "\033" not in said
    order = ["FAILED", "1. ", "> todo   02_", "untouched (", "access ", "not passed this lab", "__global__", "h hint"]
    found = [said.find(words, said.find("FAILED")) for words in order[:-1]]
    assert -1 not in found and found == sorted(found), list(zip(order, found, strict=False))
    assert "03_transpose_shared" in lab.run("next").stdout, "what was begun last is what comes next"


def test_the_solution_is_shown_only_after_a_yes(lab):
    with watching(lab.root, BUILD, "02") as watch:
        watch.press("s", "n", "s", "s", "s", "h", "y", "q")
        said = watch.until("1. ") + watch.until(KEYS)
        assert watch.code() == 1
    assert said.count("Show the solution?") == 4 and "__global__" not in said
    shutil.copy(solution(lab), kernel(lab))
    with watching(lab.root, BUILD, "02") as watch:
        watch.press("s", "y", "q")
        said = watch.until("__global__")
        assert said.count("Show the solution?") == 1 and "not passed this lab" not in said


def test_the_end_of_the_input_waits_for_the_verdict(lab):
    shutil.copy(solution(lab), kernel(lab))
    result = lab.run("watch", "02", "--backend", "sim")
    assert result.returncode == 0 and VERDICT in result.stdout


@pytest.mark.parametrize("environment", [{}, {"LAB_WATCH_POLL": "1"}], ids=["notices", "polling"])
def test_an_editor_may_save_by_putting_another_file_in_its_place(lab, environment):
    with watching(lab.root, BUILD, "02", **environment) as watch:
        watch.until(KEYS)
        fresh = kernel(lab).with_suffix(".new")
        shutil.copy(solution(lab), fresh)
        fresh.rename(kernel(lab))
        assert "passed" in watch.until(VERDICT)


def read(process, name):
    try:
        return (process / name).read_bytes()
    except OSError:
        return b""


def processes_of(root):
    """The programs of the processes that one checkout started; compilers and runners inherit no LAB_ROOT."""
    everything = {p.name: p for p in pathlib.Path("/proc").glob("[0-9]*")}
    parents = {name: read(p, "stat").rpartition(b")")[2].split()[1:2] for name, p in everything.items()}

    def belongs(name):
        if name not in everything:
            return False
        if f"LAB_ROOT={root}".encode() in read(everything[name], "environ"):
            return True
        return bool(parents[name]) and belongs(parents[name][0].decode())

    return [read(p, "cmdline").split(b"\0")[0].decode() for name, p in everything.items() if belongs(name)]


def runs(root, program):
    return any(path.endswith(program) for path in processes_of(root))


@needs_patch
def test_a_save_drops_the_check_that_is_running(lab):
    shutil.copy(lab.mutant("01_vector_add/host_hangs"), kernel(lab, "01_vector_add"))
    with watching(lab.root, BUILD, "01", "--timeout", "300") as watch:
        watch.until("watching labs/01")
        wait_until(lambda: runs(lab.root, "lab-runner-sim"))
        shutil.copy(solution(lab, "01_vector_add"), kernel(lab, "01_vector_add"))
        assert "timeout" not in watch.until(VERDICT)


def patient_compiler(folder):
    """A host compiler that says when it begins, and compiles only when it may."""
    compiler, began, may = folder / "patient-g++", folder / "began", folder / "may"
    began.touch()
    compiler.write_text(f"""#!/bin/sh
case "$*" in *kernel.cu*) echo >>{began}; while ! [ -e {may} ]; do sleep 0.05; done ;; esac
exec g++ "$@"
""")
    compiler.chmod(0o755)
    return compiler, began, may


def test_dropped_builds_leave_nothing_behind(lab, tmp_path):
    mine = f"in {lab.root.name}"
    compiler, began, may = patient_compiler(tmp_path)
    with watching(lab.root, BUILD, "02", LAB_CXX=str(compiler)) as watch:
        known = 0
        for edit in range(4):
            watch.until("watching labs/02")
            wait_until(lambda known=known: began.stat().st_size > known)
            known = began.stat().st_size
            kernel(lab).write_text(f"{solution(lab).read_text()}// {mine}, {edit}, {time.time_ns()}\n")
        may.touch()
        watch.until(KEYS)
        makers = {p.name.split(".")[-2] for p in (BUILD / "kernels").glob("*.part")}
        assert all(pathlib.Path("/proc", maker).exists() for maker in makers)


def changed_bits(watch):
    return termios.tcgetattr(watch.screen)[3] & (termios.ICANON | termios.ECHO)


def test_a_terminal_takes_keys_at_once_and_is_as_it_was_afterwards(lab):
    with watching(lab.root, BUILD, "02", terminal=True, NO_COLOR="1") as watch:
        watch.until(KEYS)
        assert changed_bits(watch) == 0
        watch.press("h")
        assert "1." in watch.until("(1 of 6")
        watch.press("q")
        assert watch.code() == 1
        assert termios.tcgetattr(watch.screen) == watch.before


@pytest.mark.parametrize("idle", [True, False], ids=["idle", "checking"])
def test_ctrl_c_leaves_the_terminal_as_it_was_and_no_process(lab, idle):
    with watching(lab.root, BUILD, "02", terminal=True) as watch:
        watch.until("quit" if idle else "watching labs/02")
        watch.press("\003")
        assert watch.code() == 128 + signal.SIGINT
        assert termios.tcgetattr(watch.screen) == watch.before
    wait_until(lambda: not processes_of(lab.root))
    assert not list(lab.root.rglob("*.tmp"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT])
def test_whatever_ends_it_the_terminal_is_as_it_was(lab, number):
    with watching(lab.root, BUILD, "02", terminal=True) as watch:
        watch.until("quit")
        watch.process.send_signal(number)
        assert watch.code() in (-number, 128 + number)
        assert termios.tcgetattr(watch.screen) == watch.before


def test_ctrl_z_gives_the_terminal_back_until_it_goes_on(lab):
    with watching(lab.root, BUILD, "02", terminal=True) as watch:
        watch.until("quit")
        watch.press("\032")
        wait_until(lambda: changed_bits(watch) != 0)
        assert termios.tcgetattr(watch.screen) == watch.before
        watch.process.send_signal(signal.SIGCONT)
        watch.press("q")
        assert watch.code() == 1


def test_commands_at_the_same_time_lose_nothing(lab):
    numbers = [f"{n:02}" for n in range(1, 13)]
    for process in [lab.start("hint", n) for n in numbers]:
        process.communicate()
    kept = json.loads((lab.root / ".lab/state.json").read_text())["labs"]
    assert sorted(name[:2] for name, row in kept.items() if row["hints"] == 1) == numbers


def test_without_a_name_the_lab_that_comes_next_is_watched(lab):
    with watching(lab.root, BUILD) as watch:
        assert "01_vector_add" in watch.until("watching labs/01")
    assert "./lab watch 01" in lab.run("next").stdout


@pytest.mark.parametrize("which, words", [("all", "name one lab"), ("99", "no lab matches")])
def test_wrong_usage_of_watch_exits_with_2(lab, which, words):
    result = lab.run("watch", which)
    assert result.returncode == 2 and words in result.stderr


def test_a_reader_that_goes_away_ends_it(lab):
    process = subprocess.Popen(
        [BUILD / "bin/lab", "watch", "02", "--backend", "sim"],
        env=lab.environment(),
        cwd=lab.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    process.stdout.close()
    process.stdin.close()
    assert process.wait() != 0
    assert os.path.exists(lab.root / ".lab/state.json")
