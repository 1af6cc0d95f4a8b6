#include "model/loops.hpp"

#include <algorithm>
#include <cmath>

namespace lab::judge::gimple {

namespace {

constexpr std::size_t most_blocks = 5;  // of the body of an unrolled loop: with one condition
constexpr std::size_t blocks_of_choice = 2;

bool is_of_simulator(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return one.in_library; }) &&
         std::ranges::none_of(block.statements, [](const statement& one) { return one.line > 0 && !one.in_library; });
}

double constant_conditions(const std::vector<basic_block>& all, std::size_t begin, std::size_t end) {
  const auto computed = computed_in(all, begin, end);
  double count = 0;
  for (; begin < end; ++begin)
    for (const auto& one : all[begin].statements) count += is_constant(one.text, computed);
  return count;
}

}  // namespace

bool has_barrier(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return is_barrier(one.text); });
}

names computed_in(const std::vector<basic_block>& all, std::size_t begin, std::size_t end) {
  names values;
  for (; begin < end; ++begin)
    for (const auto& one : all[begin].statements) values.insert(split(one.text).left);
  return values;
}

bool is_constant(std::string_view condition, const names& computed) {
  return condition.starts_with("if (") && !names_any(condition, computed);
}

std::size_t blocks_of_loop(const std::vector<basic_block>& all, std::size_t header) {
  std::size_t end = header;
  for (; end < all.size() && all[end].depth >= all[header].depth; ++end) {
    if (end > header && all[end].header) return 0;
    if (has_barrier(all[end]) || is_of_simulator(all[end])) return 0;
    if (all[header].loops_to_itself) return 1;
  }
  const auto choices = static_cast<std::size_t>(constant_conditions(all, header, end));
  return end - header <= most_blocks + blocks_of_choice * choices ? end - header : 0;
}

double entered(const std::vector<basic_block>& all, std::size_t header) {
  const auto& first = all[header];
  const auto around = [&](std::size_t i) { return all[i].depth >= first.depth - 1; };
  double outer = 0;
  const auto look = [&](std::size_t i) {
    if (all[i].depth == first.depth - 1) outer = std::max(outer, all[i].count);
  };
  for (std::size_t i = header; i-- > 0 && around(i);) look(i);
  for (std::size_t i = header; i < all.size() && around(i); ++i) look(i);
  const double iterations = outer > 0 ? first.count / outer : 0;
  const bool whole = iterations > 0.99 && std::abs(iterations - std::round(iterations)) < 0.01 * iterations;
  return whole ? outer : first.count - first.repeated;
}

}  // namespace lab::judge::gimple
