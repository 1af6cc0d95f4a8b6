#pragma once

#include <filesystem>
#include <string>

namespace lab_test {

// Each runs on the simulator, and on a GPU too where there is one; a lab that neither can run is skipped.

/// The solution passes every case.
void require_solved(const std::string& lab);

/// The encore passes every case.
void require_solved_by_the_encore(const std::string& lab);

/// The values are right on simulated GPUs that differ in what one block may have of shared memory.
void require_right_on_every_device(const std::string& lab);
void require_encore_right_on_every_device(const std::string& lab);

/// The starter as shipped, of which a copy lies beside the solution, compiles, runs and gives a wrong answer, or what
/// starters/NAME.txt expects in the form of a mutant's heading.
void require_unsolved(const std::string& lab);

/// The judge accepts the results of the lab's CPU programs: they are exact where it demands that of a kernel, else
/// within the lab's own tolerance.
void require_honest_programs(const std::string& lab);

/// The lab's solution with this patch gets a verdict and a diagnosis that the patch's heading allows, and on the
/// simulator the hazards that are marked in it, each at its line.
void require_caught(const std::string& lab, const std::filesystem::path& patch);

/// The kernel as it lies in labs/ passes, on the default back end.
void grade(const std::string& lab);

}  // namespace lab_test
