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

    Files are slow to make, so it copies labs/ and links the rest: each folder in which commands make files is real, and
    its entries are links. A test that changes a linked folder calls `own` first.
    """

    WRITTEN = (".", "solutions", "report", "tests", "tests/mutants")

    def __init__(self, folder, whole=False):
        self.root = folder / "kernel-lab"
        if whole:
            shutil.copytree(ROOT, self.root, ignore=self.made_here)
        else:
            for place in self.WRITTEN:
                self.link_entries(place)
            self.own("labs")
        # A student may have solved labs in the real tree; here everybody begins.
        for starter in self.root.glob("solutions/*/starter.cu"):
            shutil.copy(starter, self.root / "labs" / starter.parent.name / "kernel.cu")

    def link_entries(self, place):
        (self.root / place).mkdir(parents=True)
        entries = [entry.name for entry in (ROOT / place).iterdir()]
        for name in set(entries) - self.made_here(ROOT / place, entries):
            inner = (pathlib.Path(place) / name).as_posix()
            if inner not in self.WRITTEN:
                (self.root / inner).symlink_to(ROOT / inner)

    def own(self, place):
        """Makes a linked folder a copy, and returns its path."""
        (self.root / place).unlink()
        return shutil.copytree(ROOT / place, self.root / place, ignore=self.made_here)

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

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [BUILD / "bin/lab", *arguments],
            env=self.environment(**environment),
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
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
