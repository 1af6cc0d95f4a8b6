"""Grades a class of thirty: every student has a row, whatever the submission does, even if the grader is killed."""
# ctest: long

import os
import re
import shutil
import signal
import tarfile
import zipfile

import pytest

from conftest import HONEST, HOSTILE, LAB_04, SOLUTIONS, solution, starter
from waiting import wait_until

LAB_01 = SOLUTIONS[0].name
LABS = ("--labs", "01", "04")
# Other tests are about hidden sizes. Few seconds and little memory keep hostile kernels from using much of both.
SHORT = {"case_seconds": 2, "build_seconds": 15, "memory_mib": 512, "default": {"fresh_sizes": 0}}
HOSTILE_TEN = [
    "print_pass_exit", "ctor_exit", "segv", "hang", "fork_bomb", "daemonise",
    "output_flood", "mem_hog", "include_passwd", "report_inject",
]  # fmt: skip
HOSTILE_IN_ONE_LAB = ("ctor_exit", "hang", "fork_bomb")  # their right kernel of the other lab passes
HONEST_FOUR = ("other_order", "own_streams", "prints", "threads_joined")


def expected(source):
    return re.match(r"// expect: (.*)", source.read_text()).group(1).split(" | ")


def hand_in_class(room):
    """Hands in for thirty students. Returns the verdicts that each may get for labs 01 and 04."""
    must = {}

    def student(name, first, second, verdicts):
        """second: None for a student who hands in nothing for lab 04."""
        room.hand_in(name, _01=first, **({"_04": second} if second is not None else {}))
        must[name] = (verdicts[0], verdicts[1] if second is not None else ["collect_error"])

    right = (solution(LAB_01), solution(LAB_04))
    wrong = (starter(LAB_01), starter(LAB_04).replace("shared[threadIdx.x][j]", "shared[j][threadIdx.x]"))
    for i in range(6):
        student(f"right{i}", right[0], right[1] if i < 2 else None, (["pass"], ["pass"]))
    assert wrong[1] != starter(LAB_04)
    for i in range(2):
        student(f"wrong{i}", *wrong, (["wrong_answer"], ["wrong_answer"]))
    # Lab 04's starter misses a gate alone.
    student("untouched", starter(LAB_01), starter(LAB_04), (["wrong_answer"], ["gate"]))
    for name in HOSTILE_TEN:
        source = HOSTILE / f"{name}.cu"
        second = right[1] if name in HOSTILE_IN_ONE_LAB else None
        student(name, source.read_text(), second, (expected(source), ["pass"]))
    for name in HONEST_FOUR:
        student(name, (HONEST / f"{name}.cu").read_text(), "not C++", (["pass"], ["compile_error"]))
    for name, pack in (("zipped", zip_folder), ("tarred", tar_folder)):
        student(name, *right, (["pass"], ["pass"]))
        pack(room.submissions / name)
    student("empty", "", "", (["compile_error"], ["compile_error"]))
    room.hand_in("nothing")
    must["nothing"] = (["collect_error"], ["collect_error"])
    os.mkfifo(room.hand_in("pipes", _04=right[1]) / "01_x.cu")
    must["pipes"] = (["collect_error"], ["pass"])
    (room.hand_in("links", _04=right[1]) / "01_x.cu").symlink_to("/etc/passwd")
    must["links"] = (["collect_error"], ["pass"])
    (room.submissions / "broken.zip").write_bytes(b"PK\3\4 not an archive")
    must["broken"] = (["unreadable"], ["unreadable"])
    return must


