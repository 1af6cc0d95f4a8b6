"""The autograder for Gradescope: its archive, its two scripts, and the results in Gradescope's documented format."""
# ctest: long

import json
import os
import re
import shutil
import subprocess
import zipfile

import pytest

from conftest import BUILD, HOSTILE, LAB_04, SOLUTIONS, classroom, solution, starter

LAB_01 = SOLUTIONS[0].name
# https://gradescope-autograders.readthedocs.io/en/latest/specs/
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
DOCUMENTED = {
    "score": (int, float), "execution_time": (int, float), "output": str, "output_format": FORMATS,
    "test_output_format": FORMATS, "test_name_format": FORMATS, "visibility": VISIBILITIES,
    "stdout_visibility": VISIBILITIES, "extra_data": dict, "tests": list, "leaderboard": list,
}  # fmt: skip
DOCUMENTED_TEST = {
    "score": (int, float), "max_score": (int, float), "status": {"passed", "failed"}, "name": str,
    "name_format": FORMATS, "number": str, "output": str, "output_format": FORMATS, "tags": list,
    "visibility": VISIBILITIES, "extra_data": dict,
}  # fmt: skip
DOCUMENTED_LEADER = {"name": str, "value": (int, float, str), "order": {"asc", "desc"}}


def require_keys(document, known):
    for key, value in document.items():
        assert key in known, key
        allowed = known[key]
        assert value in allowed if isinstance(allowed, set) else isinstance(value, allowed), (key, value)


def require_documented(results):
    require_keys(results, DOCUMENTED)
    for test in results["tests"]:
        require_keys(test, DOCUMENTED_TEST)
    for leader in results.get("leaderboard", []):
        require_keys(leader, DOCUMENTED_LEADER)


def metadata(created, due, extension=None):
    """What Gradescope writes into submission_metadata.json, shortened."""
    user = {"email": "ada@example.com", "id": 1234, "name": "Ada King"}
    if extension:
        user["assignment"] = {"release_date": "2026-10-01T00:00:00.000000-07:00", "due_date": extension,
                              "late_due_date": None}  # fmt: skip
    return {
        "id": 123456, "created_at": created,
        "assignment": {"due_date": due, "group_size": None, "group_submission": False, "id": 25828, "course_id": 1234,
                       "late_due_date": None, "release_date": "2026-10-01T00:00:00.000000-07:00", "title": "Kernels",
                       "total_points": "20.0"},
        "submission_method": "upload", "users": [user], "previous_submissions": [],
    }  # fmt: skip


LABS = ("--labs", "01,04")
RULES = {"default": {"fresh_sizes": 0}, "late": {"deadline": "2000-01-01T00:00:00Z", "percent_per_day": 10}}
DUE = "2026-11-20T23:00:00.000000-07:00"
IN_TIME = metadata("2026-11-20T22:59:59.365935-07:00", DUE)


def archive_of(room, *options):
    made = room.grade("--make-gradescope", room.out.with_name("made"), *LABS, *options)
    if "would not run on Gradescope's Ubuntu 22.04" in made.stderr:
        pytest.skip("programs that this system builds do not run on Ubuntu 22.04")
    assert made.returncode == 0, made.stderr
    return zipfile.ZipFile(room.out.with_name("made") / "autograder.zip")


def checksums(archive):
    return {one.filename: one.CRC for one in archive.infolist()}


