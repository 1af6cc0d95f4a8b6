#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "build/availability.hpp"
#include "build/kernel_cache.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shared_commands.hpp"
#include "grade/mutation/validation.hpp"
#include "support/interruptible.hpp"

namespace lab::cli {

namespace {

nlohmann::json to_json(const grade::validated_mutant& one) {
  return {{"kind", word(one.made.kind)}, {"line", one.made.line},
          {"before", one.made.before},   {"after", one.made.after},
          {"reason", one.reason},        {"verdict", one.listed() ? "listed" : word(one.verdict)}};
}

nlohmann::json to_json(const std::vector<grade::equivalent_mutant>& entries) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& one : entries) all.push_back({{"before", one.before}, {"after", one.after}});
  return all;
}

std::string both_lines(const std::string& before, const std::string& after) {
  return fmt::format("\n      - {}\n      + {}", before, after);
}

void show_survivor(const grade::validated_mutant& one, const terminal& out) {
  out.print(fmt::format("  {} kernel.cu:{}, {}{}", out.red("passes"), one.made.line, word(one.made.kind),
                        both_lines(one.made.before, one.made.after)));
}

void show_entries(const entry& lab, const std::vector<grade::equivalent_mutant>& entries, std::string_view mistake,
                  const terminal& out) {
  for (const auto& one : entries)
    out.print(fmt::format("  {} {}: {}{}", out.red("wrong entry"), grade::equivalents_of(lab).filename().string(),
                          mistake, both_lines(one.before, one.after)));
}

bool good(const grade::validation& result) {
  return result.unknown.empty() && result.refuted.empty() &&
         std::ranges::none_of(result.mutants, &grade::validated_mutant::survives);
}

std::string summary(const entry& lab, const grade::validation& result, const terminal& out) {
  const auto count = [&](auto which) { return std::ranges::count_if(result.mutants, which); };
  const auto passed = count(&grade::validated_mutant::passes), listed = count(&grade::validated_mutant::listed);
  const auto all = static_cast<std::ptrdiff_t>(result.mutants.size());
  return fmt::format("{} {}: of {} mutants {} fail, {} are listed as equivalent, {} pass",
                     good(result) ? out.green("ok ") : out.red("BAD"), lab.name, all, all - passed, listed,
                     passed - listed);
}

nlohmann::json validate_one(const entry& lab, grade::validation_options options, const terminal& out, int& code) {
  options.progress = [&](std::size_t i, std::size_t n) {
    out.progress(fmt::format("{}: mutant {} of {}", lab.name, i, n));
  };
  const auto result = grade::validate(lab, options);
  out.clear_progress();
  out.print(summary(lab, result, out));
  if (!good(result)) code = failed;
  nlohmann::json mutants = nlohmann::json::array();
  for (const auto& one : result.mutants) {
    mutants.push_back(to_json(one));
    if (one.survives()) show_survivor(one, out);
  }
  show_entries(lab, result.unknown, "the solution has no such mutant", out);
  show_entries(lab, result.refuted, "this mutant fails, so it needs no entry", out);
  if (std::ranges::any_of(result.mutants, &grade::validated_mutant::survives))
    out.print(fmt::format(
        "Add a case, a gate or a size that they fail, or list equivalent ones with a reason in {}; CONTRIBUTING.md "
        "shows how.",
        grade::equivalents_of(lab).string()));
  return {{"lab", lab.name},
          {"mutants", mutants},
          {"unknown", to_json(result.unknown)},
          {"refuted", to_json(result.refuted)}};
}

std::vector<const entry*> chosen_labs(const std::string& which) {
  if (which != "all") return {&find(which)};
  std::vector<const entry*> all;
  for (const auto& lab : labs())
    if (runs_on(lab, backend_kind::sim)) all.push_back(&lab);
  return all;
}

struct validate_flags {
  std::string which;
  grade::validation_options options;
  bool json = false;
};

int perform(const validate_flags& flags) {
  const terminal out{flags.json, false};
  nlohmann::json all = nlohmann::json::array();
  int code = passed;
  for (const auto* lab : chosen_labs(flags.which)) all.push_back(validate_one(*lab, flags.options, out, code));
  if (flags.json) fmt::print("{}\n", nlohmann::json{{"schema", 1}, {"labs", all}}.dump(1));
  return code;
}

}  // namespace

static void add_validate(command_line app, int& code) {
  auto command = app.add_subcommand("validate", "Make mutants of a lab's solution and test that each fails its check");
  auto flags = std::make_shared<validate_flags>();
  command.add_option("lab", flags->which, "the lab's number or a unique part of its name (4, 04, padded), or all")
      .required()
      .type_name("NN|all");
  command.add_option("--sample", flags->options.sample, "check this many mutants of a lab instead of all")
      .positive()
      .type_name("N");
  command.add_option("--seed", flags->options.seed, "which sample").capture_default_str();
  command.add_flag("--json", flags->json, "print one JSON document and nothing else");
  command.footer("Example: ./lab validate 03\n         ./lab validate all --sample 20 --seed 7");
  command.callback([flags, &code] {
    if (const auto can = judge::probe(backend_kind::sim); !can.usable) throw machine_error(can.reason);
    code =
        run_interruptible([&](const std::filesystem::path&) { return exit_code_of([&] { return perform(*flags); }); });
    judge::remove_abandoned_builds();
  });
}

namespace {

const command_registration registered_validate{audience::write_labs, add_validate};

}  // namespace

}  // namespace lab::cli
