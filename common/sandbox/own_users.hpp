#pragma once

#include <map>
#include <mutex>

#include "support/process.hpp"

namespace lab::sandbox {

/// Numbers of users that own no files. Two graders on one machine have different ones: a user may end all processes of
/// its number, and its limit of threads counts all of them.
class own_users {
 public:
  /// The user of a slot, the same as long as this object lives. No other object of this machine has it meanwhile,
  /// unless 800 are in use; then several slots share one.
  unsigned of(unsigned slot);

 private:
  struct claimed {
    unsigned user;
    descriptor socket;
  };
  std::mutex guard_;
  std::map<unsigned, claimed> by_slot_;
};

}  // namespace lab::sandbox
