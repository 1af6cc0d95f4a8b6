"""Lab 04's encore takes tall tiles for matrices that no test can afford: here it takes them for small ones."""
# ctest: slow

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
# No width is a multiple of 32, so all take tall tiles.
SIZES = ["4x4", "100x36", "320x100", "324x4", "640x68", "1000x132"]


def test_tall_tiles_are_right_at_every_edge(tmp_path):
    encore = (ROOT / "solutions/04_transpose_padded/encore.cu").read_text()
    small, changes = re.subn(r"large = 256 \* 1024 \* 1024;", "large = 0;", encore)
    assert changes == 1 and "launch<320, line, true>" in small
    kernel = tmp_path / "small.cu"
    kernel.write_text(small)
    command = [BUILD / "bin/lab", "check", "04", "--backend", "sim", "--kernel", kernel, "--size", *SIZES]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"passed .* 6 cases, no hazards", done.stdout), done.stdout

    kernel.write_text(small.replace("launch<320, line, true>(in, out, rows, cols);", ";"))
    assert subprocess.run(command, capture_output=True, cwd=tmp_path,
                          env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)}).returncode == 1
