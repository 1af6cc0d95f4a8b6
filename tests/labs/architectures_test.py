"""nvcc compiles every solution and encore for every GPU that the lab asks for.

By default for the oldest architecture alone, because that is where instructions are missing; LAB_EVERY_ARCHITECTURE=1
asks for all of them, which takes minutes.
"""
# ctest: long

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NVCC = os.environ.get("LAB_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
ARCHITECTURES = ("75", "80", "86", "89", "90a", "100", "120")
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
LISTING = subprocess.run(
    [BUILD / "bin/lab", "list", "--json"],
    env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)},
    capture_output=True,
    check=True,
)
LABS = {one["lab"]: one for one in json.loads(LISTING.stdout)["labs"]}
KERNELS = sorted([*ROOT.glob("solutions/*/kernel.cu"), *ROOT.glob("solutions/*/encore.cu")])

pytestmark = pytest.mark.skipif(not pathlib.Path(NVCC).exists(), reason="nvcc is not installed")


def oldest(kernel):
    """The compute capability that the lab demands, as 75 for 7.5."""
    return max(round(LABS[kernel.parent.name]["least_capability"] * 10), 75)


def architectures(kernel):
    first_line = kernel.read_text().splitlines()[0]
    only = re.fullmatch(r"// arch: sm_(\w+)", first_line)
    wanted = [only[1]] if only else [a for a in ARCHITECTURES if int(a.rstrip("a")) >= oldest(kernel)]
    return wanted if os.environ.get("LAB_EVERY_ARCHITECTURE") else wanted[:1]


CASES = [(kernel, a) for kernel in KERNELS for a in architectures(kernel)]


@pytest.mark.parametrize(("kernel", "architecture"), CASES, ids=[f"{k.parent.name}-{k.stem}-{a}" for k, a in CASES])
def test_nvcc_compiles_it(kernel, architecture, tmp_path):
    command = [NVCC, "-std=c++20", f"-I{ROOT / 'labs' / kernel.parent.name}", "-cubin", "-o", tmp_path / "kernel.cubin"]
    flags = f"-gencode=arch=compute_{architecture},code=sm_{architecture}"
    done = subprocess.run([*command, flags, kernel], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
