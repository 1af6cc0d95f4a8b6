#include "sim/labcc/loops/meetings.hpp"

#include <algorithm>

namespace lab::sim::loops {

bool meetings::is_at(std::size_t t) const {
  const auto w = c_.words(t);
  if (c_.is_directive(t)) return false;
  if (w == "sync") return c_.words(t - 1) == "." && tiles_.size_of(c_.words(t - 2)) > 0;
  return w == "__syncwarp" || w.find("shfl") != w.npos;
}

bool meetings::any(range r) const {
  for (std::size_t t = r.first; t < r.end; ++t)
    if (is_at(t)) return true;
  return false;
}

unsigned meetings::lanes(range r) const {
  unsigned most = 1;
  for (std::size_t t = r.first; t < r.end; ++t) {
    if (!is_at(t)) continue;
    const unsigned size = tiles_.size_of(c_.words(t - 2));
    most = std::max(most, size > 0 ? size : 32);
  }
  return most;
}

std::string meetings::function(std::string_view name, bool of_tile) const {
  if (name == "shfl") return "LAB_SIM_LANE";
  if (name == "shfl_up") return "LAB_SIM_LANE_UP";
  if (name == "shfl_down") return "LAB_SIM_LANE_DOWN";
  if (name == "shfl_xor") return of_tile ? "LAB_SIM_MEMBER_XOR" : "LAB_SIM_LANE_XOR";
  throw declined{};
}

// __shfl_sync(mask, value, argument, width), whose width is 32 if it is left out.
call_of_lanes meetings::of_warp(std::size_t t) const {
  const auto name = c_.words(t);
  if (!name.starts_with("__shfl") || !name.ends_with("_sync")) throw declined{};
  call_of_lanes call;
  call.all = {t, c_.closing(t + 1) + 1};
  const auto parts = list_parts(c_, {t + 2, call.all.end - 1});
  if (parts.size() < 3 || parts.size() > 4 || !tiles_.is_full_mask(parts[0])) throw declined{};
  call.value = parts[1];
  call.argument = parts[2];
  call.function = function(name.substr(2, name.size() - 7), false);
  call.width = "32";
  if (parts.size() == 3) return call;
  const auto width = parts[3].end == parts[3].first + 1 ? tiles_.number(parts[3].first) : std::nullopt;
  if (!width || *width == 0 || *width > 32 || (*width & (*width - 1)) != 0) throw declined{};
  call.width = std::to_string(*width);
  return call;
}

call_of_lanes meetings::call_at(std::size_t t) const {
  if (c_.words(t + 1) != "(") throw declined{};
  const unsigned size = c_.words(t - 1) == "." ? tiles_.size_of(c_.words(t - 2)) : 0;
  call_of_lanes call;
  if (size == 0) {
    call = of_warp(t);
  } else {
    const std::size_t close = c_.closing(t + 1);
    const auto parts = list_parts(c_, {t + 2, close});
    if (parts.size() != 2) throw declined{};
    call = {{t - 2, close + 1}, parts[0], parts[1], function(c_.words(t), true), std::to_string(size)};
  }
  if (any(call.value) || any(call.argument)) throw declined{};
  return call;
}

}  // namespace lab::sim::loops
