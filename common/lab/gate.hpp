#pragma once

#include <string>
#include <string_view>

#include "lab/size.hpp"
#include "text/word_table.hpp"

namespace lab {

// The counts that a gate can limit, by their words in the JSON documents; trace/metrics.md explains each. A request is
// one memory instruction of one warp; a request for more than 128 bytes, such as of float4, counts as several. A sector
// is 32 bytes of global memory.
//   load_sectors_per_request   global loads of the worst source line; 4 if coalesced, 32 if each lane uses its own
//   sector store_sectors_per_request  the same for global stores bank_conflicts             wavefronts of shared memory
//   beyond the first of each access, all launches together load_requests              global loads, all launches
//   together load_sectors               sectors of global loads, all launches together
#define LAB_TRAFFIC_METRICS(METRIC) \
  METRIC(load_sectors_per_request)  \
  METRIC(store_sectors_per_request) \
  METRIC(bank_conflicts)            \
  METRIC(load_requests)             \
  METRIC(load_sectors)

enum class traffic { LAB_TRAFFIC_METRICS(LAB_ENUMERATOR) };

/// The words of all metrics, in the order of the enumeration.
constexpr std::string_view traffic_words[] = {LAB_TRAFFIC_METRICS(LAB_WORD)};

constexpr std::string_view word(traffic metric) { return traffic_words[static_cast<int>(metric)]; }

/// A limit of a kernel's traffic at one size. The simulator counts, so the result is the same on every machine.
struct gate {
  traffic metric{};
  problem_size at{};
  double limit = 0;      ///< the most that passes
  std::string why{};     ///< one sentence: what a kernel beyond the limit has not understood
  std::string kernel{};  ///< part of the name of the kernels that count; empty for all
};

}  // namespace lab
