#include <fmt/format.h>

#include "cli/store.hpp"
#include "cli/terminal.hpp"
#include "cli/work.hpp"

namespace lab::cli {

namespace {

nlohmann::json as_json() {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& e : labs())
    all.push_back({{"lab", e.name},
                   {"title", e.card.title},
                   {"idea", e.card.idea},
                   {"backends", e.card.backends},
                   {"state", recall(e.name).passed ? "passed" : "todo"}});
  return {{"schema", 1}, {"labs", all}};
}

const entry* next_lab() {
  for (const auto& e : labs())
    if (!recall(e.name).passed) return &e;
  return nullptr;
}

}  // namespace

void add_list(CLI::App& app, int&) {
  auto* command = app.add_subcommand("list", "Show the labs and how far you are");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print one JSON document and nothing else");
  command->footer("Example: ./lab list --json");
  command->callback([json] {
    if (*json) return fmt::print("{}\n", as_json().dump(1));
    const terminal t{false, false};
    for (const auto& e : labs()) {
      const bool done = recall(e.name).passed;
      t.print(fmt::format("{} {:<24} {}", done ? t.green("passed") : t.yellow("todo  "), e.name, e.card.idea));
    }
  });
}

void add_next(CLI::App& app, int&) {
  auto* command = app.add_subcommand("next", "Say which lab comes next, and where its lesson is");
  command->footer("Example: ./lab next");
  command->callback([] {
    const auto* e = next_lab();
    if (!e) return fmt::print("You have passed every lab. ./lab report shows how fast your kernels are.\n");
    fmt::print("{}: {}\n  read    labs/{}/README.md\n  edit    labs/{}/kernel.cu\n  check   ./lab check {}\n", e->name,
               e->card.idea, e->name, e->name, e->name.substr(0, 2));
  });
}

}  // namespace lab::cli
