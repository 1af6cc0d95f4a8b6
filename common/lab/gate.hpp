#pragma once

#include <string>

#include "lab/size.hpp"

namespace lab {

/// A gate limits one of these counts. A request is one memory instruction of one warp; a request for more than 128
/// bytes, such as of float4, counts as several. A sector is 32 bytes of global memory.
enum class traffic {
  load_sectors_per_request,  ///< global loads of the worst launch: 4 if coalesced, 32 if every lane uses its own sector
  store_sectors_per_request,  ///< the same for global stores
  bank_conflicts,             ///< shared-memory wavefronts beyond the first of each access, all launches together
  load_requests,              ///< global loads, all launches together
  load_sectors,               ///< sectors of global loads, all launches together
};

/// A limit of a kernel's traffic at one size. The simulator counts, so the result is the same on every machine.
struct gate {
  traffic metric{};
  problem_size at{};
  double limit = 0;      ///< the most that passes
  std::string why{};     ///< one sentence: the idea that a kernel beyond the limit lacks
  std::string kernel{};  ///< counts only kernels whose name contains it; empty for all
};

}  // namespace lab
