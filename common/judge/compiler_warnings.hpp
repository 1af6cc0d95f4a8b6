#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

/// A warning of the compiler about a line of the student's file.
struct compiler_warning {
  int line = 0;
  std::string text{};    ///< "'sum' is used uninitialized"
  std::string option{};  ///< "uninitialized", of -Wuninitialized
};

/// The warnings about this source in what the compiler printed, each line once.
std::vector<compiler_warning> warnings_in(const std::string& log, const std::filesystem::path& source);

/// Those about code that this function may run: a launcher's message leaves out what belongs to other launchers.
std::vector<compiler_warning> warnings_for(const std::string& function, const std::vector<compiler_warning>& warnings,
                                           const std::filesystem::path& source);

/// "The compiler warns:" and each warning with its line of the source; empty without warnings.
std::string describe(const std::vector<compiler_warning>& warnings, const std::filesystem::path& source);

/// The cause that a warning names for a wrong result: a variable without a value. Otherwise the guess.
diagnosis cause_by_warning(const std::vector<compiler_warning>& warnings, const std::filesystem::path& source,
                           const diagnosis& guess);

}  // namespace lab::judge
