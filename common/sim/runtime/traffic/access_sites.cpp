#include "sim/runtime/traffic/access_sites.hpp"

#include <stdexcept>

namespace lab::sim {

std::uint16_t site_table::find(std::uintptr_t key, const void* pc, operation op, space where) {
  for (const auto& k : keys_)
    if (k.key == key) return k.number;
  if (all_.size() > 65000) throw std::length_error{"a traced kernel has more than 65000 memory instructions"};
  all_.push_back(site{.pc = pc, .op = op, .where = where});
  keys_.push_back({key, static_cast<std::uint16_t>(all_.size() - 1)});
  return keys_.back().number;
}

void site_table::start_counting() {
  for (auto& s : all_) s = site{.pc = s.pc, .op = s.op, .where = s.where};
}

}  // namespace lab::sim
