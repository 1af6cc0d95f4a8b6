"""The Slurm executor, with a real Slurm of one node that this test starts on loopback and stops again."""
# ctest: long

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest

from conftest import HOSTILE, SOLUTIONS, solution, starter
from waiting import wait_until

LAB_01 = SOLUTIONS[0].name
PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scontrol")
CONFIGURATION = """
ClusterName=lab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={node}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MinJobAge=20
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=lab Nodes={host} Default=YES MaxTime=60 State=UP OverSubscribe=YES
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class cluster:
    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf")}

    def start(self):
        host = socket.gethostname().split(".")[0]
        for name in ("state", "spool", "munge"):
            (self.folder / name).mkdir(mode=0o700)
        values = dict(host=host, folder=self.folder, control=free_port(), node=free_port(), cpus=os.cpu_count())
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(**values))
        if self.version() >= (23, 11):
            # It loads a plugin of cgroups in any case. This one does nothing unless a resource is limited.
            (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        self.start_munge()
        self.run("slurmctld", "-D", "-f", self.folder / "slurm.conf")
        self.start_node()
        self.wait_until_idle()
        self.run_a_job()

    def version(self):
        return tuple(map(int, re.search(r"(\d+)\.(\d+)", self.ask("sbatch", "--version").stdout).groups()))

    def start_munge(self):
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        where = self.folder / "munge"
        self.run(
            "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.sock",
            f"--pid-file={where}/pid", f"--log-file={where}/log", f"--seed-file={where}/seed",
        )  # fmt: skip
        for _ in range(1200):
            if (self.folder / "munge.sock").exists():
                return
            time.sleep(0.1)
        pytest.skip("munged does not start here: " + (self.folder / "munged.txt").read_text()[-300:])

    def start_node(self):
        self.run("slurmd", "-D", "-f", self.folder / "slurm.conf")

    def run(self, program, *arguments):
        log = open(self.folder / f"{program}.txt", "w")
        found = shutil.which(program, path="/usr/sbin:/usr/bin:/sbin")
        self.processes[program] = subprocess.Popen([found, *arguments], stdout=log, stderr=log, start_new_session=True)

    def ask(self, *command):
        environment = {**os.environ, **self.environment}
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    def wait_until_idle(self):
        answer = None
        for _ in range(480):
            answer = self.ask("sinfo", "--noheader", "--format=%T")
            if answer.stdout.strip() in ("idle", "mixed", "allocated"):
                return
            time.sleep(0.25)
        log = (self.folder / "slurmctld.txt").read_text()[-400:] + (self.folder / "slurmd.txt").read_text()[-400:]
        pytest.skip(f"Slurm does not start here: {answer.stdout} {answer.stderr} {log}")

    # Without an accounting database, Slurm 23.11 takes a stale errno for the failure of one if a plugin's library is
    # missing. Every job then waits for InvalidAccount.
    def run_a_job(self):
        job = self.ask("sbatch", "--parsable", "--output=/dev/null", "--wrap=true").stdout.strip()
        answer = None
        for _ in range(480):
            answer = self.ask("squeue", "--noheader", f"--jobs={job}", "--states=all", "--format=%T %r").stdout.strip()
            if answer.startswith("COMPLETED"):
                return
            time.sleep(0.25)
        pytest.skip(f"Slurm runs no jobs here: {answer}; if libpmix2 is missing: apt-get install libpmix2")

    def running(self):
        return self.ask("squeue", "--noheader", "--array", "--states=running", "--format=%i").stdout.split()

    def is_empty(self):
        answer = self.ask("squeue", "--noheader", "--states=all", "--format=%T")
        return answer.returncode == 0 and not {"PENDING", "RUNNING", "COMPLETING"} & set(answer.stdout.split())

    def stop(self):
        self.ask("scancel", "--user=root")
        for name in ("slurmd", "slurmctld", "munged"):
            process = self.processes.get(name)
            if process and process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    missing = [p for p in PROGRAMS if not shutil.which(p, path="/usr/sbin:/usr/bin:/sbin")]
    if missing:
        pytest.skip(f"Slurm is not installed ({', '.join(missing)}): apt-get install slurm-wlm munge")
    if os.getuid() != 0 or pwd.getpwuid(0).pw_name != "root":
        pytest.skip("only root can start a Slurm for this test")
    one = cluster(tmp_path_factory.mktemp("slurm"))
    try:
        one.start()
        yield one
    finally:
        one.stop()


SHORT = {"case_seconds": 2, "build_seconds": 15, "memory_mib": 1024}


def hand_in_right(room, count):
    for i in range(count):
        room.hand_in(f"right{i}", _01=solution(LAB_01) + f"// {i}\n")


def test_an_array_and_its_collector_grade_a_class(room, slurm):
    hand_in_right(room, 3)
    room.hand_in("wrong", _01=starter(LAB_01))
    room.hand_in("hangs", _01=(HOSTILE / "hang.cu").read_text())
    room.hand_in("nothing")
    result = room.grade("--labs", "01", "--executor", "slurm", *room.policy(SHORT), **slurm.environment)
    assert result.returncode == 0, result.stderr
    verdicts = {student: row["verdict"] for (student, _), row in room.rows().items()}
    assert [verdicts[f"right{i}"] for i in range(3)] == ["pass"] * 3
    assert (verdicts["wrong"], verdicts["hangs"], verdicts["nothing"]) == ("wrong_answer", "timeout", "collect_error")
    assert not list((room.out / ".grade/slurm").glob("*.json"))


def test_a_job_that_takes_too_long_gets_timeout_and_not_infra_error(room, slurm):
    loop = "for (volatile long i = 0; i < 400000000L; ++i) {}"
    slow = solution(LAB_01).replace("const int blocks", f"{loop}\n  const int blocks")
    assert slow != solution(LAB_01)
    room.hand_in("slow", _01=slow)
    policy = room.policy({**SHORT, "case_seconds": 20, "job_seconds": 6})
    assert room.grade("--labs", "01", "--executor", "slurm", *policy, **slurm.environment).returncode == 0
    assert room.row("slow")["verdict"] == "timeout" and "all cases together" in room.row("slow")["message"]


# Ends only where the simulator may use more threads than one, as on a node of its own.
NEEDS_THREADS = """static bool has_one_thread() {
#ifdef __SANITIZE_THREAD__
  return false;  // a traced run has one anywhere
#endif
  return std::string{std::getenv("LAB_SIM_THREADS")} == "1";
}

