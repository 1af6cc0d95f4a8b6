#include "model/shared_counts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace lab::judge {

namespace {

// What the traced blocks of a kernel did, in all launches of a call.
struct work_of_blocks {
  std::optional<std::array<int, 3>> block{};  // none if launches differ
  std::uint64_t blocks = 0, requests = 0, lanes = 0, barriers = 0;

  bool does_as(const work_of_blocks& other) const {
    const auto same = [&](std::uint64_t own, std::uint64_t theirs) { return own * other.blocks == theirs * blocks; };
    return block && block == other.block && same(requests, other.requests) && same(lanes, other.lanes) &&
           same(barriers, other.barriers);
  }
};

using kernels = std::map<std::string, work_of_blocks>;

kernels kernels_of(const trace_report& call) {
  kernels all;
  for (const auto& one : call.launches) {
    const auto [at, first] = all.try_emplace(one.kernel);
    auto& work = at->second;
    if (first)
      work.block = one.block;
    else if (work.block != one.block)
      work.block.reset();
    work.blocks += one.blocks_run;
    work.requests += one.requests;
    work.lanes += one.lanes;
    work.barriers += one.block_barriers;
  }
  return all;
}

bool agree(const kernels& some, const kernels& others) {
  return std::ranges::all_of(some, [&](const auto& one) {
    const auto at = others.find(one.first);
    return at == others.end() || one.second.does_as(at->second);
  });
}

}  // namespace

std::vector<std::vector<std::size_t>> calls_that_share_counts(const std::vector<trace_report>& calls) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<kernels> known;  // of each group
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto own = kernels_of(calls[i]);
    const auto at = std::ranges::find_if(known, [&](const kernels& group) { return agree(own, group); });
    const auto group = static_cast<std::size_t>(at - known.begin());
    if (at == known.end()) groups.emplace_back(), known.emplace_back();
    groups[group].push_back(i);
    known[group].merge(own);
  }
  return groups;
}

}  // namespace lab::judge
