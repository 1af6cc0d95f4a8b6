#pragma once

#include <string>

#include "build/run_options.hpp"
#include "lab/lab_definition.hpp"
#include "model/call_counts.hpp"

namespace lab::judge {

/// All that decides the counts of one call.
struct counted_call {
  const entry& lab;
  const std::filesystem::path& source;
  const launcher_spec& launcher;
  const problem_size& size;
  double fraction = 1;     ///< of the blocks that run
  std::uint64_t seed = 1;  ///< of the inputs
};

/// Differs if one of them, the compiler, or the model that counts does; `model` identifies the latter.
std::string counts_key(const counted_call& call, const std::string& model, const run_options& options);

/// The counts that the cache keeps under a key; nothing if there are none, or if their file is damaged.
std::optional<call_counts> kept_counts(const std::string& key);

/// Keeps counts in the cache. If its folder cannot be written, they are not kept.
void keep_counts(const std::string& key, const call_counts& counts);

}  // namespace lab::judge
