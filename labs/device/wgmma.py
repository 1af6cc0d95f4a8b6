"""Writes wgmma.hpp: Hopper's matrix instructions, whose text and operands name every register.

    /usr/bin/python3 labs/device/wgmma.py >labs/device/wgmma.hpp
"""

WIDTH = 120  # of a line
GIVEN_COLUMNS = (64, 128, 160, 192, 224, 256)
TURNED_COLUMNS = (8, 16, 24, 48, 56, 64, 80, 96, 112, 144, 160, 176, 192, 208, 224, 256)
BEGIN = """#pragma once

#include <cstdint>

// Written by wgmma.py. wgmma for tiles of several widths: an instruction names all registers of its sums.
namespace hopper {
"""
PLAIN = """
/// sums += a b for 64 x 16 elements of a and 16 x 256 of b, by the 128 threads of a warpgroup together: asynchronous.
/// `b_by_rows` says that b's rows (its 256 columns) are one after the other in shared memory, as in a row-major matrix;
/// a's always do. Thread t of the warpgroup gets for each eight columns j of 32 the elements sums[4 j + i] in row
/// 16 (t / 32) + t % 32 / 4 + 8 (i / 2), column 8 j + 2 (t % 4) + i % 2.
template <bool b_by_rows>
__device__ __forceinline__ void multiply_64x256x16(float (&sums)[128], std::uint64_t a, std::uint64_t b) {
"""
BY_ROWS = """
/// The same for 16 x %d elements of b, by rows. Where `adds` is 0, the sums begin with this product, so that no thread
/// fills them with zeros.
__device__ __forceinline__ void multiply_by_rows(float (&sums)[%d], std::uint64_t a, std::uint64_t b, int adds) {
"""
TURNED = """
/// The transpose of such a product: `b` is 16 x 64 elements by rows, whose columns are the tensor cores' rows, and `a`
/// %d x 16 elements with the steps one after the other. A thread has in sums[4 j + i] the element of column
/// 16 (t / 32) + t %% 32 / 4 + 8 (i / 2), row 8 j + 2 (t %% 4) + i %% 2.
__device__ __forceinline__ void multiply_turned(float (&sums)[%d], std::uint64_t b, std::uint64_t a, int adds) {
"""


def texts(count):
    """The registers' numbers in the text of the instruction, sixteen a line."""
    lines = [", ".join(f"%{i}" for i in range(first, min(first + 16, count))) for first in range(0, count, 16)]
    return [f'"{"{" if i == 0 else ""}{line}{"}" if i == len(lines) - 1 else ""}, "' for i, line in enumerate(lines)]


def operands(count):
    """The registers as operands, as many a line as fit."""
    lines, line = [], "      :"
    for i in range(count):
        one = f' "+f"(sums[{i}])' + ("," if i < count - 1 else "")
        if len(line + one) > WIDTH:
            lines.append(line)
            line = "       "
        line += one
    return lines + [line]


def instruction(columns, before, after, inputs):
    """One statement: `before` it, its registers, and what follows them."""
    count = columns // 2
    name = f'"wgmma.mma_async.sync.aligned.m64n{columns}k16.f32.bf16.bf16 "'
    lines = ["  asm volatile("] + [f"      {t}" for t in [*before, name, *texts(count), f'"{after}"']]
    return "\n".join(lines + operands(count) + [f"      : {inputs});", "}"]) + "\n"


def by_rows(columns, head=BY_ROWS, transposed="0, 1", operands='"l"(a), "l"(b)'):
    """A function that begins or continues sums. `transposed`: the first operand, the second."""
    count = columns // 2
    before = [r'"{\n.reg .pred adds;\n"', rf'"setp.ne.b32 adds, %{count + 2}, 0;\n"']
    after = rf"%{count}, %{count + 1}, adds, 1, 1, {transposed};\n}}"
    return head % (columns, count) + instruction(columns, before, after, f'{operands}, "r"(adds)')


def header():
    """The whole file."""
    plain = PLAIN + instruction(
        256, [], "%128, %129, 1, 1, 1, 0, %130;", '"l"(a), "l"(b), "n"(b_by_rows ? 1 : 0)'
    )
    given = "".join(by_rows(columns) for columns in GIVEN_COLUMNS)
    turned = "".join(by_rows(columns, TURNED, "1, 0", '"l"(b), "l"(a)') for columns in TURNED_COLUMNS)
    return BEGIN + plain + given + turned + "\n}  // namespace hopper\n"


if __name__ == "__main__":
    print(header(), end="")
