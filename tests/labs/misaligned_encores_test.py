"""Encores accept arrays that begin between two vectors, which no case of `lab check` has: here all inputs are moved."""
# ctest: slow

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
MOVE = """
#include "encore.cu"

template <class T>
struct moved {
  T* data = nullptr;

  moved(const T* from, size_t count) {
    cudaMalloc(&data, (count + 1) * sizeof(T));
    cudaMemcpy(data + 1, from, count * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  ~moved() { cudaFree(data); }
  operator const T*() const { return data + 1; }
};
"""
HISTOGRAM = """
void histogram(const float* x, int* bins, int n, int nbins, float low, float high) {
  of_the_encore(moved<float>(x, n), bins, n, nbins, low, high);
}
"""
FORWARD = """
void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch) {
  of_the_encore(moved<float>(images, batch * 784), moved<float>(w1, 78400), moved<float>(b1, 100),
                moved<float>(w2, 10000), moved<float>(b2, 100), moved<float>(w3, 1000), b3, probabilities, batch);
}
"""
MATMUL = """
void matmul_bf16(const unsigned short* a, const unsigned short* b, float* c, int n, int m, int p) {
  of_the_encore(moved<unsigned short>(a, n * m), moved<unsigned short>(b, m * p), c, n, m, p);
}
"""
CASES = {
    "11.2": ("histogram", HISTOGRAM, ["2x3", "748x25", "70001x857", "131072x2", "200003x300"]),
    "14.2": ("forward", FORWARD, ["1", "37", "800"]),
    "17": ("matmul_bf16", MATMUL, ["1x1x1", "64x64x64", "200x512x72", "129x257x131", "8x300x3", "3x40x500"]),
}


@pytest.mark.parametrize("lab", CASES)
def test_an_encore_is_right_on_arrays_that_begin_between_two_vectors(lab, tmp_path):
    launcher, wrapper, sizes = CASES[lab]
    [folder] = (ROOT / "solutions").glob(lab[:2] + "_*")
    kernel = tmp_path / "moved.cu"
    for header in folder.glob("*.hpp"):
        shutil.copy(header, tmp_path)
    encore = (folder / "encore.cu").read_text()
    (tmp_path / "encore.cu").write_text(encore.replace(f"\nvoid {launcher}(", "\nvoid of_the_encore("))
    first = re.match(r"// arch: .*\n", encore)
    kernel.write_text((first[0] if first else "") + MOVE + wrapper)
    command = [BUILD / "bin/lab", "check", lab, "--backend", "sim", "--kernel", kernel, "--size", *sizes]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "LAB_ROOT": str(ROOT), "LAB_BUILD": str(BUILD)})
    text = " ".join(done.stdout.split())
    assert f"{2 * len(sizes)} cases in" in text and "correct " in text, done.stdout + done.stderr
    # Loads of elements one by one exceed the gates. For an encore these are remarks, but this is a file of its own.
    assert re.search(r"passed .* no hazards|FAILED .* gate: ", text), text
