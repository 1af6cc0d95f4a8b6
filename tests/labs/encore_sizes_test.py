"""Encores choose among kernels by size. Here are sizes that the labs do not check, at least one for each kernel."""
# ctest: slow

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
SIZES = {
    "04": ["3x20000", "32x16641", "20001x5", "1x20000", "1026x1027", "131x4"],  # thin, unaligned large, small
    "09.2": ["50x60x7x7x1", "40x42x9x9x1", "61x77x11x11x1", "13x12x11x11x1"],  # loads of 4, 2 and 1 elements
    "11.2": ["50003x20000", "9001x57000", "10007x766", "10007x768"],  # up to all shared memory, 16 columns and one
}


@pytest.mark.parametrize("lab", SIZES)
@pytest.mark.parametrize("gpu", ["h200", "t4"])
def test_an_encore_is_right_at_the_sizes_of_each_of_its_kernels(lab, gpu, tmp_path):
    command = [BUILD / "bin/lab", "check", lab, "--encore", "--gpu", gpu, "--size", *SIZES[lab]]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)},
    )
    text = " ".join(done.stdout.split())
    inputs = 1 if lab == "04" else 2  # of a size: the transpose has no rounding, so whole numbers are enough
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(rf"passed .* {inputs * len(SIZES[lab])} cases, no hazards", text), text
