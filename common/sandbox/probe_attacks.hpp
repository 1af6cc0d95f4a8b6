#pragma once

#include <array>
#include <string_view>

namespace lab::grade {

/// What the hostile probe tries, in the order of its results.
constexpr std::array<std::string_view, 15> attacks{
    "read a file of the grader",
    "write a file beside it",
    "open an internet socket",
    "open a local socket",
    "start a process",
    "start a program",
    "signal the grader",
    "read the grader's environment",
    "trace the grader",
    "fill the temporary folders",
    "make memory that nobody counts",
    "see another process",
    "change another process",
    "start two thousand threads",
    "outlive the grader",
};

}  // namespace lab::grade
