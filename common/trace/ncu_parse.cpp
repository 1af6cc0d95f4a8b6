#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "text/csv.hpp"
#include "text/lower_case.hpp"
#include "trace/ncu.hpp"

namespace lab::judge {

namespace {

using csv_row = std::vector<std::string>;

// A table's heading; the first of several columns of one name counts.
class columns {
 public:
  explicit columns(csv_row names) : names_{std::move(names)} {}
  std::string text(const csv_row& row, std::string_view name) const {
    const auto at = std::ranges::find(names_, name) - names_.begin();
    return at < static_cast<std::ptrdiff_t>(row.size()) ? row[at] : "";
  }
  // "1,234" or "1234.0"; 0 for "-" and for what is not there.
  double number(const csv_row& row, std::string_view name) const {
    auto cell = text(row, name);
    std::erase(cell, ',');
    return std::strtod(cell.c_str(), nullptr);
  }
  std::uint64_t count(const csv_row& row, std::string_view name) const {
    return static_cast<std::uint64_t>(std::max(0.0, number(row, name)));
  }
  const csv_row& names() const { return names_; }

 private:
  csv_row names_;
};

// "(3, 2, 1)"
std::array<int, 3> triple(const std::string& text) {
  std::array<int, 3> t{};
  std::sscanf(text.c_str(), " ( %d , %d , %d", &t[0], &t[1], &t[2]);
  return t;
}

// "void add<(int)4>(int *, int)" is the kernel add<(int)4>.
std::string without_parameters(std::string name) {
  if (name.starts_with("void ")) name.erase(0, 5);
  int depth = 0;
  for (auto i = name.size(); name.ends_with(')') && i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0) return name.substr(0, i);
  }
  return name;
}

bool has(const csv_row& row, std::string_view cell) { return std::ranges::find(row, cell) != row.end(); }

std::string operation_of(const std::string& word) {
  if (word.find("load") != std::string::npos) return "load";
  return word.find("store") != std::string::npos ? "store" : "atomic";
}

// What one machine instruction did; nothing if it is no access to global or shared memory.
std::optional<line_traffic> instruction(const columns& h, const csv_row& row) {
  const auto space = lower_case(h.text(row, "Address Space"));
  const bool shared = space.find("shared") != std::string::npos;
  if (!shared && space.find("global") == std::string::npos) return std::nullopt;
  line_traffic a{.op = operation_of(lower_case(h.text(row, "Access Operation"))),
                 .space = shared ? "shared" : "global"};
  a.requests = h.count(row, "Instructions Executed");
  a.sectors = h.count(row, "L2 Theoretical Sectors Global");
  a.sectors_ideal = a.sectors - std::min(a.sectors, h.count(row, "L2 Theoretical Sectors Global Excessive"));
  a.wavefronts = h.count(row, "L1 Wavefronts Shared");
  a.bank_conflicts = std::min(a.wavefronts, h.count(row, "L1 Wavefronts Shared Excessive"));
  a.wavefronts_ideal = a.wavefronts - a.bank_conflicts;
  return a;
}

// Reads the source page: for each launch, for each of its files, a heading, then lines and below each its instructions.
class source_page {
 public:
  explicit source_page(const std::string& text) {
    for (auto& row : parse_csv(text)) read(row);
  }
  std::vector<std::vector<line_traffic>> launches;

 private:
  void read(csv_row& row) {
    if (row.size() >= 2 && row[0] == "File Path") return void(file_ = row[1]);
    if (row.size() >= 2 && (row[0] == "Function Name" || row[0] == "Kernel Name")) return void(function_ = row[1]);
    if (has(row, "Address Space") && has(row, "Source")) return begin(std::move(row));
    if (heading_ && row.size() == heading_->names().size()) add_row(row);
  }
  void begin(csv_row row) {
    heading_.emplace(std::move(row));
    line_ = 0;
    if (function_ == launch_of_ && files_.insert(file_).second && !launches.empty()) return;
    launch_of_ = function_;
    files_ = {file_};
    addresses_.clear();
    launches.emplace_back();
  }
  void add_row(const csv_row& row) {
    auto number = heading_->text(row, "Line No");
    if (number.empty()) number = heading_->text(row, "# Line");
    if (const int line = std::atoi(number.c_str()); line > 0) line_ = line;
    auto address = heading_->text(row, "Address");
    if (address.empty()) address = heading_->text(row, "# Address");
    if (address.empty() || address == "-" || !addresses_.insert(address).second) return;
    auto a = instruction(*heading_, row);
    if (!a || a->requests == 0) return;
    a->file = std::filesystem::path{file_}.filename().string();
    a->line = line_;
    add_to(launches.back(), *a);
  }

  std::optional<columns> heading_;
  std::string file_, function_, launch_of_;
  std::set<std::string> files_, addresses_;
  int line_ = 0;
};

}  // namespace

std::vector<launch> parse_ncu_launches(const std::string& raw) {
  std::vector<launch> all;
  std::optional<columns> heading;
  for (auto& row : parse_csv(raw)) {
    if (!heading) {
      if (has(row, "Kernel Name") && has(row, "Grid Size")) heading.emplace(std::move(row));
      continue;
    }
    const auto name = heading->text(row, "Kernel Name");
    if (name.empty()) continue;  // the row of units
    launch l{without_parameters(name), triple(heading->text(row, "Grid Size")),
             triple(heading->text(row, "Block Size"))};
    for (const auto& metric : heading->names())
      if (metric.find("__") != std::string::npos || metric.starts_with("memory_"))
        l.metrics[metric] = heading->number(row, metric);
    all.push_back(std::move(l));
  }
  if (!heading) throw std::runtime_error("Nsight Compute's page \"raw\" has no column \"Kernel Name\"");
  return all;
}

trace_report parse_ncu(const std::string& raw, const std::string& source) {
  trace_report r{parse_ncu_launches(raw), {}};
  auto page = source_page{source};
  if (page.launches.size() != r.launches.size())
    throw std::runtime_error(
        fmt::format("Nsight Compute tells of {} launches, and shows the source of {}; was the "
                    "kernel built with -lineinfo?",
                    r.launches.size(), page.launches.size()));
  for (std::size_t i = 0; i < r.launches.size(); ++i) r.launches[i].lines = std::move(page.launches[i]);
  return r;
}

}  // namespace lab::judge
