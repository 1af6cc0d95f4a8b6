"""Each form of lab 14's kernel for tensor cores is right for few images, too. The encore takes them only for many,
which are not traced."""
# ctest: slow

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
[FOLDER] = (ROOT / "solutions").glob("14_*")
FORMS = re.findall(r"form<([\d, ]+)>\{\}", (FOLDER / "by_tensor_cores.hpp").read_text())
KERNEL = """
#include "lab.hpp"

#include "by_tensor_cores.hpp"

void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch) {
  using form = tf32::form<FORM>;
  const auto launch = batch % 2 == 0 ? tf32::launch<true, form> : tf32::launch<false, form>;
  launch(images, {w1, b1, w2, b2, w3, b3}, probabilities, batch);
}
"""
SIZES = ["1", "36", "129", "130"]  # images loaded by vectors if even, and one block or two


def test_the_kernel_has_forms():
    assert len(FORMS) > 1


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_right_for_few_images(form, tmp_path):
    for header in FOLDER.glob("*.hpp"):
        shutil.copy(header, tmp_path)
    kernel = tmp_path / "one_form.cu"
    kernel.write_text(KERNEL.replace("FORM", form))
    command = [BUILD / "bin/lab", "check", "14.2", "--backend", "sim", "--kernel", kernel, "--size", *SIZES]
    environment = {**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    text = " ".join(done.stdout.split())
    assert re.search(rf"passed .* {2 * len(SIZES)} cases, no hazards", text), done.stdout + done.stderr
