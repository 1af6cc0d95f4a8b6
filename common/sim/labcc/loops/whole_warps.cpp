#include "sim/labcc/loops/whole_warps.hpp"

namespace lab::sim::loops {

// What these tokens count:  threadIdx.x,  threadIdx.x / 32  or a variable that always has such a value.
whole_warps::index whole_warps::index_of(range r) const {
  const auto* const v = r.end == r.first + 1 ? known_.at(r.first) : nullptr;
  const bool constant = v && v->has_initializer() && v->changes.empty() && !v->address_taken && !v->is_array();
  const auto type = constant ? c_.text(v->type) : "";
  const bool narrow = type.find("bool") != type.npos || type.find("char") != type.npos;
  if (constant && !narrow && !v->parameter) return index_of(v->initializer);
  const std::size_t t = r.first + 3;
  const bool of_thread =
      r.end >= t && c_.words(t - 3) == "threadIdx" && c_.words(t - 2) == "." && c_.words(t - 1) == "x";
  if (!of_thread) return index::none;
  if (r.end == t) return index::thread;
  const bool divides = c_.words(t) == "/" && r.end == t + 2 && tiles_.number(t + 1) == 32U;
  const bool shifts = c_.words(t) == ">" && c_.words(t + 1) == ">" && r.end == t + 3 && tiles_.number(t + 2) == 5U;
  return divides || shifts ? index::warp : index::none;
}

bool whole_warps::are_whole(range r, unsigned lanes) const {
  while (r.end > r.first + 2 && c_.words(r.first) == "(" && c_.closing(r.first) == r.end - 1) ++r.first, --r.end;
  const std::size_t last = r.end - 1;
  const auto limit = tiles_.number(last);
  if (!limit || last < r.first + 2) return false;
  if (c_.words(last - 1) == "<" && c_.words(last - 2) != "<") {
    const auto counts = index_of({r.first, last - 1});
    return counts == index::warp || (counts == index::thread && *limit % lanes == 0);
  }
  const bool equal = c_.words(last - 1) == "=" && c_.words(last - 2) == "=" && c_.touches_next(last - 2);
  return equal && index_of({r.first, last - 2}) == index::warp;
}

bool whole_warps::has_constant_turns(range header) const {
  const auto* own = static_cast<const variable*>(nullptr);
  for (std::size_t t = header.first; t < header.end; ++t) {
    if (const auto asked = tiles_.answer(t)) {
      if (asked->first.find("threadIdx") != std::string::npos) return false;
      t = asked->second;
      continue;
    }
    if (!c_.is_identifier(t) || is_one_of(c_.words(t), {"int", "unsigned"}) || tiles_.number(t)) continue;
    const auto* const v = known_.at(t);
    if (!v || !header.contains(v->scope.first) || (own && own != v)) return false;
    own = v;
  }
  return own != nullptr;
}

}  // namespace lab::sim::loops
