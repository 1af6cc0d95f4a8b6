#pragma once

#include <filesystem>
#include <istream>
#include <set>
#include <string>

namespace lab_test {

using words = std::set<std::string, std::less<>>;

/// What a wrong kernel may get on a back end: verdicts, and diagnoses, of which "none" stands for an empty one.
struct outcome {
  words verdicts, diagnoses;

  bool allows_verdict(std::string_view word) const { return verdicts.contains(word); }
  bool allows_diagnosis(std::string_view word) const { return diagnoses.contains(word.empty() ? "none" : word); }
};

/// What a mutant's patch says in front of its diff, a line for each key:
///
///     expect: wrong_answer
///     diagnosis: partial_block
///     message: the last block
///     beginner: Is the grid rounded up
///     expect on cuda: pass, wrong_answer
///     diagnosis on cuda: partial_block, stops_short
///     reason: why there are two words, or no cause that the judge can name
///     mistake: One sentence.
///
/// The simulator repeats itself, so one verdict and one diagnosis stand for it, or two with a reason. A GPU may get
/// what the lines "on cuda" list, where "pass" says that it can hide the mistake; without such a line it must get the
/// same as the simulator. A lab that the simulator cannot run has the lines "on cuda" alone. On the simulator the
/// first message contains the words after "message:". A mistake that beginners make has the line "beginner:". These
/// words stand at the beginning of the cause, and the check names no other cause.
struct expectation {
  outcome sim, cuda;
  std::string message, beginner, reason, mistake;

  const outcome& on(std::string_view backend) const { return backend == "cuda" ? cuda : sim; }
};

/// "none", "scattered" and "wrong_everywhere" say only that something is wrong.
bool names_cause(std::string_view diagnosis);

/// The first lines of the cause in a message: after "Why", or after the line that says that the values are right.
std::string first_lines_of_cause(const std::string& message);

/// @throws std::runtime_error naming the line that is missing or wrong
expectation parse_expectation(std::istream& patch);
expectation expectation_of(const std::filesystem::path& patch);

/// The hazards that the tracer must find in a kernel, and no others, as "race 17": the kinds that a comment
/// "// hazard: race, uninitialized_read" names are those of the line below it. A race marks both its lines.
std::set<std::string> marked_hazards(const std::filesystem::path& kernel);

}  // namespace lab_test
