#pragma once

#include "sim/labcc/loops/tiles.hpp"

namespace lab::sim::loops {

/// A call by which lanes exchange values.
struct call_of_lanes {
  range all, value, argument;
  std::string function, width;
};

/// Where the lanes of a warp, or of a tile, meet: __shfl_sync and its like, tile.shfl(...), __syncwarp(), tile.sync().
class meetings {
 public:
  meetings(const code& source, const tiles& sizes) : c_{source}, tiles_{sizes} {}

  bool is_at(std::size_t name) const;
  bool any(range tokens) const;
  /// How many neighbors meet in these tokens, of which all or none must come.
  unsigned lanes(range tokens) const;
  /// Throws `declined` if not all lanes of the warp or the tile take part.
  call_of_lanes call_at(std::size_t name) const;

 private:
  call_of_lanes of_warp(std::size_t name) const;
  std::string function(std::string_view name, bool of_tile) const;

  const code& c_;
  const tiles& tiles_;
};

}  // namespace lab::sim::loops
