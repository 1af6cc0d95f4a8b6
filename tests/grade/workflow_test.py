"""The workflow for GitHub Classroom: its commands run here, on a checkout like a student's."""
# ctest: slow

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import BUILD, LAB_04, ROOT, SOLUTIONS, solution, starter

yaml = pytest.importorskip("yaml", reason="apt-get install python3-yaml")
WORKFLOW = ROOT / "common/grade/report/github-classroom.yml"
LAB_01 = SOLUTIONS[0].name


@pytest.fixture
def kernel_lab(tmp_path):
    """What lies in the image, with this build's program for a launcher."""
    folder = tmp_path / "kernel-lab"
    folder.mkdir()
    (folder / "lab").symlink_to(BUILD / "bin/lab")
    (folder / "common").symlink_to(ROOT / "common")
    return folder


def run_steps(room, kernel_lab, **kernels):
    """The exit code, the output and the summary of the workflow's steps."""
    for lab, text in kernels.items():
        folder = room.submissions / "student/labs" / lab
        folder.mkdir(parents=True)
        (folder / "kernel.cu").write_text(text)
    made = subprocess.run(
        [sys.executable, ROOT / "containers/workflow_steps.py", WORKFLOW], check=True, capture_output=True, text=True
    ).stdout
    summary = room.out.with_name("summary.md")
    done = subprocess.run(
        ["sh", "-c", made.replace("/tmp/grades", str(room.out))],
        cwd=room.submissions.parent,
        env=room.environment(KERNEL_LAB=str(kernel_lab), GITHUB_STEP_SUMMARY=str(summary)),
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr, summary.read_text()


def test_right_kernels_end_with_0_and_all_points(room, kernel_lab):
    status, output, summary = run_steps(room, kernel_lab, **{LAB_01: solution(LAB_01), LAB_04: solution(LAB_04)})
    assert status == 0, output
    assert "::notice title=Autograding complete::Points 20/20\n" in output
    report = re.search(r"::notice title=Autograding report::(.*)", output)[1]
    assert json.loads(report) == {"totalPoints": 20, "maxPoints": 20}
    assert f"| {LAB_04} | pass | 10 of 10 |" in summary


def test_a_wrong_kernel_ends_with_1_and_the_points_are_shown_all_the_same(room, kernel_lab):
    status, output, summary = run_steps(room, kernel_lab, **{LAB_01: starter(LAB_01), LAB_04: solution(LAB_04)})
    assert status == 1, output
    points = float(re.search(r"::Points (\S+)/20\n", output)[1])
    assert 10 <= points < 20 and f"| {LAB_01} | wrong_answer |" in summary


def test_the_workflow_has_the_names_that_classroom_reads_and_the_graders_image():
    document = yaml.safe_load(WORKFLOW.read_text())
    assert document["name"] == "Autograding Tests" and list(document["jobs"]) == ["run-autograding-tests"]
    job = document["jobs"]["run-autograding-tests"]
    dockerfile = (ROOT / "containers/graders/Dockerfile").read_text()
    assert f"docker push {job['container'].removesuffix(':latest')}" in dockerfile
    assert job["env"]["KERNEL_LAB"] in re.search(r"^WORKDIR (.*)$", dockerfile, re.MULTILINE)[1]
    assert os.path.basename(job["steps"][0]["with"]["path"]) == "student"


def test_a_grading_that_never_ended_is_said(room):
    done = subprocess.run(
        [sys.executable, ROOT / "common/grade/report/github_points.py", room.out], capture_output=True, text=True
    )
    assert done.returncode == 1 and "grades.json does not exist" in done.stderr
