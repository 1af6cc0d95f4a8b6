#include "grade/lint/lint.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/lab_choice.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

nlohmann::json to_json(const grade::lint_row& row) {
  return {{"launcher", row.launcher}, {"answer", row.answer},       {"cases", row.cases},
          {"refused", row.refused},   {"must_pass", row.must_pass}, {"trouble", row.trouble}};
}

std::string line_for(const grade::lint_row& row, const terminal& out) {
  const auto what = row.cases == 0  ? "does not occur"
                    : row.must_pass ? fmt::format("passed in {} of {} tries", row.cases - row.refused, row.cases)
                                    : fmt::format("refused in {} of {} tries", row.refused, row.cases);
  const auto mark = row.trouble.empty() ? out.green("ok ") : out.red("BAD");
  return fmt::format("  {} {:<18} {:<28} {}{}", mark, row.launcher, row.answer, what,
                     row.trouble.empty() ? "" : ": it " + row.trouble);
}

nlohmann::json lint_one(const entry& lab, const terminal& out, int& code) {
  out.print(out.bold(lab.name));
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& row : grade::lint(lab.definition)) {
    out.print(line_for(row, out));
    rows.push_back(to_json(row));
    if (!row.trouble.empty()) code = failed;
  }
  return {{"lab", lab.name}, {"rows", rows}};
}

}  // namespace

static void add_lint(command_line app, int& code) {
  struct lint_flags {
    std::string which;
    bool json = false;
  };
  auto command = app.add_subcommand("lint", "Test that a lab's cases reject trivial answers and accept correct ones");
  auto flags = std::make_shared<lint_flags>();
  command.add_option("lab", flags->which, lab_argument + ", or all").required().type_name("NN|all");
  command.add_flag("--json", flags->json, "print one JSON document and nothing else");
  command.footer("Example: ./lab lint all");
  command.callback([flags, &code] {
    const terminal out{flags->json, false};
    nlohmann::json all = nlohmann::json::array();
    for (const auto& lab : labs())
      if (flags->which == "all" || &lab == &chosen_lab(flags->which)) all.push_back(lint_one(lab, out, code));
    if (flags->json) fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"labs", all}}.dump(1));
  });
}

namespace {

const command_registration registered_lint{audience::write_labs, add_lint};

}  // namespace

}  // namespace lab::cli
