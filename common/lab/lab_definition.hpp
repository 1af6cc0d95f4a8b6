#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/launcher.hpp"

namespace lab {

/// A lab as its lab.cpp registers it. The lab's name is the name of its folder.
struct lab_definition {
  std::string title{};
  std::string idea{};  ///< one sentence
  std::vector<launcher_spec> launchers{};
  std::vector<std::string> errors{};  ///< kinds of hazards that fail this lab and are warnings elsewhere: {"leak"}
  std::string baseline{};             ///< the lab whose solution is timed beside this one; it has the same launcher
  std::vector<std::string> backends{"sim", "cuda"};
  int least_capability = 0;  ///< ten times the least compute capability: 90 for Hopper
};

struct entry {
  std::string name;  ///< "04_transpose_padded"
  lab_definition definition;
};

/// All labs of this build, ordered by number.
const std::vector<entry>& labs();

/// Finds a lab by "4", "04" or a unique part of its name.
/// @throws usage_error if none or several fit, naming the candidates
const entry& find(std::string_view text);

/// The user's request is wrong; the exit code is 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Registers a lab: `const lab::registration registered{LAB_NAME, {...}};`
struct registration {
  registration(std::string name, lab_definition definition);
};

}  // namespace lab
