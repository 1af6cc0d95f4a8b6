#pragma once

#include <filesystem>

#include "cli/output/profile_table.hpp"
#include "machine_code/machine_code.hpp"

namespace lab::cli {

/// What the simulator counted of one kernel.
struct counted_kernel {
  std::string name{};   ///< without template arguments
  std::string where{};  ///< "transpose at 96x40"
  std::vector<judge::line_traffic> lines{};
};

struct listing_options {
  judge::code_language language = judge::code_language::sass;
  bool brief = false;  ///< only how many instructions of each kind a line has
  std::size_t columns = 80;
};

/// A kernel's source, below each line its counts and its instructions, then the instructions that belong to no line.
/// Lines of the listing fit into the columns; those of the source stay whole.
std::string machine_code_text(const judge::machine_code& code, const judge::kernel_code& kernel,
                              const std::filesystem::path& source, const counted_kernel* counts,
                              const listing_options& options);

/// "32 registers and 4096 bytes of shared memory for each block; no spills"
std::string resources_text(const judge::kernel_resources& needs);

}  // namespace lab::cli
