#include <algorithm>

#include "sim/labcc/ptx/ptx_arithmetic.hpp"

// Shuffles, votes, matches and reductions of a warp. Each calls the function of CUDA that makes this instruction.

namespace lab::sim {

namespace {

using maybe_cpp = std::optional<std::string>;

// No negated predicate.
bool are_plain_values(const ptx_instruction& i, std::size_t count) {
  return i.operands.size() == count && std::ranges::all_of(i.operands, [](const ptx_operand& o) {
           return o.what == ptx_operand::value && o.names[0].find('!') == std::string::npos;
         });
}

// Assigns to a result and to the predicate beside it (d|p); either may be absent, or _.
std::string to_both(const ptx_instruction& i, const std::string& before, const std::string& value,
                    const std::string& truth) {
  const auto& [d, p] = std::pair{i.operands[0].names[0], i.operands[0].predicate};
  const std::string kept = "{ " + before + "const auto value = " + value + "; ";
  return kept + (p.empty() || p == "r__" ? "" : p + " = " + truth + "; ") +
         (d == "r__" ? "(void)value; }" : in_ptx("set(") + d + ", value); }");
}

std::string result(const ptx_instruction& i, const std::string& value) {
  return in_ptx("set(") + i.operands[0].names[0] + ", " + value + ");";
}

// "shfl.sync.bfly.b32" has the words shfl and sync, then these.
bool has_form(const ptx_instruction& i, std::string_view first, std::string_view last) {
  return i.words.size() == 4 && i.words[1] == "sync" && i.words[2] == first && i.words[3] == last;
}

// shfl.sync.bfly.b32 d|p, a, lane, c, mask: p says whether the lane is within the bounds that c holds.
maybe_cpp shuffle(const ptx_instruction& i) {
  if (!are_plain_values(i, 5)) return std::nullopt;
  const auto name = [&](std::size_t o) { return typed(i.operands[o].names[0], "u32"); };
  for (const auto* word : {"up", "down", "bfly", "idx"})
    if (has_form(i, word, "b32"))
      return to_both(i,
                     "const auto from = " + in_ptx("lane_of(") + in_ptx("shuffle::") + word + ", " + name(2) + ", " +
                         name(3) + "); ",
                     "::__shfl_sync(" + name(4) + ", " + name(1) + ", from.lane)", "from.in_bounds");
  return std::nullopt;
}

// vote.sync.ballot.b32 d, p, mask
maybe_cpp vote(const ptx_instruction& i) {
  if (!are_plain_values(i, 3)) return std::nullopt;
  for (const auto& [word, type] : {std::pair{"ballot", "b32"}, std::pair{"any", "pred"}, std::pair{"all", "pred"}})
    if (has_form(i, word, type))
      return i.operands[0].names[0] + " = ::__" + word + "_sync(" + typed(i.operands[2].names[0], "u32") + ", " +
             i.operands[1].names[0] + ");";
  return std::nullopt;
}

// redux.sync.add.s32 d, a, mask
maybe_cpp reduction(const ptx_instruction& i) {
  if (!are_plain_values(i, 3)) return std::nullopt;
  for (const auto* word : {"add", "min", "max", "and", "or", "xor"})
    for (const auto* type : {"u32", "s32", "b32"})
      if (has_form(i, word, type))
        return result(i, "::__reduce_" + std::string{word} + "_sync(" + typed(i.operands[2].names[0], "u32") + ", " +
                             typed(i.operands[1].names[0], type) + ")");
  return std::nullopt;
}

// match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask
maybe_cpp match(const ptx_instruction& i) {
  const bool known = i.words.size() == 4 && (i.words[1] == "any" || i.words[1] == "all") && i.words[2] == "sync" &&
                     (i.words[3] == "b32" || i.words[3] == "b64");
  if (!known || !are_plain_values(i, 3) || (i.words[1] == "any" && !i.operands[0].predicate.empty()))
    return std::nullopt;
  const std::string arguments =
      "_sync(" + typed(i.operands[2].names[0], "u32") + ", " + typed(i.operands[1].names[0], i.words[3]);
  if (i.words[1] == "any") return result(i, "::__match_any" + arguments + ")");
  return to_both(i, "int all; ", "::__match_all" + arguments + ", &all)", "all != 0");
}

maybe_cpp active_lanes(const ptx_instruction& i) {
  return i.name == "activemask.b32" && are_plain_values(i, 1) ? maybe_cpp{result(i, "::__activemask()")} : std::nullopt;
}

maybe_cpp nap(const ptx_instruction& i) {
  if (i.name != "nanosleep.u32" || !are_plain_values(i, 1)) return std::nullopt;
  return "::__nanosleep(" + typed(i.operands[0].names[0], "u32") + ");";
}

}  // namespace

maybe_cpp of_warp(const ptx_instruction& i) {
  if (i.words.empty()) return std::nullopt;
  const auto& word = i.words[0];
  return word == "shfl"         ? shuffle(i)
         : word == "vote"       ? vote(i)
         : word == "redux"      ? reduction(i)
         : word == "match"      ? match(i)
         : word == "activemask" ? active_lanes(i)
         : word == "nanosleep"  ? nap(i)
                                : std::nullopt;
}

}  // namespace lab::sim