class autograder:
    """Gradescope's folders, without its container; setup.sh has run there, with packages of this machine."""

    def __init__(self, room):
        self.folder = room.out.with_name("autograder")
        with archive_of(room, *room.policy(RULES)) as archive:
            self.checksums = checksums(archive)
            for one in archive.infolist():
                file = archive.extract(one, self.folder / "source")
                os.chmod(file, one.external_attr >> 16 & 0o777)
        (self.folder / "results").mkdir()
        subprocess.run(["chmod", "-R", "o+X", self.folder], check=True)
        self.shipped = self.programs()
        self.set_up, self.forbidden = self.run_setup()

    def programs(self):
        tree = self.folder / "source/kernel-lab"
        return {file: file.read_bytes() for folder in ("bin", "lib") for file in (tree / folder).iterdir()}

    def start(self, script, **environment):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LAB_")}
        paths = {"AUTOGRADER": str(self.folder), "LAB_CACHE": str(self.folder / "cache")}
        return subprocess.run(
            [self.folder / "source" / script], env={**kept, **paths, **environment},
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def run_setup(self):
        """Returns the result of setup.sh and which forbidden commands it called."""
        commands, calls = self.folder / "commands", self.folder / "calls"
        commands.mkdir(exist_ok=True)
        calls.write_text("")
        for name, code in {"apt-get": 0, "cmake": 1, "ninja": 1, "make": 1, "git": 1}.items():
            (commands / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{calls}\nexit {code}\n')
            (commands / name).chmod(0o755)
        done = self.start("setup.sh", PATH=f"{commands}:{os.environ['PATH']}")
        return done, calls.read_text().splitlines()

    def run(self, times=IN_TIME, **kernels):
        shutil.rmtree(self.folder / "submission", ignore_errors=True)
        (self.folder / "submission").mkdir()
        for number, text in kernels.items():
            (self.folder / f"submission/{number[1:]}_kernel.cu").write_text(text)
        (self.folder / "submission_metadata.json").write_text(json.dumps(times))
        (self.folder / "results/results.json").unlink(missing_ok=True)
        done = self.start("run_autograder")
        results = json.loads((self.folder / "results/results.json").read_text())
        assert results["tests"], results["output"] + done.stdout + done.stderr
        require_documented(results)
        return results


@pytest.fixture(scope="module")
def grader(class_folder):
    return autograder(classroom(class_folder))


def test_the_archive_holds_built_programs_their_libraries_and_two_scripts(grader):
    names = set(grader.checksums)
    assert {"setup.sh", "run_autograder", "policy.json", "labs", "kernel-lab/bin/lab", "kernel-lab/bin/labcc"} <= names
    assert {"kernel-lab/lib/liblab-sim.so", f"kernel-lab/solutions/{LAB_01}/kernel.cu"} <= names
    assert [name for name in names if re.match(r"kernel-lab/lib/libfmt\.so", name)]
    own = [name for name in names if not name.startswith("kernel-lab/common/cli/new_lab/")]  # the template of a lab
    assert not [name for name in own if name.endswith((".cpp", "CMakeLists.txt", "lab-runner-cuda"))]


def test_setup_uses_the_shipped_programs_and_compiles_none(grader):
    assert grader.set_up.returncode == 0, grader.set_up.stdout + grader.set_up.stderr
    assert [call.split()[:2] for call in grader.forbidden] == [["apt-get", "update"], ["apt-get", "install"]]
    assert grader.programs() == grader.shipped
    made = {file.name for file in (grader.folder / "source/kernel-lab/precompiled").rglob("*") if file.is_file()}
    assert {"fast", "trace"} <= made, made
    assert not list(grader.folder.glob("test-*"))


def test_only_the_chosen_labs_are_graded(grader):
    results = grader.run(_01=solution(LAB_01), _04=solution(LAB_04), _05="#error not chosen")
    assert [test["name"] for test in results["tests"]] == [LAB_01, LAB_04]
    assert [test["number"] for test in results["tests"]] == ["01", "04"]
    assert {test["status"] for test in results["tests"]} == {"passed"} and results["score"] == 20
    assert "leaderboard" not in results


def test_a_test_names_every_public_case_and_what_failed(grader):
    test = grader.run(_01=starter(LAB_01))["tests"][0]
    assert test["status"] == "failed" and test["max_score"] == 10
    assert re.search(r"^wrong_answer: .*vector_add", test["output"], re.MULTILINE)
    assert len(re.findall(r"^  (?:pass|wrong_answer) +vector_add", test["output"], re.MULTILINE)) >= 5


@pytest.mark.parametrize(
    ("created", "extension", "score"),
    [
        ("2026-11-20T22:59:59.365935-07:00", None, 10),
        ("2026-11-21T23:00:01.000001-07:00", None, 8),
        ("2026-11-21T05:59:00.000000+00:00", None, 10),
        ("2026-11-21T23:00:01.000001-07:00", "2026-11-21T23:30:00.000000-07:00", 10),
    ],
)
def test_lateness_comes_from_gradescopes_times(grader, created, extension, score):
    results = grader.run(metadata(created, DUE, extension), _01=solution(LAB_01))
    assert results["score"] == score
    assert ("2 days late: 20% of the points are lost" in results["tests"][0]["output"]) == (score == 8)


def test_a_leaderboard_shows_traffic_of_kernels_that_pass(grader, room):
    with archive_of(room, *room.policy({**RULES, "leaderboard": "traffic"})) as archive:
        other = checksums(archive)
        assert {name for name in other if other[name] != grader.checksums.get(name)} == {"policy.json"}
        rules = archive.read("policy.json")
    policy = grader.folder / "source/policy.json"
    before = policy.read_bytes()
    policy.write_bytes(rules)
    try:
        results = grader.run(_01=solution(LAB_01), _04=(HOSTILE / "segv.cu").read_text())
    finally:
        policy.write_bytes(before)
    (leader,) = results["leaderboard"]
    assert leader["name"].startswith("01 load_sectors ") and leader["order"] == "asc" and leader["value"] > 0


def test_setup_fails_if_a_solution_does_not_pass(grader):
    file = grader.folder / f"source/kernel-lab/solutions/{LAB_01}/kernel.cu"
    file.write_text(starter(LAB_01))
    try:
        done, _ = grader.run_setup()
    finally:
        file.write_text(solution(LAB_01))
    assert done.returncode == 1 and "wrong_answer" in done.stdout, done.stdout + done.stderr


def installed(folder, *components):
    """The program of an installed tree."""
    for component in components:
        command = ["cmake", "--install", BUILD, "--component", component, "--prefix", folder]
        subprocess.run(command, check=True, capture_output=True)
    return folder / "libexec/kernel_lab/bin/lab"


def made_by(program, folder):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LAB_")}
    command = [program, "grade", "--make-gradescope", folder]
    return subprocess.run(command, env={**kept, "COLUMNS": "1000"}, capture_output=True, text=True)


def test_an_installed_tree_makes_the_archive_too(tmp_path):
    done = made_by(installed(tmp_path / "tree", "tools", "libraries"), tmp_path / "made")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "made/autograder.zip") as archive:
        assert archive.getinfo("kernel-lab/bin/lab").external_attr >> 16 & 0o111
        assert "kernel-lab/labs/01_vector_add/lab.hpp" in archive.namelist()


def test_a_tree_that_uses_the_systems_libraries_is_refused(tmp_path):
    done = made_by(installed(tmp_path / "tree", "tools"), tmp_path / "made")
    assert done.returncode == 1 and "lab needs " in done.stderr and "libfmt.so" in done.stderr
    assert "Use the wheel or the tarball" in done.stderr and not (tmp_path / "made").exists()