def zip_folder(folder):
    with zipfile.ZipFile(f"{folder}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"work/{file.name}")
    shutil.rmtree(folder)


def tar_folder(folder):
    with tarfile.open(f"{folder}.tar.gz", "w:gz") as archive:
        archive.add(folder, folder.name)
    shutil.rmtree(folder)


def wait_for_rows(room, count):
    wait_until(lambda: (room.out / ".grade/log.jsonl").exists() and len(room.log()) >= count)


def processes_below(folder):
    found = []
    for process in os.listdir("/proc"):
        try:
            words = open(f"/proc/{process}/cmdline", "rb").read().decode(errors="replace")
        except OSError:
            continue
        if str(folder) in words and int(process) != os.getpid():
            found.append(words)
    return found


def test_thirty_students_are_graded_even_if_the_grader_is_killed_twice(room):
    expected_verdicts = hand_in_class(room)
    assert len(expected_verdicts) == 30
    policy = room.policy(SHORT)
    grader = room.start(*LABS, *policy)
    for rows in (8, 25):
        wait_for_rows(room, rows)
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        kept = room.log()
        wait_until(lambda: not processes_below(room.out))  # no worker outlives the grader
        # A killed writer leaves an incomplete line.
        with open(room.out / ".grade/log.jsonl", "a") as log:
            log.write('{"key":"half a li')
        assert not (room.out / "grades.csv").exists()
        grader = room.start(*LABS, *policy, "--resume")
    assert grader.wait() == 0
    rows = room.rows()
    assert len(rows) == len(room.table()) == 60
    for student, (first, second) in expected_verdicts.items():
        assert rows[student, LAB_01]["verdict"] in first, rows[student, LAB_01]
        assert rows[student, LAB_04]["verdict"] in second, rows[student, LAB_04]
    graded = [row["key"] for row in room.log()]
    assert len(graded) == len(set(graded)) == 60, "a row is missing or duplicated"
    assert [row["key"] for row in kept] == graded[: len(kept)]
    assert all(row["sandbox_level"] >= 1 for row in rows.values())
    assert len(list((room.out / "students").glob("*/index.html"))) == 30


def without_times(row):
    """A row of grades.csv without seconds and messages."""
    return {key: cell for key, cell in row.items() if "seconds" not in key and key != "message"}


def test_three_gradings_of_a_class_give_equal_points(room):
    right, wrong = solution(LAB_01), solution(LAB_01).replace("a[i] + b[i]", "a[i] | b[i]")
    assert right != wrong
    room.hand_in("right", _01=right)
    room.hand_in("wrong", _01=wrong, _04=solution(LAB_04).replace("tile + 1", "tile"))
    room.hand_in("idle", _01=starter(LAB_01), _04=starter(LAB_04))
    for name in ("race", "uninit_read"):
        room.hand_in(name, _01=(HOSTILE / f"{name}.cu").read_text())
    rules = {"seed": 11, "hidden_seed": 12, "gates": "points", "default": {"fresh_sizes": 1}}
    policy = room.policy({**SHORT, **rules})
    books, tables = [], []
    for jobs in ("1", "2", "3"):
        room.out = room.out.with_name(f"run{jobs}")
        assert room.grade(*LABS, *policy, "--jobs", jobs).returncode == 0
        books.append((room.out / "gradebook.csv").read_bytes())
        tables.append([without_times(row) for row in room.table()])
    assert books[0] == books[1] == books[2]
    assert tables[0] == tables[1] == tables[2] and len(tables[0]) == 10
    assert len(books[0].splitlines()) > 5


def test_equal_submissions_that_are_graded_together_pass(room):
    """Their kernels have one file in the cache, which a sandbox opens while another job may have just built it."""
    for i in range(4):
        room.hand_in(f"s{i}", _01=solution(LAB_01) + f"// {os.getpid()}\n")
    assert room.grade("--labs", "01", *room.policy(SHORT), "--jobs", "4").returncode == 0
    assert {row["verdict"] for row in room.rows().values()} == {"pass"}


HANGS = solution(LAB_01).replace("if (i < n) out[i]", "for (volatile int k = 1; k;);\n  if (i < n) out[i]")
COUNT = """static void count() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::printf("%d of the cores\\n", CPU_COUNT(&set));
  std::fflush(stdout);
}

"""
COUNTS_CORES = "#include <sched.h>\n\n#include <cstdio>\n" + solution(LAB_01).replace(
    "void vector_add(", COUNT + "void vector_add(", 1
).replace("<<<", "<<<(count(), 1) * ", 1).replace("a[i] + b[i]", "7")


def test_a_timeout_beside_other_jobs_counts_only_if_it_repeats_alone(room):
    assert HANGS != solution(LAB_01)
    room.hand_in("hangs", _01=HANGS)
    room.hand_in("right", _01=solution(LAB_01))
    assert room.grade("--labs", "01", *room.policy({**SHORT, "case_seconds": 1}), "--jobs", "2").returncode == 0
    row = room.row("hangs")
    assert row["verdict"] == "timeout" and any("again alone" in flag for flag in row["flags"])
    assert room.row("right")["verdict"] == "pass" and room.row("right")["flags"] == []
    assert len(room.log()) == 2
    room.out = room.out.with_name("one_at_a_time")
    assert room.grade("--labs", "01", *room.policy({**SHORT, "case_seconds": 1}), "--jobs", "1").returncode == 0
    assert room.row("hangs")["flags"] == []


@pytest.mark.skipif(len(os.sched_getaffinity(0)) != 2, reason="this machine has not two cores")
def test_jobs_that_run_together_have_cores_of_their_own(room):
    for student in ("ada", "bob"):
        room.hand_in(student, _01=COUNTS_CORES + f"// {student}\n")
    for jobs, cores in (("1", 2), ("2", 1)):
        room.out = room.out.with_name(f"jobs{jobs}")
        assert room.grade("--labs", "01", *room.policy(SHORT), "--jobs", jobs).returncode == 0
        messages = "".join(case["message"] for case in room.row("ada")["cases"])
        assert f"{cores} of the cores" in messages and f"{3 - cores} of the cores" not in messages


def test_a_finished_grading_is_not_repeated_without_resume(room):
    room.hand_in("ada", _01=solution(LAB_01))
    chosen = ("--labs", "01", *room.policy(SHORT))
    assert room.grade(*chosen).returncode == 0
    again = room.grade(*chosen)
    assert again.returncode == 2 and "--resume" in again.stderr
    assert room.grade(*chosen, "--resume").returncode == 0
    assert len(room.log()) == 1
    room.hand_in("ada", _01=starter(LAB_01))
    assert room.grade(*chosen, "--resume").returncode == 0
    assert len(room.log()) == 2 and room.row("ada")["verdict"] == "wrong_answer"


def test_a_second_grader_is_refused_in_the_same_folder(room):
    room.hand_in("ada", _01=solution(LAB_01))
    first = room.start("--labs", "01", *room.policy(SHORT))
    wait_until((room.out / ".grade/plan.json").exists)  # written before the first row
    first.send_signal(signal.SIGSTOP)
    second = room.grade("--labs", "01", *room.policy(SHORT), "--resume")
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 1 and "another lab grade is running" in second.stderr
    assert first.wait() == 0 and len(room.log()) == 1