"""
SLOW_ON_ONE_CORE = "#include <cstdlib>\n#include <string>\n" + solution(LAB_01).replace(
    "void vector_add(", NEEDS_THREADS + "void vector_add(", 1
).replace("const int blocks", "for (volatile bool slow = has_one_thread(); slow;);\n  const int blocks", 1)


def test_a_timeout_is_judged_again_on_a_node_of_its_own(room, slurm):
    if os.cpu_count() < 2:
        pytest.skip("a node of one core gives a job alone no more than others")
    assert SLOW_ON_ONE_CORE.count("has_one_thread") == 2
    room.hand_in("slow", _01=SLOW_ON_ONE_CORE)
    room.hand_in("hangs", _01=(HOSTILE / "hang.cu").read_text())
    hand_in_right(room, 1)
    policy = room.policy({**SHORT, "gates": "advisory"})
    result = room.grade("--labs", "01", "--executor", "slurm", *policy, **slurm.environment)
    assert result.returncode == 0, result.stderr
    rows = {student: row for (student, _), row in room.rows().items()}
    assert rows["slow"]["verdict"] == "pass" and any("but not alone" in flag for flag in rows["slow"]["flags"])
    assert rows["hangs"]["verdict"] == "timeout" and any("again alone" in flag for flag in rows["hangs"]["flags"])
    assert rows["right0"]["verdict"] == "pass" and rows["right0"]["flags"] == []
    assert len(room.log()) == 3


def start_grading(room, slurm, *arguments, path=()):
    environment = {**slurm.environment, "PATH": ":".join([*map(str, path), os.environ["PATH"]])}
    command = room.command("--labs", "01", "--executor", "slurm", *arguments)
    return subprocess.Popen(command, env=room.environment(**environment))


def wait_for_reports(room, slurm):
    """The collector writes several files. It has ended, as have all jobs, before one of them is read."""
    wait_until(slurm.is_empty)
    assert (room.out / "grades.json").exists()


# Slurm's command, but the grader is killed while its array runs and the job that collects is not yet queued.
KILLING_SBATCH = """#!/bin/sh
case "$*" in *lab-grade-collect*)
  until squeue --noheader --format='%T %r' | grep -q -e RUNNING -e JobHeld; do :; done
  squeue --noheader --format=%T | grep -q RUNNING && kill -9 $PPID && exit 1
