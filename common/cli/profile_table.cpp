#include "cli/profile_table.hpp"

#include <fmt/format.h>
namespace lab::cli {
std::string profile_text(const judge::profile& p, const std::filesystem::path&) {
  std::string t;
  for (auto& l : p.report.launches)
    for (auto& a : l.lines)
      t += fmt::format("{} {} {} {} {}: {} req {} sect {} ideal {} conf\n", p.size, l.kernel, a.line, a.op, a.space,
                       a.requests, a.sectors, a.sectors_ideal, a.bank_conflicts);
  return t;
}
}  // namespace lab::cli
