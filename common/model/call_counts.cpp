#include "model/call_counts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

namespace lab::judge {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(line_traffic, file, line, op, space, requests, sectors, sectors_ideal, wavefronts,
                                   wavefronts_ideal, bank_conflicts, merged_wavefronts, merged_requests, lanes,
                                   cache_lines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(memory_footprint, allocation, bytes, loaded_sectors, stored_sectors,
                                   sectors_loaded_by_each_block)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(atomic_traffic, space, requests, lanes, addresses)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(launch, kernel, grid, block, lines, block_barriers, concurrent, lanes, requests,
                                   blocks_run, shared_bytes, busiest_atomics, busiest_slice_atomics, grid_barriers,
                                   atomics, memory, box_bytes, matrix_products)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(kernel_profile, kernel, threads, instructions, unconditional, fp32, global_loads,
                                   rounds, hidden_rounds, load_groups, chain, shared_exposures, barriers, serial, loads,
                                   registers)

namespace {

using nlohmann::json;

// Not to_json(launch), which other commands print.
json document_of(const launch& one) {
  json document;
  to_json(document, one);
  return document;
}

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

std::string text_of(const call_counts& counts) {
  auto launches = json::array();
  for (const auto& one : counts.trace.launches) launches.push_back(document_of(one));
  return json{{"launches", std::move(launches)}, {"profiles", counts.profiles}}.dump();
}

std::optional<call_counts> counts_in(const std::string& text) {
  try {
    const auto document = json::parse(text);
    call_counts counts;
    document.at("launches").get_to(counts.trace.launches);
    document.at("profiles").get_to(counts.profiles);
    return counts;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

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
