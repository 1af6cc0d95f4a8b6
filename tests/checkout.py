"""A copy of the project, in which a test may run commands that write."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
needs_patch = pytest.mark.skipif(not shutil.which("patch"), reason="the program patch is not installed")
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))


class checkout:
    """A copy of the tree, in which commands may write, with the binaries of the real build.

    Commands write into labs, solutions and report; the other folders are links to the real ones, unless all are wanted.
    """

    WRITTEN = {"labs", "solutions", "report"}

    def __init__(self, folder, whole=False):
        self.root = folder / "kernel-lab"
        self.root.mkdir()
        for entry in ROOT.iterdir():
            if entry.name in self.made_here(ROOT, [entry.name]):
                continue
            if entry.is_file():
                shutil.copy2(entry, self.root)
            elif whole or entry.name in self.WRITTEN:
                shutil.copytree(entry, self.root / entry.name, ignore=self.made_here)
            else:
                (self.root / entry.name).symlink_to(entry)
        # A student may have solved labs in the real tree; here everybody begins.
        for starter in self.root.glob("solutions/*/starter.cu"):
            shutil.copy(starter, self.root / "labs" / starter.parent.name / "kernel.cu")

    @staticmethod
    def made_here(folder, names):
        """What commands make in a checkout; common/build is a room of the harness."""
        at_the_top = {"build", ".git", ".lab", ".debs"} if pathlib.Path(folder) == ROOT else set()
        return set(names) & (at_the_top | {"out", "__pycache__", ".cache"})

    def mutant(self, name):
        """Applies tests/mutants/NAME.patch and returns the kernel, in this copy; a test that calls it needs_patch."""
        kernel = self.root / f"{pathlib.Path(name).name}.cu"
        solution = self.root / "solutions" / pathlib.Path(name).parent / "kernel.cu"
        patch = self.root / "tests/mutants" / f"{name}.patch"
        subprocess.run(["patch", "--silent", "--output", kernel, solution, patch], check=True)
        return kernel

    def environment(self, **more):
        """Wide, so that a test finds its phrases unbroken; terminal_test.py tests where lines break."""
        wide = {"COLUMNS": "1000", "LAB_ROOT": str(self.root), "LAB_BUILD": str(BUILD)}
        return {**os.environ, **wide, **more}

    def start(self, *arguments):
        return subprocess.Popen(
            [BUILD / "bin/lab", *arguments],
            env=self.environment(),
            cwd=self.root,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments, **environment):
        return self.execute([BUILD / "bin/lab", *arguments], self.environment(**environment))

    def execute(self, command, environment, folder=None, stdout=subprocess.PIPE):
        return subprocess.run(
            command,
            env=environment,
            cwd=folder or self.root,
            text=True,
            timeout=300,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
