"""What grading a large class costs, measured and simulated; not a test, for a timing is never asserted.

    LAB_BUILD=build/sim /usr/bin/python3 tests/grade/class_figures.py [--students 300] [--sample 10] [--nodes 20]

1. The class of all students and labs is planned by `lab grade`, which is stopped when its plan is written.
2. The rows of the first students are graded by the plan's own workers, one after the other, on one simulator thread
   each, as under Slurm. Measured are CPU seconds, which hardly depend on what else the machine does, and of two
   students the memory, because watching it takes CPU time from the rows.
3. The reports of the whole class are written. Rows that were not graded have no verdict there.
4. The whole class is simulated: every row costs what a measured row of its lab did, drawn at random. Arrays of 1000
   tasks follow each other as `lab grade --executor slurm` submits them. A task starts on the first free core and costs
   its CPU seconds and the start of a task. Cores are as fast as this machine's, and nothing else runs on them.

Of ten students six hand in solutions, two mutants, and one the untouched starters. The tenth hands in what does not
compile, or mutants. Every file differs by a comment, so no kernel is in the build cache.
"""

import argparse
import ctypes
import heapq
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile
import threading
import time

from conftest import BUILD, ROOT

LARGEST_ARRAY = 1000  # as in grade/course/slurm.cpp
CLOCK = os.sysconf("SC_CLK_TCK")


def makespan(arrays, slots, start):
    """When the last task ends. Each array of tasks, given by their seconds, begins when the one before has ended."""
    now = 0.0
    for tasks in arrays:
        free = [now] * slots
        for seconds in tasks:
            heapq.heappush(free, heapq.heappop(free) + start + seconds)
        now = max(free)
    return now


def arrays_of(tasks, largest=LARGEST_ARRAY):
    return [tasks[begin : begin + largest] for begin in range(0, len(tasks), largest)]


def mutant_of(lab, number):
    """A mutant's source; the patch has a heading, which patch ignores."""
    patches = sorted((ROOT / "tests/mutants" / lab).glob("*.patch"))
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "mutant.cu"
        subprocess.run(
            ["patch", "-s", "-o", made, ROOT / "solutions" / lab / "kernel.cu", patches[number % len(patches)]],
            check=True,
        )
        return made.read_text()


