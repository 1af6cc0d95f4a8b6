"""Forms of lab 17's encore whose blocks or warpgroups depend on each other, traced: no block ends before what others of
its cluster do with its memory, and crews that take turns at a block's tiles keep apart in the ring.
"""
# ctest: long

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
# A product whose ring goes around several times, with tiles beyond its edges. A block with crews has several tiles.
# Every element of a and b is one.
PROGRAM = """
#include <cstdio>

#include "encore.cu"

int main() {
  constexpr int n = 520, m = 1160, p = 776;
  unsigned short *a, *b;
  float* c;
  cudaMallocManaged(&a, n * m * sizeof *a);
  cudaMallocManaged(&b, m * p * sizeof *b);
  cudaMallocManaged(&c, n * p * sizeof *c);
  for (int i = 0; i < n * m; ++i) a[i] = 0x3f80;
  for (int i = 0; i < m * p; ++i) b[i] = 0x3f80;
  for (int i = 0; i < ring_kernel::forms_count; ++i) {
    const auto& form = ring_kernel::forms[i];
    if (form.team == 1 && form.crews == 1) continue;
    const int down = ring_kernel::tiles_along(n, form.cluster_rows());
    const int tiles = down * ring_kernel::tiles_along(p, form.cluster_cols());
    ring_kernel::plan how;
    how.form = i;
    how.blocks = form.crews == 1 ? tiles : (tiles + 3) / 4;
    how.turns = (tiles - 1) / how.blocks + 1;
    multiply_by(how, a, b, c, {n, m, p});
    const bool done = cudaDeviceSynchronize() == cudaSuccess;
    int wrong = 0;
    for (int k = 0; k < n * p; ++k) wrong += c[k] != m;
    std::printf("%s %d %d\\n", done && wrong == 0 ? "right" : "wrong", form.team, form.crews);
  }
}
"""


def test_forms_with_clusters_or_crews_are_right_and_without_hazards(tmp_path):
    source, program = tmp_path / "forms.cu", tmp_path / "forms"
    source.write_text(PROGRAM)
    [folder], [lab] = ((ROOT / room).glob("17_*") for room in ("solutions", "labs"))
    folders = [f"-I{path}" for path in (folder, lab, ROOT / "common/kernel")]
    command = [BUILD / "bin/labcc", "--trace", "-std=c++20", *folders, source, "-o", program]
    subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert set(lines) == {"right 1 2", "right 2 1", "right 4 1", "right 8 1", "right 4 2"}
    with_crews = (folder / "forms.hpp").read_text().count("<paired_form<")
    assert sum(line.endswith("2") for line in lines) == with_crews > 0
