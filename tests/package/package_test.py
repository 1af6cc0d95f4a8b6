"""The installed kernels in a project of somebody else's: find_package, link, call."""
# ctest: slow

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    run("ninja", "-C", BUILD, "lab.package")
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--component", "development", "--prefix", folder)
    return folder


@pytest.mark.parametrize("backend", ["sim", "cuda"])
def test_an_outside_project_builds_on_the_installed_kernels(prefix, tmp_path, backend):
    if backend == "cuda" and not list(prefix.glob("lib*/**/kernel_lab/cuda/*.so")):
        pytest.skip("this build has no GPU back end")
    build = tmp_path / "build"
    outside = ROOT / "tests/package/outside"
    run("cmake", "-G", "Ninja", "-S", outside, "-B", build, f"-DBACKEND={backend}", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("ninja", "-C", build)
    result = subprocess.run([build / "outside"], capture_output=True, text=True)
    if backend == "cuda" and result.returncode == 77:
        pytest.skip("it was built and linked; there is no GPU to run it on")
    assert result.returncode == 0 and result.stdout == "transposed\n", result.stdout + result.stderr


def test_a_wrong_component_is_refused_by_name(prefix, tmp_path):
    outside = ROOT / "tests/package/outside"
    result = subprocess.run(
        ["cmake", "-G", "Ninja", "-S", outside, "-B", tmp_path, "-DBACKEND=opencl", f"-DCMAKE_PREFIX_PATH={prefix}"],
        capture_output=True,
        text=True,
    )
    assert result.returncode != 0 and "name one back end" in result.stderr
