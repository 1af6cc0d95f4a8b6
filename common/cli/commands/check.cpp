#include <fmt/format.h>

#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

std::string number(const std::string& lab) { return lab.substr(0, 2); }

// ", no hazards, 2 gates met": what is said of the traced runs of a kernel that passed.
std::string trace_words(const judge::check_result& r) {
  if (r.traced.empty()) return "";
  std::string words = r.hazards.empty() ? ", no hazards" : fmt::format(", {} remarks", r.hazards.size());
  if (!r.gates.empty()) words += fmt::format(", {} {} met", r.gates.size(), r.gates.size() == 1 ? "gate" : "gates");
  return words;
}

std::string headline(const judge::check_result& r, const terminal& t) {
  const auto good = std::ranges::count(r.cases, verdict_kind::pass, &judge::case_result::verdict);
  const auto what = fmt::format("{:<24} {:<9}", r.lab, r.variant);
  if (r.verdict == verdict_kind::pass)
    return fmt::format("{} {} {} cases{} in {:.1f} s", t.green("passed "), what, good, trace_words(r), r.seconds);
  if (r.verdict == verdict_kind::skipped)
    return fmt::format("{} {} {}", t.yellow("skipped"), what, r.cases.front().message);
  return fmt::format("{} {} {}: {} of {} cases passed", t.red("FAILED "), what, word(r.verdict), good, r.cases.size());
}

bool failed_case(const judge::case_result& c) {
  return c.verdict != verdict_kind::pass && c.verdict != verdict_kind::skipped;
}

// The first failure that shows its own cause: what is known only from another size is no picture of it.
const judge::case_result* telling_case(const judge::check_result& r) {
  const judge::case_result* first = nullptr;
  for (const auto& c : r.cases) {
    if (!failed_case(c) || (first && c.verdict != first->verdict)) continue;
    if (!c.seen_elsewhere) return &c;
    if (!first) first = &c;
  }
  return first;
}

// One failure in full, some others on a line each: mostly they are the same mistake.
void explain(const judge::check_result& r, const terminal& t) {
  constexpr int most_lines = 5;
  const auto* full = telling_case(r);
  if (full) t.print(fmt::format("\n{}", full->message));
  int others = 0;
  for (const auto& c : r.cases)
    if (failed_case(c) && &c != full && ++others <= most_lines)
      t.print(fmt::format("  also {} {}: {}", c.launcher, c.name(), word(c.verdict)));
  if (others > most_lines) t.print(fmt::format("  and {} more; --json names them all", others - most_lines));
}

// What tracing found, unless a failed case says it already.
void explain_hazards(const judge::check_result& r, const judge::kernel_variant& which, const terminal& t) {
  const bool told = std::ranges::any_of(r.cases, &judge::case_result::traced);
  std::string kind;
  for (const auto& h : r.hazards) {
    if (h.severity == "info" || (told && h.error())) continue;
    if (kind.empty() && r.verdict != verdict_kind::pass)
      t.print("\nThe simulator has watched every access. What it saw is sure, where \"Why\" above is a guess:\n");
    t.print(t.yellow("Hazard: ") + judge::describe(h, which.source));
    if (kind.empty() || h.error()) kind = h.kind;
  }
  if (!kind.empty()) t.print(fmt::format("Next: mend that line; in general: ./lab explain {}", kind));
}

// The values are known, and tracing may take as long again: say so already.
void announce_values(const judge::check_result& r, const terminal& t) {
  if (r.verdict == verdict_kind::pass)
    return t.print(fmt::format("{} {:<24} {:<9} {} cases in {:.1f} s, now tracing", t.green("correct"), r.lab,
                               r.variant, r.cases.size(), r.seconds));
  t.print(headline(r, t));
  explain(r, t);
}

void advise(const judge::check_result& r, const terminal& t) {
  if (r.variant != "starter") return;
  if (r.verdict == verdict_kind::pass)
    t.print(fmt::format("         how fast is it?  ./lab bench {}", number(r.lab)));
  else if (r.verdict != verdict_kind::skipped)
    t.print(fmt::format("\n  edit labs/{}/kernel.cu, then ./lab check {};  stuck? ./lab hint {}\n", r.lab,
                        number(r.lab), number(r.lab)));
}

void keep(const judge::check_result& r, backend_kind backend) {
  auto one = check_document(backend);
  one["results"].push_back(to_json(r));
  keep_result("check", r.lab, r.variant, std::string{word(backend)}, one);
  if (r.variant != "starter" || r.verdict == verdict_kind::skipped) return;
  if (r.verdict == verdict_kind::pass) remember(r.lab, [](progress& p) { p.passed = true; });
}

judge::check_result check_and_show(const job& j, judge::check_options o, const terminal& t) {
  bool explained = false;
  o.values_known = [&](const judge::check_result& r) {
    announce_values(r, t);
    explained = r.verdict != verdict_kind::pass;
  };
  const auto r = judge::check(*j.lab, j.variant, o);
  if (!explained) t.print(headline(r, t));
  if (!explained) explain(r, t);
  explain_hazards(r, j.variant, t);
  return r;
}

}  // namespace

nlohmann::json check_document(backend_kind backend) {
  return {{"schema", 1}, {"backend", word(backend)}, {"date", now()}, {"results", nlohmann::json::array()}};
}

void show_check(const judge::check_result& r, const terminal& t) {
  t.print(headline(r, t));
  explain(r, t);
  advise(r, t);
}

nlohmann::json check_all(const std::vector<job>& jobs, const judge::check_options& given, const terminal& t, int& code,
                         advice next) {
  auto all = check_document(given.backend);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto o = given;
    o.progress = [&](const std::string& what) {
      t.progress(fmt::format("[{}/{}] {}: {}", i + 1, jobs.size(), jobs[i].lab->name, what));
    };
    const auto r = check_and_show(jobs[i], o, t);
    if (next == advice::given) advise(r, t);
    keep(r, given.backend);
    all["results"].push_back(to_json(r));
    if (r.verdict != verdict_kind::pass && r.verdict != verdict_kind::skipped) code = failed;
  }
  return all;
}

static void add_check(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("check", "Check a kernel against its reference, at sizes chosen with malice");
  auto f = std::make_shared<flags>();
  add_flags(*command, *f);
  command->add_option("--schedules", f->schedules, "how many orders of blocks and warps the traced run tries")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->footer("Example: ./lab check 04 --backend sim\n         ./lab check 11 --schedules 8");
  command->callback([f, &code] {
    const auto jobs = chosen_jobs(*f);
    judge::check_options o;
    fill(o, *f);
    const auto result = check_all(jobs, o, terminal{f->json, f->no_color}, code);
    if (f->json) fmt::print("{}\n", result.dump(1));
  });
}

namespace {

const command_registration registered{audience::learn, add_check};

}  // namespace

}  // namespace lab::cli
