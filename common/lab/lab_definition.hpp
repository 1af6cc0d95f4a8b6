#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/backend.hpp"
#include "lab/launcher.hpp"

namespace lab {

/// A part of a lab with a check of its own, "./lab check 01.2".
struct stage {
  std::string title{};                   ///< a few words: "the host side"
  std::vector<std::string> launchers{};  ///< their names
};

/// A lab as its lab.cpp registers it. The lab's name is the name of its folder.
struct lab_definition {
  std::string title{};
  std::string idea{};  ///< one sentence
  std::vector<launcher_spec> launchers{};
  std::vector<stage> stages{};        ///< in the lesson's order, each launcher in one; empty for a lab of one part
  std::vector<std::string> errors{};  ///< kinds of hazards that fail this lab and are warnings elsewhere: {"leak"}
  std::string baseline{};             ///< the lab whose solution is timed beside this one; it has the same launcher
  std::vector<std::string> backends{"sim", "cuda"};
  int least_capability = 0;  ///< ten times the least compute capability: 90 for Hopper
};

struct entry {
  std::string name;  ///< "04_transpose_padded"
  lab_definition definition;
  int stage = 0;  ///< 1 for a lab's first stage alone, with its launchers only; 0 for the whole lab
};

/// "01", or "01.2" for a stage alone: what a command line takes.
std::string number_of(const entry& lab);

/// The same of the part of a lab to which a launcher belongs. The lab may be one that is not registered.
std::string number_of(const std::string& lab, const std::string& launcher);

/// The number of the stage that holds a launcher; 0 if the lab has no stages or no such launcher.
int stage_with(const lab_definition& lab, const std::string& launcher);

/// Whether the lab is made for a back end, which this machine may lack.
bool runs_on(const entry& lab, backend_kind backend);

/// All labs of this build, ordered by number.
const std::vector<entry>& labs();

/// Finds a lab by "4", "04" or a unique part of its name.
/// @throws usage_error if none or several fit, naming the candidates
const entry& find(std::string_view text);

/// One stage of a lab as a lab of the same name with that stage's launchers only.
/// @throws usage_error if the lab has no such stage
const entry& stage_of(const entry& lab, int number);

/// The user's request is wrong; the exit code is 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The name of the folder of a source.
std::string folder_of(const char* source);

// The name of the lab whose lab.cpp uses it. A lab of a course is compiled with its name.
#ifndef LAB_NAME
#define LAB_NAME lab::folder_of(__FILE__)
#endif

/// Registers a lab: `const lab::registration registered{LAB_NAME, {...}};`
/// @throws std::logic_error unless the stages, if there are any, hold each launcher once
struct registration {
  registration(std::string name, lab_definition definition);
};

}  // namespace lab
