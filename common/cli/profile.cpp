#include "judge/profile.hpp"

#include <fmt/format.h>

#include "cli/profile_table.hpp"
#include "cli/work.hpp"

namespace lab::cli {

namespace {

using judge::verdict;

void show(const judge::profile_result& r, const job& j, const terminal& t, int& code) {
  for (const auto& p : r.profiles) {
    if (p.verdict == verdict::pass) {
      t.print(profile_text(p, j.variant.source));
      continue;
    }
    t.print(fmt::format("{} {}: {}\n{}", t.red("FAILED "), j.lab->name, judge::word(p.verdict), p.message));
    code = failed;
  }
}

void profile(const flags& f, int& code) {
  if (f.which == "all") throw usage_error("profile: name one lab");
  const auto j = chosen_jobs(f).front();
  judge::options o;
  fill(o, f);
  const terminal t{f.json, f.no_color};
  o.progress = [&](const std::string& what) { t.progress(fmt::format("{}: {}", j.lab->name, what)); };
  const auto r = judge::profile_kernel(*j.lab, j.variant, o);
  show(r, j, t, code);
  if (f.json) fmt::print("{}\n", judge::to_json(r).dump(1));
}

}  // namespace

void add_profile(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("profile", "Count a kernel's memory traffic, line by line");
  auto f = std::make_shared<flags>();
  add_flags(*command, *f);
  command->footer("Example: ./lab profile 03 --solution --size 64x96");
  command->callback([f, &code] { profile(*f, code); });
}

}  // namespace lab::cli
