#include <fmt/format.h>

#include "families/matmul.hpp"

namespace {

constexpr int most_threads = 32;  // along each side of the one block
constexpr std::int64_t shared_bytes = 48 << 10;

std::string refuses(const lab::problem_size& s) {
  const std::int64_t n = s[0], m = s[1], p = s[2];
  if (n > most_threads || p > most_threads) return fmt::format("c has {} x {} elements, a block 32 x 32 threads", n, p);
  const std::int64_t bytes = (n * m + m * p) * static_cast<std::int64_t>(sizeof(float));
  if (bytes > shared_bytes) return fmt::format("a and b take {} bytes, a block has {}", bytes, shared_bytes);
  return {};
}

auto launcher() {
  auto one_block = families::matmul();
  one_block.refuses = refuses;
  one_block.check_sizes = {{1, 1, 1},     {16, 16, 16}, {32, 32, 32}, {7, 31, 5},    {1, 1000, 3}, {32, 5, 17},
                           {32, 192, 32}, {33, 8, 8},   {8, 8, 33},   {32, 193, 32}, {1, 6145, 1}};
  one_block.time_sizes = {{16, 16, 16}, {32, 32, 32}, {32, 192, 32}};
  one_block.gates = {{.metric = lab::traffic::load_sectors,
                      .at = {32, 32, 32},
                      .limit = 2 * 32 * 32 / 8,  // eight floats in a sector
                      .why = "Each element of a and b must come from global memory once; all else is read from shared "
                             "memory.",
                      .costs = 1.09,
                      .costs_at = {32, 32, 32}}};
  return one_block;
}

const lab::registration registered{LAB_NAME,
                                   {
                                       .title = "Matrix product in a single block",
                                       .idea = "shared memory holds the whole problem, and each element is loaded once",
                                       .launchers = {launcher()},
                                       .baseline = "05_matmul_naive",
                                   }};

}  // namespace
