#pragma once

#include <string>
#include <vector>

#include "grade/job/plan.hpp"

namespace lab::grade {

/// Two kernels for one lab that have tokens in common beyond those of the lab's starter.
struct similar_pair {
  std::string lab, student, other;
  int percent = 0;                   ///< of the student's own tokens that the other kernel has, too
  int other_percent = 0;             ///< the reverse; 0 below the threshold
  int tokens = 0, other_tokens = 0;  ///< of own code
};

struct similarity_report {
  std::vector<similar_pair> pairs{};  ///< by lab, the most similar first
  int compared = 0;                   ///< kernels
  int too_short = 0;                  ///< kernels with too little own code: such kernels can hardly differ
};

/// The least number of own tokens of a kernel that is compared.
constexpr int least_own_tokens = 60;

/// Whether the package similarity-tester is there. @throws std::runtime_error with what to install
void require_similarity_tester();

/// Compares the kernels of each lab with sim_c++, which reads tokens: names, layout and comments make no difference. It
/// runs in the plan's sandbox. @param percent the least similarity of a pair
similarity_report similar_kernels(const grading_plan& plan, int percent);

/// Writes OUT/similarity.csv.
void write_similarity(const grading_plan& plan, const similarity_report& report);

/// C++ in short lines: one ends after each of ; { } and , outside strings. Without comments. sim names lines, so that
/// short lines tell which tokens two texts share.
std::string in_short_lines(const std::string& source);

}  // namespace lab::grade
