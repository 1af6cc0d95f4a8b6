"""An installed tree of a build with CUDA has the GPU's runner, which finds the runtime of the machine's toolkit."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
TREE = "libexec/kernel_lab"


def environment(**more):
    return {**{name: value for name, value in os.environ.items() if not name.startswith("LAB_")}, **more}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("installed")
    for component in ("tools", "launcher"):
        command = ["cmake", "--install", BUILD, "--component", component, "--prefix", prefix]
        subprocess.run(command, check=True, capture_output=True, env=environment())
    return prefix


def doctor(installed, tmp_path):
    variables = environment(LAB_CACHE=str(tmp_path), COLUMNS="1000")
    done = subprocess.run(
        [installed / "bin/lab", "doctor"], capture_output=True, text=True, env=variables, cwd=tmp_path
    )
    (line,) = (line for line in done.stdout.splitlines() if "back end cuda" in line)
    return line


@pytest.mark.skipif(not (BUILD / "bin/lab-runner-cuda").exists(), reason="this build has no GPU back end")
def test_the_runner_is_installed_and_finds_the_toolkits_runtime(installed, tmp_path):
    runner = installed / TREE / "bin/lab-runner-cuda"
    needed = subprocess.run(["ldd", runner], capture_output=True, text=True, check=True).stdout
    assert re.search(r"libcudart\.so\.\d+ => /", needed), needed
    assert not list((installed / TREE / "lib").glob("libcudart*"))
    line = doctor(installed, tmp_path)
    assert line.startswith("yes") or "no usable GPU" in line or "nvcc is neither" in line, line


@pytest.mark.skipif(
    not shutil.which("nvcc") and not pathlib.Path("/usr/local/cuda/bin/nvcc").exists(), reason="no nvcc"
)
def test_a_package_without_the_runner_says_so_and_names_no_build_folder(installed, tmp_path):
    shutil.copytree(installed, tmp_path / "other", symlinks=True)
    (tmp_path / "other" / TREE / "bin/lab-runner-cuda").unlink(missing_ok=True)
    assert "this package has no GPU back end" in doctor(tmp_path / "other", tmp_path)
