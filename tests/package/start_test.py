"""`lab start`: a course from a checkout, and from an installed tree that was moved and may only be read."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
KERNEL = "labs/01_vector_add/kernel.cu"


def run(program, *arguments, folder, **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LAB_")}
    return subprocess.run(
        [program, *map(str, arguments)],
        cwd=folder,
        env={**kept, "COLUMNS": "1000", **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


def start(program, folder, *options):
    made = run(program, "start", folder / "mycourse", *options, folder=folder)
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "mycourse"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return start(BUILD / "bin/lab", tmp_path_factory.mktemp("from_checkout"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The program of an installed tree that now lies elsewhere, and the environment in which it keeps its cache."""
    folder = tmp_path_factory.mktemp("installed")
    for component in ("tools", "launcher"):
        run("cmake", "--install", BUILD, "--component", component, "--prefix", folder / "first", folder=folder)
    (folder / "first").rename(folder / "moved")
    subprocess.run(["chmod", "-R", "a-w", folder / "moved/libexec"], check=True)
    return folder / "moved/bin/lab", {"LAB_CACHE": str(folder / "cache")}


def test_a_course_has_lessons_and_starters_but_no_solutions_tests_or_records(course):
    for file in ("machine.md", "glossary.md", "01_vector_add/README.md", "01_vector_add/lab.hpp"):
        assert (course / "labs" / file).is_file(), file
    assert list(course.glob("labs/01_vector_add/figures/*.svg"))
    for name in ("solutions", "tests", "report", "common", "labs/families"):
        assert not (course / name).exists(), name
    assert not list(course.glob("labs/**/lab.cpp")) + list(course.glob("labs/*/figures/*.py"))
    assert (course / KERNEL).read_text() == (ROOT / "solutions/01_vector_add/starter.cu").read_text()


def test_a_folder_that_is_not_empty_is_refused_and_stays_as_it_is(tmp_path):
    (tmp_path / "thesis.tex").touch()
    refused = run(BUILD / "bin/lab", "start", tmp_path, folder=tmp_path)
    assert refused.returncode == 2 and "not empty" in refused.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_the_course_is_found_from_a_folder_below_it_and_by_its_launcher(course, tmp_path):
    below = run(BUILD / "bin/lab", "check", "01", "--json", folder=course / "labs/01_vector_add")
    assert below.returncode == 1 and '"starter"' in below.stdout, below.stderr
    elsewhere = run(course / "lab", "next", folder=tmp_path)
    assert elsewhere.returncode == 0 and KERNEL in elsewhere.stdout
    assert (course / ".lab/state.json").is_file() and not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", [("check", "01", "--solution"), ("bench", "01", "--encore")])
def test_a_command_that_needs_solutions_says_that_the_course_has_none(course, command):
    refused = run(course / "lab", *command, folder=course)
    assert refused.returncode == 2 and "this course has no solutions" in refused.stderr


def test_a_command_that_needs_the_sources_says_so(course):
    refused = run(course / "lab", "test", folder=course)
    assert refused.returncode == 2 and "needs a checkout" in refused.stderr


def test_reset_restores_a_starter_in_a_course_without_solutions(course):
    pristine = (course / KERNEL).read_text()
    (course / KERNEL).write_text("// mine\n")
    assert run(course / "lab", "reset", "01", folder=course).returncode == 0
    assert (course / KERNEL).read_text() == pristine
    assert [kept.read_text() for kept in course.glob(".lab/kept/01_vector_add/*.cu")] == ["// mine\n"]


def test_pack_leaves_out_starters_in_a_course_without_solutions(course):
    kernel = course / KERNEL
    before = kernel.read_text()
    kernel.write_text(before + "// mine\n")
    packed = run(course / "lab", "pack", folder=course)
    kernel.write_text(before)
    assert packed.returncode == 0 and "holds 1 kernel:" in packed.stdout, packed.stdout + packed.stderr


def test_a_teachers_course_has_the_solutions(tmp_path):
    course = start(BUILD / "bin/lab", tmp_path, "--with", "solutions")
    assert run(course / "lab", "check", "01.1", "--solution", folder=course).returncode == 0


def test_an_installed_program_outside_of_a_course_says_how_to_make_one(installed, tmp_path):
    program, environment = installed
    for command in (("check", "01"), ("next",), ("reset", "01")):
        refused = run(program, *command, folder=tmp_path, **environment)
        assert refused.returncode == 2 and "lab start mycourse" in refused.stderr, refused.stdout
    assert run(program, "explain", "race", folder=tmp_path, **environment).returncode == 0


def test_an_installed_program_checks_a_kernel_and_writes_nothing_beside_itself(installed, tmp_path):
    program, environment = installed
    before = sorted(program.parent.parent.rglob("*"))
    course = start(program, tmp_path)
    shutil.copy(ROOT / "solutions/01_vector_add/kernel.cu", course / KERNEL)
    passed = run(course / "lab", "check", "01", folder=course, **environment)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert list(pathlib.Path(environment["LAB_CACHE"]).glob("kernels/*.so"))
    assert sorted(program.parent.parent.rglob("*")) == before


def test_a_missing_compiler_is_named_with_its_package(installed, tmp_path):
    program, environment = installed
    course = start(program, tmp_path)
    refused = run(course / "lab", "check", "01", folder=course, LAB_CXX="/nonexistent/g++", **environment)
    assert refused.returncode == 3 and "apt-get install g++" in refused.stderr, refused.stdout + refused.stderr
