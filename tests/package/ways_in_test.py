"""Every way in of the README's table, in a bare system: packages, a checkout, notebooks, containers.

    LAB_BARE_ROOTS=FOLDER /usr/bin/python3 -m pytest tests/package/ways_in_test.py

FOLDER keeps the bare systems, 0.3 GB each, and gets ways_in.txt with the measured seconds. LAB_DEBIAN_MIRROR and
LAB_UBUNTU_MIRROR name other mirrors. All of it takes about half an hour on two cores.
"""
# ctest: slow

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
DEBIAN = os.environ.get("LAB_DEBIAN_MIRROR", "http://deb.debian.org/debian")
UBUNTU = os.environ.get("LAB_UBUNTU_MIRROR", "http://archive.ubuntu.com/ubuntu")
MIRRORS = {"bookworm": DEBIAN, "trixie": DEBIAN, "jammy": UBUNTU, "noble": UBUNTU}
MEASURED = re.compile(r"^bare: \w+: (?P<what>.*) in (?P<wall>[\d.]+) s \(.* load (?P<load>[\d.]+)\)$", re.M)
# Seconds on two cores. A machine on which more runs than this is no measure: even processor seconds double there.
IDLE = 3.5
GOALS = {
    "wheel: first verdict": 30,
    "tarball: first verdict": 30,
    "Debian package: first verdict": 30,
    "checkout: first verdict, packages present": 60,
    "checkout: everything built": 150,
    "checkout: ./lab demo, packages absent": 240,
}

if not os.environ.get("LAB_BARE_ROOTS"):
    pytest.skip("LAB_BARE_ROOTS names no folder for bare systems", allow_module_level=True)
if os.geteuid() != 0 or not shutil.which("debootstrap"):
    pytest.skip("bare systems need root and debootstrap", allow_module_level=True)


def run(*command, seconds=3600, **environment):
    done = subprocess.run(
        [str(word) for word in command], cwd=ROOT, env={**os.environ, **environment}, timeout=seconds,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:]
    return done.stdout


def bare(script, suite, *arguments):
    """What the script printed; its measured seconds are kept and held against the goals."""
    output = run("bash", ROOT / "tests/package" / script, suite, MIRRORS[suite], *arguments)
    lines = list(MEASURED.finditer(output))
    assert lines, output
    with open(pathlib.Path(os.environ["LAB_BARE_ROOTS"], "ways_in.txt"), "a") as kept:
        kept.writelines(line[0] + "\n" for line in lines)
    for line in lines:
        if float(line["load"]) <= IDLE:
            assert float(line["wall"]) <= GOALS.get(line["what"], 3600), line[0]
    return output


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """{name's ending: file} of the wheel, the tarball and the Debian package of this checkout."""
    folder = tmp_path_factory.mktemp("packages")
    run("ninja", "-C", BUILD, "lab.tarball", "lab.deb")
    run("python3", "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ".")
    found = [*folder.glob("*.whl"), *(BUILD / "packages").glob("*.tar.gz"), *(BUILD / "packages").glob("*.deb")]
    return {file.suffix: file for file in found}


@pytest.mark.parametrize("suite", MIRRORS)
def test_the_wheel_gives_a_user_without_root_a_first_verdict(packages, suite):
    bare("bare_root.sh", suite, packages[".whl"])


@pytest.mark.parametrize("suite", MIRRORS)
def test_the_tarball_gives_a_user_without_root_a_first_verdict(packages, suite):
    bare("bare_root.sh", suite, packages[".gz"])


def test_the_debian_package_gives_a_first_verdict(packages):
    here = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    if here not in MIRRORS:
        pytest.skip(f"a Debian package suits the release that built it, and {here} is no bare system here")
    bare("bare_root.sh", here, packages[".deb"])


def test_a_checkout_gives_a_user_without_root_a_first_verdict():
    bare("bare_checkout.sh", "bookworm", "check")


def test_the_demo_runs_on_a_system_without_packages():
    bare("bare_checkout.sh", "bookworm", "demo")


@pytest.mark.parametrize("suite", ["jammy", "bookworm"])
def test_a_notebook_checks_kernels_and_programs_from_the_wheel(packages, suite):
    bare("bare_notebook.sh", suite, packages[".whl"])


@pytest.mark.parametrize("container", ["students", "graders", "devcontainer"])
def test_the_steps_of_a_container_make_a_machine_that_works(container):
    bare("bare_container.sh", "bookworm", container)
