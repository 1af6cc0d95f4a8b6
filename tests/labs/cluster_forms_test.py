"""Each form of lab 17's encore with clusters of blocks, traced: no block ends before what others do with its memory."""
# ctest: long

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
# A product whose ring goes around once and a bit more, with tiles beyond its edges. Every element of a and b is one.
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
    if (form.team == 1) continue;
    ring_kernel::plan how;
    how.form = i, how.turns = 1;
    how.blocks = ring_kernel::tiles_along(n, form.cluster_rows()) * ring_kernel::tiles_along(p, form.cluster_cols());
    multiply_by(how, a, b, c, {n, m, p});
    const bool done = cudaDeviceSynchronize() == cudaSuccess;
    int wrong = 0;
    for (int k = 0; k < n * p; ++k) wrong += c[k] != m;
    std::printf("%s %d\\n", done && wrong == 0 ? "right" : "wrong", form.team);
  }
}
"""


def test_every_form_with_clusters_is_right_and_without_hazards(tmp_path):
    source, program = tmp_path / "clusters.cu", tmp_path / "clusters"
    source.write_text(PROGRAM)
    [folder], [lab] = ((ROOT / room).glob("17_*") for room in ("solutions", "labs"))
    folders = [f"-I{path}" for path in (folder, lab, ROOT / "common/kernel")]
    command = [BUILD / "bin/labcc", "--trace", "-std=c++20", *folders, source, "-o", program]
    subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    assert done.stderr == ""
    forms = re.findall(r"form<|turned_form<", (folder / "forms.hpp").read_text())
    lines = done.stdout.splitlines()
    assert 10 < len(lines) < len(forms) and set(lines) == {"right 2", "right 4"}
