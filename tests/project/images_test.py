"""The images, built and used where a container engine runs; elsewhere bare_container.sh performs the steps."""
# ctest: slow

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BASE = "debian:12"


def run(*command, seconds=1000):
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=seconds, stdin=subprocess.DEVNULL
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def engine():
    """docker or podman, if it can start containers here and has the base image."""
    found = [name for name in ("docker", "podman") if shutil.which(name) and run(name, "info", seconds=60)[0] == 0]
    if not found:
        pytest.skip("no container engine runs here")
    if run(found[0], "image", "inspect", BASE)[0] and run(found[0], "pull", "-q", BASE)[0]:
        pytest.skip(f"{found[0]} cannot fetch {BASE}")
    return found[0]


@pytest.fixture
def image(engine, request):
    name = f"kernel-lab-test-{request.param}"
    status, output = run(engine, "build", "-t", name, "-f", ROOT / "containers" / request.param / "Dockerfile", ROOT)
    assert status == 0, output[-8000:]
    yield name
    run(engine, "rmi", "-f", name)


@pytest.mark.parametrize("image", ["students"], indirect=True)
def test_a_student_checks_kernels_in_the_image(engine, image):
    status, output = run(engine, "run", "--rm", image, "./lab", "check", "01", "--solution")
    assert status == 0 and "passed" in output, output
    assert run(engine, "run", "--rm", image, "./lab", "check", "01")[0] == 1, "the starter must fail"


@pytest.mark.parametrize("image", ["graders"], indirect=True)
def test_the_graders_image_grades_a_submission(engine, image, tmp_path):
    """In a container that forbids every sandbox, grading refuses, and doctor says why."""
    submissions, grades = tmp_path / "submissions", tmp_path / "grades"
    (submissions / "ada").mkdir(parents=True)
    grades.mkdir()
    shutil.copy(ROOT / "solutions/01_vector_add/kernel.cu", submissions / "ada/01.cu")
    mounts = ["-v", f"{submissions}:/submissions:ro", "-v", f"{grades}:/grades"]
    command = ["grade", "/submissions", "--labs", "01", "--out", "/grades"]
    status, output = run(engine, "run", "--rm", *mounts, image, *command)
    if not (grades / "grades.csv").exists():
        pytest.skip(f"no sandbox holds in this engine's containers: {output.strip().splitlines()[-1:]}")
    assert status == 0, output
    assert "ada,01_vector_add,pass" in (grades / "grades.csv").read_text()
