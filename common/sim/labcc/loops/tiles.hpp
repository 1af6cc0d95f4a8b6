#pragma once

#include <map>
#include <optional>
#include <string>

#include "sim/labcc/analysis/callee.hpp"
#include "sim/labcc/analysis/functions.hpp"

namespace lab::sim::loops {

/// What a kernel says of its warps: masks, sizes, and tiles of its block, such as
///   cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
class tiles {
 public:
  tiles(const code& source, const functions& all, range body);

  /// The size of the tile of this name; 0 if there is none.
  unsigned size_of(std::string_view name) const;
  bool is_declaration(range statement) const;
  /// The text for what a kernel asks a tile here, and the last token of it; nothing if it asks nothing.
  std::optional<std::pair<std::string, std::size_t>> answer(std::size_t t) const;
  /// The number that stands here, also by the name of a macro.
  std::optional<unsigned> number(std::size_t t) const;
  /// Whether these tokens name all lanes of a warp.
  bool is_full_mask(range tokens) const;
  /// The tokens with the answers in place of the questions, on one line.
  std::string words(range tokens) const;

 private:
  void add(std::size_t t);

  const code& c_;
  const functions& functions_;
  std::map<std::string_view, unsigned> sizes_;
  std::map<std::size_t, std::size_t> declarations_;
};

}  // namespace lab::sim::loops
