#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/launcher.hpp"

namespace lab {

/// One lab: what lab.cpp enrols. The folder's name is the lab's name, the rest stands here.
struct lab_definition {
  std::string title{};
  std::string idea{};  ///< one sentence
  std::vector<launcher_spec> launchers{};
  std::string baseline{};  ///< the lab whose solution this one is compared with, if it has the same contract
  std::vector<std::string> backends{"sim", "cuda"};
  int least_capability = 0;  ///< ten times the compute capability that a GPU needs: 90 for Hopper
};

struct entry {
  std::string name;  ///< "04_transpose_padded"
  lab_definition definition;
};

/// Every lab of this build, in the order of their numbers.
const std::vector<entry>& labs();

/// Finds a lab by "4", "04" or a unique part of its name.
/// @throws usage_error naming the candidates when none or several fit
const entry& find(std::string_view text);

/// The caller asked for something that does not exist or makes no sense; exit code 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Puts a lab on the list: `const lab::registration registered{LAB_NAME, {...}};`
struct registration {
  registration(std::string name, lab::lab_definition c);
};

}  // namespace lab
