"""A course of own labs: written without a checkout, published as a wheel, installed and started by a student."""
# ctest: slow

import os
import pathlib
import shutil
import subprocess
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))


def run(program, *arguments, folder, code=0, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LAB_")}
    done = subprocess.run(
        [program, *map(str, arguments)],
        cwd=folder,
        env={**kept, "COLUMNS": "1000", **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """`lab` of an installed tree, which has no sources, and the environment of its cache."""
    folder = tmp_path_factory.mktemp("installed")
    for component in ("tools", "launcher"):
        run("cmake", "--install", BUILD, "--component", component, "--prefix", folder, folder=folder)
    return folder / "bin/lab", {"LAB_CACHE": str(folder / "cache")}


@pytest.fixture(scope="module")
def teacher(program, tmp_path_factory):
    """A course of two labs: a delivered one and a new one."""
    lab, environment = program
    course = tmp_path_factory.mktemp("teacher") / "scans"
    run(lab, "start", course, "--with", "solutions", folder=course.parent, **environment)
    for folder in (*course.glob("labs/[0-9]*"), *course.glob("solutions/[0-9]*")):
        if not folder.name.startswith("01_"):
            shutil.rmtree(folder)
    run(lab, "new", "40_scan", folder=course, **environment)
    return course


@pytest.fixture(scope="module")
def venv(teacher, program, tmp_path_factory):
    """The Python of a virtual environment in which the published wheel is installed, without a network."""
    lab, environment = program
    folder = tmp_path_factory.mktemp("student")
    (teacher / "labs/40_scan/kernel.cu").write_text("// the teacher's own attempt\n")
    assert "40_scan" in run(lab, "publish", "scans", "-o", folder, folder=teacher, **environment)
    made = subprocess.run(["/usr/bin/python3", "-m", "venv", folder / "venv"], capture_output=True)
    if made.returncode:
        pytest.skip("python3-venv is not installed")
    (wheel,) = folder.glob("*.whl")
    run(folder / "venv/bin/pip", "install", "-q", "--no-index", wheel, folder=folder)
    return folder / "venv/bin/python3"


def test_a_new_lab_works_in_a_course_without_a_checkout(program, teacher):
    lab, environment = program
    starter = run(lab, "check", "40", folder=teacher, code=1, **environment)
    assert "labs/40_scan/kernel.cu" in starter
    assert "passed" in run(lab, "check", "40", "--solution", folder=teacher, **environment)
    listed = run(lab, "list", folder=teacher, **environment)
    assert "40_scan" in listed and "01_vector_add" in listed and "02_" not in listed


def test_a_delivered_lab_keeps_its_starter_beside_an_own_one(program, tmp_path):
    """solutions/ of the course has the new lab only; the starters of the others are still found."""
    lab, environment = program
    course = tmp_path / "course"
    run(lab, "start", course, folder=tmp_path, **environment)
    run(lab, "new", "40_scan", folder=course, **environment)
    kernel = course / "labs/01_vector_add/kernel.cu"
    pristine = kernel.read_text()
    kernel.write_text("// mine\n")
    run(lab, "reset", "01", folder=course, **environment)
    assert kernel.read_text() == pristine


def test_a_definition_that_does_not_compile_is_named_and_the_others_still_work(program, tmp_path):
    lab, environment = program
    course = tmp_path / "course"
    run(lab, "start", course, folder=tmp_path, **environment)
    run(lab, "new", "40_scan", folder=course, **environment)
    (course / "labs/40_scan/lab.cpp").write_text("nonsense;\n")
    said = run(lab, "explain", "race", folder=course, **environment)
    assert "labs/40_scan/lab.cpp: this definition cannot be used" in said and "nonsense" in said
    assert "no lab matches" in run(lab, "check", "40", folder=course, code=2, **environment)


def test_a_wheel_has_starters_and_definitions_but_no_solutions(venv):
    (wheel,) = venv.parents[2].glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        starter = archive.read("kernel_lab_course_scans/labs/40_scan/kernel.cu").decode()
    assert "kernel_lab_course_scans/labs/40_scan/lab.cpp" in names and "TODO" in starter
    assert not [name for name in names if "/solutions/" in name or "/tests/" in name]


def test_a_student_finds_the_installed_course_and_checks_its_labs(program, teacher, venv, tmp_path):
    lab, environment = program
    environment = {**environment, "LAB_PYTHON": str(venv)}
    assert run(lab, "courses", folder=tmp_path, **environment).startswith("scans  ")
    said = run(lab, "start", "mine", "--course", "scans", folder=tmp_path, **environment)
    assert "lab watch 01" in said
    course = tmp_path / "mine"
    assert not (course / "solutions").exists() and not (course / "labs/01_vector_add/lab.cpp").exists()
    assert "labs/40_scan/kernel.cu" in run(lab, "check", "40", folder=course, code=1, **environment)
    kernel = course / "labs/40_scan/kernel.cu"
    pristine = kernel.read_text()
    shutil.copy(teacher / "solutions/40_scan/kernel.cu", kernel)
    run(lab, "check", "40", folder=course, **environment)
    run(lab, "reset", "40", folder=course, **environment)
    assert kernel.read_text() == pristine


def test_a_folder_is_a_course_too_and_an_unknown_name_lists_what_is_installed(program, teacher, venv, tmp_path):
    lab, environment = program
    run(lab, "start", "mine", "--course", teacher, folder=tmp_path, **environment)
    assert (tmp_path / "mine/labs/40_scan/lab.cpp").is_file() and not (tmp_path / "mine/labs/02_transpose").exists()
    environment = {**environment, "LAB_PYTHON": str(venv)}
    said = run(lab, "start", "other", "--course", "sorts", folder=tmp_path, code=2, **environment)
    assert "installed are: scans" in said and not (tmp_path / "other").exists()
