#pragma once

#include <string>

#include "lab/size.hpp"

namespace lab {

/// What a gate limits. A request is one instruction of one warp that accesses memory; a request for more than 128 bytes
/// (float4, say) counts as several. Sectors are 32 bytes of global memory.
enum class traffic {
  load_sectors_per_request,   ///< global loads of the worst launch; 4 for neighbours, 32 for strangers
  store_sectors_per_request,  ///< the same for global stores
  bank_conflicts,             ///< shared-memory wavefronts beyond the first of each access, all launches together
  load_requests,              ///< global loads, all launches together
  load_sectors,               ///< sectors of global loads, all launches together
};

/// A claim about a kernel's traffic at one size: counted by the simulator, so it holds alike on every machine.
struct gate {
  traffic metric{};
  problem_size at{};
  double limit = 0;      ///< the most that passes
  std::string why{};     ///< one sentence: what a kernel beyond the limit has not understood
  std::string kernel{};  ///< part of the name of the kernels that count; empty for all
};

}  // namespace lab
