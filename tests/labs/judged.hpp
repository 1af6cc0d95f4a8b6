#pragma once

#include <filesystem>
#include <string>

namespace lab_test {

// Each runs on the simulator, and on a GPU too where there is one.

/// The solution passes every case.
void require_solved(const std::string& lab);

/// The encore passes every case.
void require_solved_by_the_encore(const std::string& lab);

/// The starter as shipped, of which a copy lies beside the solution, compiles, runs and gives a wrong answer.
void require_unsolved(const std::string& lab);

/// The card's CPU programs give what its reference gives, within the card's tolerance.
void require_honest_card(const std::string& lab);

/// The kernel gets a verdict and a diagnosis that its first line allows.
void require_caught(const std::string& lab, const std::filesystem::path& mutant);

/// The kernel as it lies in labs/ passes, on the default back end.
void grade(const std::string& lab);

}  // namespace lab_test