def kernel_of(lab, student):
    kind = student % 10
    if kind < 6:
        return (ROOT / "solutions" / lab / "kernel.cu").read_text()
    if kind == 8:
        return (ROOT / "solutions" / lab / "starter.cu").read_text()
    return "#error unfinished\n" if kind == 9 and student % 20 == 9 else mutant_of(lab, student // 10 * 3 + kind)


def hand_in(folder, students, labs):
    kernels = {(lab, kind): kernel_of(lab, kind) for lab in labs for kind in range(min(students, 60))}
    for student in range(students):
        files = folder / f"student{student:03}"
        files.mkdir(parents=True)
        for lab in labs:
            (files / f"{lab}.cu").write_text(kernels[lab, student % 60] + f"// {student}\n")


def cpu_seconds(process):
    """Of a process and of all its descendants that have ended."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(") ")[1].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / CLOCK


def plan(folder, environment):
    """Plans the class and ends the grader. Returns its CPU and wall seconds until then."""
    began, file = time.monotonic(), folder / "grades/.grade/plan.json"
    command = [BUILD / "bin/lab", "grade", folder / "submissions", "--out", folder / "grades", "--backend", "sim"]
    grader = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not file.exists() and grader.poll() is None:
        time.sleep(0.01)
    assert grader.poll() is None, "lab grade ended before it had planned the class"
    cpu, wall = cpu_seconds(grader.pid), time.monotonic() - began
    grader.kill()
    seconds_until_all_ended(grader)
    return cpu, wall


def descendants(process):
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(") ")[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found = [process]
    for one in found:
        found += children.get(one, [])
    return found


def memory_of(process):
    """MiB that a process and its descendants hold, shared pages divided among them."""
    total = 0
    for one in descendants(process):
        try:
            text = pathlib.Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)
    return total / 1024


def adopt_orphans():
    """Makes this process the parent of all descendants whose parent ends, so that their CPU time is known."""
    subreaper = 36  # PR_SET_CHILD_SUBREAPER
    assert ctypes.CDLL(None).prctl(subreaper, 1, 0, 0, 0) == 0


def seconds_until_all_ended(worker):
    """CPU seconds of a process and of all its descendants, also of those that it has not waited for."""
    total = 0.0
    while True:
        try:
            process, status, used = os.wait4(-1, 0)
        except ChildProcessError:
            return total
        total += used.ru_utime + used.ru_stime
        if process == worker.pid:
            worker.returncode = status


def grade(folder, job, environment, watched):
    """One row: its CPU seconds, its greatest memory in MiB if it is watched, and its verdict."""
    record, peak, ended = folder / f"record-{job}.json", [0.0], threading.Event()
    command = [BUILD / "bin/lab", "grade-worker", "--plan", folder / "grades/.grade/plan.json"]
    worker = subprocess.Popen(
        [*command, "--job", str(job), "--record", record], env={**environment, "LAB_SIM_THREADS": "1"}
    )

    def watch():
        while not ended.wait(0.05):
            peak[0] = max(peak[0], memory_of(worker.pid))

    watcher = threading.Thread(target=watch)
    if watched:
        watcher.start()
    cpu = seconds_until_all_ended(worker)
    ended.set()
    if watched:
        watcher.join()
    row = json.loads(record.read_text())
    return cpu, peak[0], row["verdict"]


def collect(folder, environment):
    """CPU seconds of the reports."""
    worker = subprocess.Popen(
        [BUILD / "bin/lab", "grade-collect", "--plan", folder / "grades/.grade/plan.json"], env=environment
    )
    return seconds_until_all_ended(worker)


def table_of(rows, labs):
    print("lab                          rows  CPU s a row: mean   most  most MiB")
    for lab in labs:
        seconds = [cpu for name, cpu, _, _ in rows if name == lab]
        memory = max(mib for name, _, mib, _ in rows if name == lab)
        print(f"{lab:28} {len(seconds):4} {statistics.mean(seconds):18.2f} {max(seconds):6.2f} {memory:9.0f}")


def simulate(rows, labs, students, nodes, start, once):
    """Prints the makespan of the class for some numbers of cores a node. `once`: seconds of planning and reports."""
    draw = random.Random(1)
    by_lab = {lab: [cpu for name, cpu, _, _ in rows if name == lab] for lab in labs}
    tasks = [draw.choice(by_lab[lab]) for _ in range(students) for lab in labs]
    for cores in (1, 4, 16):
        seconds = makespan(arrays_of(tasks), nodes * cores, start)
        busy = sum(tasks) / (seconds * nodes * cores)
        print(
            f"simulated: {nodes} nodes of {cores} cores: {seconds / 60:.1f} min and {once / 60:.1f} min for plan and "
            f"reports, {len(tasks) / (seconds + once) * 60:.0f} rows a minute, cores {busy:.0%} busy with rows"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--sample", type=int, default=10, help="students whose rows are graded")
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--start", type=float, default=1.0, help="assumed seconds from a free core to a task's begin")
    given = parser.parse_args()
    labs = sorted(folder.name for folder in (ROOT / "solutions").glob("[0-9][0-9]_*"))
    adopt_orphans()
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)}
    with tempfile.TemporaryDirectory(prefix="kernel-lab-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o711)
        hand_in(folder / "submissions", given.students, labs)
        cpu, wall = plan(folder, environment)
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        print(f"load {load}, {os.cpu_count()} cores; {given.students} students x {len(labs)} labs")
        size = (folder / "grades/.grade/plan.json").stat().st_size
        print(f"plan: {cpu:.1f} s of CPU, {wall:.1f} s of wall time, {size / 1e6:.1f} MB")
        rows = [
            (lab, *grade(folder, student * len(labs) + number, environment, student < 2))
            for student in range(given.sample)
            for number, lab in enumerate(labs)
        ]
        reports = collect(folder, environment)
    table_of(rows, labs)
    seconds = [cpu for _, cpu, _, _ in rows]
    mean = statistics.mean(seconds)
    print(f"sample: {len(rows)} rows of {given.sample} students, {sum(seconds):.0f} s of CPU, {mean:.2f} a row")
    print(f"{60 / mean:.0f} rows a minute and core; reports of the class: {reports:.1f} s of CPU")
    verdicts = [verdict for *_, verdict in rows]
    print(", ".join(f"{verdicts.count(one)} {one}" for one in sorted(set(verdicts))))
    simulate(rows, labs, given.students, given.nodes, given.start, cpu + reports)


if __name__ == "__main__":
    main()
