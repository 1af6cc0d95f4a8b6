#pragma once

#include <array>
#include <string_view>

namespace lab::sandbox {

/// The attacks of the hostile probe, in the order of its results. Each completes "a kernel could ...".
constexpr std::array<std::string_view, 18> attacks{
    "read a file of the grader",
    "write a file beside the grader's",
    "open an internet socket",
    "open a local socket",
    "start a process",
    "start a program",
    "signal the grader",
    "read the grader's environment",
    "trace the grader",
    "fill the temporary folders",
    "allocate memory that no limit counts",
    "see another process",
    "change another process",
    "start 2000 threads",
    "outlive the grader",
    "watch files",
    "take a lease on a file",
    "move another process to other cores",
};

}  // namespace lab::sandbox
