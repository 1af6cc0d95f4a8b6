"""Points for gates: no trick makes a wasteful kernel earn them, and honest code of any kind does."""
# ctest: slow

import pathlib

import pytest

from conftest import LAB_04, classroom, solution

HERE = pathlib.Path(__file__).parent
FORGED = sorted((HERE / "forged_counts").glob("*.cu"))
RULES = {"gates": "points", "labs": {"04": {"points": 10, "gate_points": 10, "fresh_sizes": 0}}}

# What the forged ones compute, without a trick.
NAIVE = """#include "lab.hpp"
__global__ void transpose_kernel(const int* in, int* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < rows && row < (blockIdx.y + 1) * 32; row += 8)
    if (col < cols) out[col * rows + row] = in[row * cols + col];
}
void transpose(const int* in, int* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
"""

# Host code that uses device memory ends the program; a kernel that calls a function of the host is a launch error.
CAUGHT_WHILE_IT_RUNS = {
    "in_another_thread": "crash",
    "many_allocations": "crash",
    "prints_into_memory": "launch_error",
}

# The solution, with honest code around it.
PLAIN = solution(LAB_04)
COPIES = PLAIN.replace("= in[(first_row + j) * cols + col];", "= value;").replace(
    "if (first_row + j < rows && col < cols)",
    "int value = 0;\n    if (first_row + j < rows && col < cols)\n"
    "      memcpy(&value, in + (first_row + j) * cols + col, sizeof value);\n"
    "    if (first_row + j < rows && col < cols)",
)
HOST = PLAIN.replace(
    "  const dim3 block(tile",
    "  std::vector<int> sizes{rows, cols};\n  std::map<int, double> known{{rows, std::sqrt(cols)}};\n"
    '  if (known.empty()) std::cout << std::string("rows") << sizes[0] << std::endl;\n  const dim3 block(tile',
)
LIBRARY = PLAIN.replace(
    "  const dim3 block(tile",
    "  std::vector<int> sizes{rows, cols, 7};\n"
    "  const auto less = [](const void* a, const void* b) { return *(const int*)a - *(const int*)b; };\n"
    "  std::qsort(sizes.data(), sizes.size(), sizeof(int), less);\n"
    "  char name[64];\n"
    '  std::snprintf(name, sizeof name, "%d rows, %s", rows, std::to_string(0.5 * cols).c_str());\n'
    '  if (std::getenv("NO_SUCH_VARIABLE") || !std::bsearch(&rows, sizes.data(), 3, sizeof(int), less)) return;\n'
    "  if (std::strlen(name) < 6) return;\n"
    "  const dim3 block(tile",
)
MACROS = PLAIN.replace(
    "  const dim3 block(tile",
    "#define KERNEL(name) name##_kernel\n#define CHECKED(call) const cudaError_t UNIQUE(status_, __LINE__) = call\n"
    "#define UNIQUE(a, b) UNIQUE_2(a, b)\n#define UNIQUE_2(a, b) a##b\n  CHECKED(cudaGetLastError());\n"
    "  const dim3 block(tile",
).replace("transpose_kernel<<<", "KERNEL(transpose)<<<")
HONEST = {
    "plain": PLAIN,
    "copies": "#include <cstring>\n" + COPIES,
    "host": "#include <cmath>\n#include <iostream>\n#include <map>\n#include <string>\n#include <vector>\n" + HOST,
    "library": "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <string>\n#include <vector>\n"
    + LIBRARY,
    "macros": MACROS,
    "attributes": PLAIN.replace("__global__ void", "__global__ __launch_bounds__(256) void").replace(
        "const int col =", "[[maybe_unused]] const int unused = 0;\n#pragma unroll\n  for (int k = 0; k < 1; ++k);\n"
        "  const int col ="),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(class_folder):
    room = classroom(class_folder)
    for file in FORGED:
        room.hand_in(file.stem, _04=file.read_text())
    room.hand_in("naive", _04=NAIVE)
    for name, text in HONEST.items():
        room.hand_in(f"honest_{name}", _04=text)
    result = room.grade("--labs", "04", *room.policy(RULES))
    assert result.returncode == 0, result.stderr
    return room


@pytest.mark.parametrize("name", [file.stem for file in FORGED])
def test_no_points_for_gates_by(graded, name):
    row = graded.row(name, "04")
    # Without compile errors, and right by its values: the attack fails by what the grader counts, or refuses to count.
    caught = ("gate", "rejected", "wrong_answer", "protocol_violation", CAUGHT_WHILE_IT_RUNS.get(name))
    assert row["verdict"] in caught, row["message"]
    assert row["points"] <= graded.row("naive", "04")["points"] < row["max_points"], row["message"]
    values = [case for case in row["cases"] if ":" not in case["name"] or case["verdict"] == "pass"]
    assert any(case["verdict"] == "pass" for case in values)


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_earns_all_points(graded, name):
    row = graded.row(f"honest_{name}", "04")
    assert row["verdict"] == "pass" and row["points"] == row["max_points"] == 20, row["message"]
