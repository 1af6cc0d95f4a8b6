#include "grade/lint/lint.hpp"

#include <fmt/format.h>

#include "cli/output/terminal.hpp"
#include "cli/shared_commands.hpp"

namespace lab::cli {

namespace {

nlohmann::json to_json(const grade::lint_row& r) {
  return {{"launcher", r.launcher}, {"answer", r.answer},       {"cases", r.cases},
          {"refused", r.refused},   {"must_pass", r.must_pass}, {"trouble", r.trouble}};
}

std::string line_for(const grade::lint_row& r, const terminal& t) {
  const auto what = r.cases == 0  ? "does not occur"
                    : r.must_pass ? fmt::format("passed in {} of {} tries", r.cases - r.refused, r.cases)
                                  : fmt::format("refused in {} of {} tries", r.refused, r.cases);
  const auto mark = r.trouble.empty() ? t.green("ok ") : t.red("BAD");
  return fmt::format("  {} {:<18} {:<28} {}{}", mark, r.launcher, r.answer, what,
                     r.trouble.empty() ? "" : ": it " + r.trouble);
}

nlohmann::json lint_one(const entry& lab, const terminal& t, int& code) {
  t.print(t.bold(lab.name));
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& r : grade::lint(lab.definition)) {
    t.print(line_for(r, t));
    rows.push_back(to_json(r));
    if (!r.trouble.empty()) code = failed;
  }
  return {{"lab", lab.name}, {"rows", rows}};
}

}  // namespace

static void add_lint(CLI::App& app, int& code) {
  struct arguments {
    std::string which;
    bool json = false;
  };
  auto* command = app.add_subcommand("lint", "Show that a lab's cases refuse lazy answers and accept right ones");
  auto a = std::make_shared<arguments>();
  command->add_option("lab", a->which, "a lab (4, 04, padded) or all")->required()->type_name("NN|all");
  command->add_flag("--json", a->json, "print one JSON document and nothing else");
  command->footer("Example: ./lab lint all");
  command->callback([a, &code] {
    const terminal t{a->json, false};
    nlohmann::json all = nlohmann::json::array();
    for (const auto& e : labs())
      if (a->which == "all" || &e == &find(a->which)) all.push_back(lint_one(e, t, code));
    if (a->json) fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"labs", all}}.dump(1));
  });
}

namespace {

const command_registration registered{audience::write_labs, add_lint};

}  // namespace

}  // namespace lab::cli