esac
exec "{sbatch}" "$@"
"""


def test_no_task_runs_before_the_job_that_collects_is_queued(room, slurm, tmp_path):
    (tmp_path / "sbatch").write_text(KILLING_SBATCH.format(sbatch=shutil.which("sbatch")))
    (tmp_path / "sbatch").chmod(0o755)
    hand_in_right(room, 1)
    assert start_grading(room, slurm, path=[tmp_path]).wait() == 0
    assert room.row("right0")["verdict"] == "pass"


def test_a_timeout_that_a_killed_grader_could_not_judge_again_is_no_verdict(room, slurm):
    room.hand_in("hangs", _01=(HOSTILE / "hang.cu").read_text())
    grader = start_grading(room, slurm, *room.policy(SHORT))
    wait_until(slurm.running)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    wait_for_reports(room, slurm)
    row = room.row("hangs")
    assert row["verdict"] == "infra_error" and "beside other jobs" in row["message"] and "--resume" in row["message"]
    arguments = ("--labs", "01", "--executor", "slurm", "--resume", *room.policy(SHORT))
    assert room.grade(*arguments, **slurm.environment).returncode == 0
    row = room.row("hangs")
    assert row["verdict"] == "timeout" and any("again alone" in flag for flag in row["flags"])


def test_the_cluster_writes_the_reports_even_if_the_grader_is_killed(room, slurm):
    hand_in_right(room, 4)
    grader = start_grading(room, slurm, "--jobs", "1")
    wait_until(slurm.running)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    wait_for_reports(room, slurm)
    assert [row["verdict"] for row in room.rows().values()] == ["pass"] * 4


def test_a_second_array_grades_cancelled_tasks(room, slurm):
    hand_in_right(room, 4)
    grader = start_grading(room, slurm, "--jobs", "1")
    array = wait_until(slurm.running)[0].split("_")[0]
    slurm.ask("scancel", f"{array}_[2-3]")
    assert grader.wait() == 0
    assert [row["verdict"] for row in room.rows().values()] == ["pass"] * 4
    keys = [row["key"] for row in room.log()]
    assert len(keys) == len(set(keys)) == 4


def test_a_task_is_run_again_when_its_node_fails(room, slurm):
    hand_in_right(room, 4)
    grader = subprocess.Popen(
        room.command("--labs", "01", "--executor", "slurm", "--jobs", "1"), env=room.environment(**slurm.environment)
    )
    lost = wait_until(slurm.running)[0]
    host = socket.gethostname().split(".")[0]
    slurm.ask("scontrol", "update", f"nodename={host}", "state=down", "reason=test")
    wait_until(lambda: lost not in slurm.running())  # the node itself may be up again at once, because it answers
    slurm.ask("scontrol", "update", f"nodename={host}", "state=resume")
    assert grader.wait() == 0
    assert [row["verdict"] for row in room.rows().values()] == ["pass"] * 4


def test_without_slurm_the_command_says_so(room):
    hand_in_right(room, 1)
    result = room.grade("--labs", "01", "--executor", "slurm", PATH="/nowhere", LAB_CXX="g++")
    assert result.returncode == 3 and "sbatch" in result.stderr
    assert not room.out.exists()
