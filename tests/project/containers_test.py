"""The Dockerfiles and the devcontainer agree with the project; images_test.py builds them where an engine is."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "containers"))
import build_in_root  # noqa: E402

DOCKERFILES = sorted(ROOT.glob("containers/*/Dockerfile"))
APT_LISTS = pathlib.Path("/var/lib/apt/lists")
OS_RELEASE = pathlib.Path("/etc/os-release").read_text()
# What students and the devcontainer get beside the launcher's packages.
COMFORTS = {"bash-completion", "ca-certificates", "clangd", "git", "less", "nano"}


def steps(path):
    return build_in_root.steps(path.read_text())


def packages(path):
    (install,) = (text for word, text in steps(path) if word == "RUN" and "apt-get install" in text)
    return set(re.search(r"--no-install-recommends (.*?) &&", install)[1].split())


def launcher_packages():
    text = (ROOT / "lab").read_text()
    lists = (re.search(rf'^{name}="([^"]*)"', text, re.MULTILINE)[1] for name in ("build_packages", "python_packages"))
    return {package for names in lists for package in names.split()}


def test_there_is_one_for_students_and_one_for_graders():
    assert [path.parent.name for path in DOCKERFILES] == ["graders", "students"]


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.parent.name)
def test_a_container_has_the_packages_of_the_launcher(path):
    more = COMFORTS if path.parent.name == "students" else {"similarity-tester"}
    assert packages(path) == launcher_packages() | more


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.parent.name)
def test_a_container_builds_the_tools_and_starts_the_launcher(path):
    words = [word for word, _ in steps(path)]
    assert words[0] == "FROM" and set(words) <= {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "CMD", "ENTRYPOINT"}
    assert ("RUN", "./lab list") in steps(path)
    started = [json.loads(text) for word, text in steps(path) if word in ("CMD", "ENTRYPOINT")]
    assert started and started[0][0].endswith("lab")
    assert words.index("COPY") < words.index("CMD")


def test_a_student_is_not_root_and_owns_the_course():
    text = steps(ROOT / "containers/students/Dockerfile")
    assert ("COPY", "--chown=student:student . /course") in text
    assert text.index(("USER", "student")) < text.index(("RUN", "./lab list"))


def test_what_commands_make_is_not_copied():
    patterns = build_in_root.patterns_in(ROOT)
    for made in ("build", ".git", ".lab", "report/out", "labs/01_vector_add/__pycache__"):
        assert build_in_root.ignored(patterns, pathlib.Path(made)), made
    for kept in ("labs", "common/build", "report", "lab", "report/results"):
        assert not build_in_root.ignored(patterns, pathlib.Path(kept)), kept


def test_the_devcontainer_names_what_exists():
    document = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    dockerfile = ROOT / ".devcontainer" / document["build"]["dockerfile"]
    stages = re.findall(r"^FROM \S+ AS (\w+)$", dockerfile.read_text(), re.MULTILINE)
    assert document["build"]["target"] in stages
    assert (ROOT / ".devcontainer" / document["build"]["context"]).resolve() == ROOT
    assert f"useradd --create-home --uid 1000 --shell /bin/bash {document['remoteUser']}" in dockerfile.read_text()
    for opened in document["customizations"]["codespaces"]["openFiles"]:
        assert (ROOT / opened).is_file()
    assert document["postAttachCommand"] == "./lab watch"


@pytest.mark.skipif(not shutil.which("apt-cache"), reason="apt-cache is not installed")
@pytest.mark.skipif("ID=debian\n" not in OS_RELEASE, reason="this system is not Debian")
@pytest.mark.skipif(not any(APT_LISTS.glob("*_Packages*")), reason="apt has no lists of packages here")
def test_debian_has_every_package():
    wanted = set().union(*map(packages, DOCKERFILES))
    known = subprocess.run(["apt-cache", "show", "--no-all-versions", *sorted(wanted)], capture_output=True, text=True)
    found = set(re.findall(r"^Package: (\S+)", known.stdout, re.MULTILINE))
    assert wanted - found == set()
