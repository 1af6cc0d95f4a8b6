#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/confinement.hpp"

namespace lab::sandbox {

/// How an untrusted program is confined. Every level has limits; all but `none` also have the lockdown.
enum class level {
  none = 0,        ///< a process of its own and nothing else
  lockdown = 1,    ///< Landlock and seccomp, as this user
  other_user = 2,  ///< the lockdown, as a user that owns no files
  namespaces = 3,  ///< the lockdown in bubblewrap: its own file system, processes, network and users
};

/// "bubblewrap and lockdown" for level 3.
std::string_view describe(level chosen);

/// Starts programs at this level. Jobs that run at the same time have different `slot` numbers.
judge::confinement confinement_of(level chosen, unsigned slot);

/// The result of the hostile probe at one level.
struct probe_result {
  level probed;
  std::vector<std::string> holes;  ///< the attacks that succeeded, or the reason why this machine lacks the level

  bool holds() const { return holes.empty(); }
};

/// Runs the probe at one level; takes about a second. Never throws: an error counts as a hole.
probe_result probe_level(level chosen, backend_kind backend);

/// Probes the levels from the strongest down until one holds.
std::vector<probe_result> probe_levels(backend_kind backend);

/// How to make a failed level hold, for `lab doctor`.
std::string advice_for(const probe_result& failed);

/// The strongest level that holds; nothing if none does. @param results of probe_levels()
std::optional<level> strongest(const std::vector<probe_result>& results);

}  // namespace lab::sandbox
