#pragma once

#include "sim/labcc/analysis/variables.hpp"
#include "sim/labcc/loops/tiles.hpp"

namespace lab::sim::loops {

/// Which conditions all lanes of a warp, or of a tile, fulfill or none.
class whole_warps {
 public:
  whole_warps(const code& source, variables& known, const tiles& sizes) : c_{source}, known_{known}, tiles_{sizes} {}

  /// Whether all or none of `lanes` neighbors fulfill the condition, if rows of threads are whole warps.
  bool are_whole(range condition, unsigned lanes) const;
  /// Whether the header of a loop depends on numbers only.
  bool has_constant_turns(range header) const;

 private:
  enum class index { none, thread, warp };
  index index_of(range r) const;

  const code& c_;
  variables& known_;
  const tiles& tiles_;
};

}  // namespace lab::sim::loops
