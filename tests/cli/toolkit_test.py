"""`lab cc --as-nvcc` makes a folder in the form of NVIDIA's toolkit, with which makefiles work unchanged."""

import shutil
import subprocess

import pytest

KERNEL = """#include <cstdio>
__global__ void add(int* sum) { atomicAdd(sum, 1); }
extern "C" int count() {
  int *d, h = 0;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  add<<<2, 32>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  int* unused = new int;
  delete unused;
  return h;
}
"""
MAIN = """#include <stdio.h>
int count(void);
int main(void) {
  printf("%d\\n", count());
  return 0;
}
"""
MAKEFILE = """CUDA_PATH ?= /usr/local/cuda
program: kernel.o main.o
\tgcc kernel.o main.o -L$(CUDA_PATH)/lib64 -lcudart -lm -o program
kernel.o: kernel.cu
\tnvcc -O2 -arch=sm_80 -c kernel.cu
main.o: main.c
\tgcc -c main.c
"""
CMAKE_LISTS = """cmake_minimum_required(VERSION 3.20)
project(program LANGUAGES C CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 80 90)
add_executable(program kernel.cu main.cpp)
target_compile_options(program PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>)
set_target_properties(program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(program PRIVATE CUDA::cudart)
"""


@pytest.fixture
def toolkit(lab, tmp_path):
    folder = tmp_path / "toolkit"
    made = lab.run("cc", "--as-nvcc", str(folder))
    assert made.returncode == 0, made.stderr
    assert "env.sh" in made.stdout
    return folder


def in_toolkit(toolkit, folder, command):
    script = f". '{toolkit}/env.sh' && {command}"
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True)


def test_a_makefile_that_compiles_with_nvcc_and_links_with_gcc_works_unchanged(toolkit, tmp_path):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    for name, text in {"kernel.cu": KERNEL, "main.c": MAIN, "Makefile": MAKEFILE}.items():
        (tmp_path / name).write_text(text)
    built = in_toolkit(toolkit, tmp_path, "make && ./program")
    assert built.returncode == 0, built.stdout + built.stderr
    assert built.stdout.splitlines()[-1] == "64"


def test_cmake_takes_its_nvcc_for_nvidias(toolkit, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    main = MAIN.replace("int count(void);", '#include <cuda_runtime.h>\nextern "C" int count(void);')
    for name, text in {"kernel.cu": KERNEL, "main.cpp": main, "CMakeLists.txt": CMAKE_LISTS}.items():
        (tmp_path / name).write_text(text)
    built = in_toolkit(toolkit, tmp_path, "cmake -S . -B build && cmake --build build && build/program")
    assert built.returncode == 0, built.stdout + built.stderr
    assert "CUDA compiler identification is NVIDIA 13.0.0" in built.stdout
    assert built.stdout.splitlines()[-1] == "64"


def test_its_nvcc_takes_options_from_the_environment_and_tells_a_release(toolkit, tmp_path):
    (tmp_path / "stray.cu").write_text(
        "__global__ void k(int* p) { p[32] = 1; }\n"
        "int main() { int* p; cudaMalloc(&p, 128); k<<<1, 1>>>(p); cudaDeviceSynchronize(); }\n"
    )
    traced = in_toolkit(toolkit, tmp_path, "LABCC_FLAGS=--trace nvcc stray.cu -o stray && ./stray")
    assert "stray.cu:1: error: out_of_bounds" in traced.stderr
    assert "release 13.0" in in_toolkit(toolkit, tmp_path, "nvcc --version").stdout


def test_a_plain_compiler_finds_the_headers_of_the_toolkit(toolkit, tmp_path):
    (tmp_path / "host.cpp").write_text("#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n")
    built = in_toolkit(toolkit, tmp_path, "g++ host.cpp -lcudart -o host && ./host")
    assert built.returncode == 0, built.stderr


def test_a_folder_with_other_files_is_left_alone(lab, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    refused = lab.run("cc", "--as-nvcc", str(tmp_path))
    assert refused.returncode == 2
    assert "other files" in refused.stderr
