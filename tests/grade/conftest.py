import contextlib
import csv
import json
import os
import pathlib
import subprocess
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
HOSTILE, HONEST = ROOT / "tests/grade/hostile", ROOT / "tests/grade/honest"
SOLUTIONS = sorted((ROOT / "solutions").glob("[0-9][0-9]_*"))
LAB_04 = next(p.name for p in SOLUTIONS if p.name.startswith("04"))


def solution(lab):
    return (ROOT / "solutions" / lab / "kernel.cu").read_text()


def starter(lab):
    return (ROOT / "solutions" / lab / "starter.cu").read_text()


class classroom:
    """A folder of submissions, a folder of grades, and the command between them."""

    def __init__(self, folder):
        self.submissions, self.out = folder / "submissions", folder / "grades"
        self.submissions.mkdir()

    def hand_in(self, student, **files):
        """files: the text for each lab by its number, such as _01."""
        folder = self.submissions / student
        folder.mkdir(exist_ok=True)
        for number, text in files.items():
            (folder / f"{number[1:]}_kernel.cu").write_text(text)
        return folder

    def command(self, *arguments):
        return [BUILD / "bin/lab", "grade", self.submissions, "--out", self.out, "--backend", "sim", *arguments]

    def environment(self, **more):
        return {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD), **more}

    def start(self, *arguments):
        return subprocess.Popen(
            self.command(*arguments),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def grade(self, *arguments, **environment):
        return subprocess.run(
            self.command(*arguments),
            env=self.environment(**environment),
            text=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )

    def run(self, *arguments):
        """The command without submissions."""
        return subprocess.run(
            [BUILD / "bin/lab", "grade", "--out", self.out, *arguments],
            env=self.environment(),
            text=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )

    def policy(self, document):
        file = self.submissions.parent / "policy.json"
        file.write_text(json.dumps(document))
        return "--policy", file

    def rows(self):
        document = json.loads((self.out / "grades.json").read_text())
        assert document["schema"] == 1
        return {(row["student"], row["lab"]): row for row in document["rows"]}

    def row(self, student, number="01"):
        return next(row for (name, lab), row in self.rows().items() if name == student and lab.startswith(number))

    def table(self):
        with open(self.out / "grades.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def log(self):
        lines = (self.out / ".grade/log.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]


@contextlib.contextmanager
def passable_folder():
    # Not pytest's tmp_path: as root, untrusted programs run as another user, which must be able to read the sources.
    # Every pytest that starts meanwhile removes that permission from the folder above all tmp_paths.
    with tempfile.TemporaryDirectory(prefix="kernel-lab-", ignore_cleanup_errors=True) as folder:
        pathlib.Path(folder).chmod(0o711)
        yield pathlib.Path(folder)


@pytest.fixture
def room():
    with passable_folder() as folder:
        yield classroom(folder)


@pytest.fixture(scope="module")
def class_folder():
    """For a class that is graded once, whose reports several tests read."""
    with passable_folder() as folder:
        yield folder
