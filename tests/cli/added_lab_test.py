"""A lab is added by two folders and nothing else: build, commands and tests find it."""
# ctest: slow

import os
import shutil
import subprocess

import pytest

from checkout import BUILD, checkout
from conftest import ROOT

MADE_BY_COMMANDS = shutil.ignore_patterns("kernels", "patched", "Testing", "definitions", "package")
MOUNTS = ["bwrap", "--dev-bind", "/", "/"]


def mounts_work():
    return bool(shutil.which("bwrap")) and subprocess.run([*MOUNTS, "true"], capture_output=True).returncode == 0


class changed_project:
    """A copy of the project and its build, which a command sees in place of the originals.

    So the paths stay as they are, and only what the new labs change is compiled.
    """

    def __init__(self, folder):
        self.lab = checkout(folder, whole=True)
        self.build = folder / "build"
        shutil.copytree(BUILD, self.build, symlinks=True, ignore=MADE_BY_COMMANDS)
        if BUILD.is_relative_to(ROOT):
            (self.lab.root / BUILD.relative_to(ROOT)).mkdir(parents=True)  # a place to mount on

    def run(self, *command):
        mounts = [*MOUNTS, "--bind", self.lab.root, ROOT, "--bind", self.build, BUILD, "--chdir", ROOT]
        environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD), "COLUMNS": "1000"}
        return subprocess.run([*mounts, *command], env=environment, capture_output=True, text=True)


@pytest.mark.skipif(not mounts_work(), reason="bubblewrap cannot mount folders here")
def test_a_lab_is_added_by_two_folders_and_nothing_else(tmp_path):
    project = changed_project(tmp_path)
    root = project.lab.root
    for tree in ("labs", "solutions"):
        shutil.copytree(root / tree / "02_transpose_naive", root / tree / "97_again")
    (root / "tests/mutants/97_again").mkdir()
    shutil.copy(root / "tests/mutants/02_transpose_naive/no_guard.patch", root / "tests/mutants/97_again")
    assert project.lab.run("new", "98_from_template").returncode == 0
    built = project.run("ninja", "-C", BUILD, "lab.tools", "labs_test")
    assert built.returncode == 0, built.stdout + built.stderr
    program = BUILD / "bin/lab"
    for name in ("97_again", "98_from_template"):
        assert name in project.run(program, "list").stdout
        assert project.run(program, "check", name, "--solution", "--backend", "sim").returncode == 0
        assert project.run(program, "check", name, "--backend", "sim").returncode == 1
    lint = project.run(program, "lint", "98")
    assert lint.returncode == 0, lint.stdout + lint.stderr
    of_labs = [ROOT / "tests/project/lab_folders_test.py", "-k", "98_from_template", "-q", "-p", "no:cacheprovider"]
    kept = project.run("/usr/bin/python3", "-m", "pytest", *of_labs)
    assert kept.returncode == 0 and " passed" in kept.stdout, kept.stdout
    tests = project.run("ctest", "--test-dir", BUILD, "-R", "97_again|98_from_template", "-LE", "student")
    assert tests.returncode == 0 and "100% tests passed" in tests.stdout, tests.stdout
