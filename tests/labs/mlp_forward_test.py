"""The digits and weights of lab 14, and whether its kernels read the digits."""
# ctest: slow

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("LAB_BUILD", ROOT / "build/sim"))
LAB = ROOT / "labs/14_mlp_forward"
sys.path.insert(0, str(LAB / "data"))
import train  # noqa: E402  (it lies beside the data)

LAUNCHERS = ("forward_naive", "forward_tiled", "forward")
ENOUGH = 0.94

# Reads images (n x 784 floats) and weights, runs one launcher, writes n x 10 probabilities.
PROGRAM = """
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "lab.hpp"

static std::vector<float> read(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  std::vector<float> values;
  for (float v; std::fread(&v, sizeof v, 1, file) == 1;) values.push_back(v);
  std::fclose(file);
  return values;
}

static float* upload(const float* values, size_t n) {
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, values, n * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

int main(int, char** argv) {
  const auto images = read(argv[1]), weights = read(argv[2]);
  const int batch = images.size() / 784;
  std::vector<float> probabilities(batch * 10);
  float* out = upload(probabilities.data(), probabilities.size());
  std::vector<float*> arrays;
  const float* next = weights.data();
  for (const int size : {78400, 100, 10000, 100, 1000, 10}) {
    arrays.push_back(upload(next, size));
    next += size;
  }
  LAUNCHER(upload(images.data(), images.size()), arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], out,
           batch);
  if (cudaMemcpy(probabilities.data(), out, probabilities.size() * sizeof(float), cudaMemcpyDeviceToHost)) return 1;
  std::FILE* file = std::fopen(argv[3], "wb");
  std::fwrite(probabilities.data(), sizeof(float), probabilities.size(), file);
  std::fclose(file);
}
"""


@pytest.fixture(scope="module")
def held_out():
    """The digits that the network was not trained on: images in [0, 1], and labels."""
    images, labels = train.load_digits()
    return images[train.TRAINED_ON :], labels[train.TRAINED_ON :]


def test_the_shipped_weights_read_digits_that_they_were_not_trained_on(held_out):
    assert len(held_out[1]) == 2000
    assert train.accuracy(*held_out, train.load_weights()) >= ENOUGH


def test_the_card_draws_from_digits_that_were_not_trained_on(held_out):
    shipped = np.fromfile(LAB / "data/held_out.bin", np.uint8)
    images, labels = np.split(shipped, [train.SHIPPED * 784])
    assert np.array_equal(images.reshape(-1, 784), held_out[0][: train.SHIPPED])
    assert np.array_equal(labels, held_out[1][: train.SHIPPED])


def test_no_held_out_digit_was_also_trained_on(held_out):
    seen = {image.tobytes() for image in train.load_digits()[0][: train.TRAINED_ON]}
    assert not any(image.tobytes() in seen for image in held_out[0])


def test_training_learns_and_repeats_itself(held_out):
    images, labels = (a[:2000] for a in train.load_digits())
    first, second = (train.train(images, labels, epochs=4, seed=3) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert train.accuracy(*held_out, first) > 0.8


def test_the_data_stay_small_and_name_their_licence():
    files = [p for p in (LAB / "data").iterdir() if p.is_file()]
    assert sum(p.stat().st_size for p in files) < 2_500_000
    note = (LAB / "data/README.md").read_text()
    assert "MNIST" in note and "Creative Commons Attribution-ShareAlike 3.0" in note


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_the_solution_reads_digits(launcher, held_out, tmp_path):
    program = tmp_path / "digits.cu"
    program.write_text(PROGRAM.replace("LAUNCHER", launcher))
    solution = ROOT / "solutions/14_mlp_forward/kernel.cu"
    compile_it = [BUILD / "bin/labcc", "--fast", "-std=c++20", "-I", LAB, program, solution, "-o", tmp_path / "digits"]
    subprocess.run(compile_it, check=True)
    images, labels = held_out
    (images / np.float32(255)).astype("<f4").tofile(tmp_path / "images")
    arguments = [tmp_path / "images", LAB / "data/weights.bin", tmp_path / "probabilities"]
    subprocess.run([tmp_path / "digits", *arguments], check=True)
    probabilities = np.fromfile(tmp_path / "probabilities", "<f4").reshape(-1, 10)
    assert np.mean(probabilities.argmax(axis=1) == labels) >= ENOUGH
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-5)
