#pragma once

#include "lab_sim/ptx/integers.h"
#include "lab_sim/warp.h"

// Inline PTX's shuffles: which lane a lane reads.

namespace lab_sim {
namespace ptx {

enum class shuffle { up, down, bfly, idx };

struct source_lane {
  int lane;  // its own beyond the bounds
  bool in_bounds;
};

/// `limits` holds the last lane of a part in 5 bits, and from bit 8 on the bits of a lane's number that name its part.
LAB_SIM_INLINE source_lane lane_of(shuffle how, u32 by, u32 limits) {
  const int own = static_cast<int>(lane()), part = static_cast<int>(limits >> 8 & 31), count = by & 31;
  const int first = own & part, last = first | (static_cast<int>(limits & 31) & ~part);
  const int from = how == shuffle::up     ? own - count
                   : how == shuffle::down ? own + count
                   : how == shuffle::bfly ? own ^ count
                                          : first | (count & ~part);
  const bool in_bounds = how == shuffle::up ? from >= last : from <= last;
  return {in_bounds ? from : own, in_bounds};
}

}  // namespace ptx
}  // namespace lab_sim
