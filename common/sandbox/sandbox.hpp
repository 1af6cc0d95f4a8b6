#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/confinement.hpp"

namespace lab::grade {

/// How an untrusted program is kept in; each level also has the limits, and all but `none` the lockdown.
enum class level {
  none = 0,        ///< a process of its own and nothing else
  lockdown = 1,    ///< Landlock and seccomp, as this user
  other_user = 2,  ///< as another user, who owns nothing
  namespaces = 3,  ///< in bubblewrap: its own file system, processes, network and users
};

/// "bubblewrap and lockdown" for 3.
std::string_view describe(level l);

/// How programs are started at this level. `slot` tells jobs that run at the same time apart.
judge::confinement confinement_of(level l, unsigned slot);

/// What the built-in hostile probe found at one level: holds nothing if every attack was refused.
struct level_test {
  level at;
  std::vector<std::string> holes;  ///< what an attack could do, or why the level cannot be used here
};

/// Runs the probe at one level; takes about a second. Never throws: what went wrong is a hole.
level_test try_level(level l, backend_kind b);

/// Tries the levels from the strongest down until one holds.
std::vector<level_test> try_levels(backend_kind b);

/// What to do so that a level that failed may hold, for `lab doctor`.
std::string cure(const level_test& t);

/// The strongest level that held; nothing if none did. @param trials what try_levels() found
std::optional<level> strongest(const std::vector<level_test>& trials);

}  // namespace lab::grade
