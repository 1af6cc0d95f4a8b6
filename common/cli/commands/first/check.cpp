#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "support/installation.hpp"
#include "text/counted.hpp"
#include "trace/hazard_message.hpp"

namespace lab::cli {

namespace {

std::string number(const std::string& lab) { return lab.substr(0, 2); }

// "01_vector_add", or "01_vector_add.2" for a stage.
std::string name_of(const judge::check_result& result) {
  return result.stage ? fmt::format("{}.{}", result.lab, result.stage) : result.lab;
}

// "01.2" if a stage failed, else "01".
std::string failed_part(const judge::check_result& result) {
  int failed = result.stage;
  for (const auto& one : result.stages)
    if (one.verdict != verdict_kind::pass && one.verdict != verdict_kind::skipped) failed = one.number;
  return failed ? fmt::format("{}.{}", number(result.lab), failed) : number(result.lab);
}

// "the host side: " for a stage.
std::string title_of(const judge::check_result& result) {
  return result.stage ? find(result.lab).definition.stages.at(result.stage - 1).title + ": " : "";
}

// ", no hazards, 2 gates met": the result of the traced runs of a kernel that passed.
std::string trace_summary(const judge::check_result& result) {
  if (result.coverage.traced.empty()) return "";
  std::string words = result.hazards.empty() ? ", no hazards" : ", " + counted(result.hazards.size(), "warning");
  words += fmt::format(" in {}", counted(result.coverage.traced.size(), "traced run"));
  if (!result.gates.empty()) words += fmt::format(", {} met", counted(result.gates.size(), "gate"));
  return words;
}

std::string headline(const judge::check_result& result, const terminal& out) {
  const auto good = std::ranges::count(result.cases, verdict_kind::pass, &judge::case_result::verdict);
  const auto what = fmt::format("{:<24} {:<9}", name_of(result), result.variant);
  if (result.verdict == verdict_kind::pass)
    return fmt::format("{} {} {}{}{} in {:.1f} s", out.green("passed "), what, title_of(result), counted(good, "case"),
                       trace_summary(result), result.seconds);
  if (result.verdict == verdict_kind::skipped)
    return fmt::format("{} {} {}", out.yellow("skipped"), what, result.cases.front().message);
  if (result.cases.front().phase == judge::case_phase::build)
    return fmt::format("{} {} {}", out.red("FAILED "), what, word(result.verdict));
  return fmt::format("{} {} {}{}: {} of {} passed", out.red("FAILED "), what, title_of(result), word(result.verdict),
                     good, counted(result.cases.size(), "case"));
}

bool failed_case(const judge::case_result& outcome) {
  return outcome.verdict != verdict_kind::pass && outcome.verdict != verdict_kind::skipped;
}

// The first failure whose message shows its own output. Other messages repeat what was seen at another size.
const judge::case_result* case_to_show(const judge::check_result& result) {
  const judge::case_result* first = nullptr;
  for (const auto& outcome : result.cases) {
    if (!failed_case(outcome) || (first && outcome.verdict != first->verdict)) continue;
    if (!outcome.seen_elsewhere) return &outcome;
    if (!first) first = &outcome;
  }
  return first;
}

// One failure in full and a line for some others, because most failures have the same cause.
void explain(const judge::check_result& result, const terminal& out) {
  constexpr int most_lines = 5;
  const auto* full = case_to_show(result);
  if (full) out.print(fmt::format("\n{}", full->message));
  int others = 0;
  for (const auto& outcome : result.cases)
    if (failed_case(outcome) && &outcome != full && ++others <= most_lines)
      out.print(fmt::format("  also {} {}: {}", outcome.launcher, outcome.name(), word(outcome.verdict)));
  if (others > most_lines) out.print(fmt::format("  and {} more; --json lists all", others - most_lines));
}

// The hazards of the traced run, unless the message of a failed case names the one that explains it: one mistake leads
// to several hazards, and to correct it is the next step.
void explain_hazards(const judge::check_result& result, const judge::kernel_variant& which, const terminal& out) {
  if (std::ranges::any_of(result.cases, &judge::case_result::proven)) return;
  const bool already_shown = std::ranges::any_of(result.cases, &judge::case_result::traced);
  std::string kind;
  for (const auto& hazard : result.hazards) {
    if (hazard.severity == "info" || (already_shown && hazard.error())) continue;
    out.print(out.yellow("Hazard: ") + judge::describe(hazard, which.source));
    if (kind.empty() || hazard.error()) kind = hazard.kind;
  }
  if (!kind.empty()) out.print(fmt::format("Next: correct that line. To learn more: ./lab explain {}", kind));
}

// Prints the verdict on the values early, because tracing can take as long again, and the trace may show the cause.
void announce_values(const judge::check_result& result, const terminal& out) {
  if (result.verdict == verdict_kind::pass)
    return out.print_row(fmt::format("{} {:<24} {:<9} {} in {:.1f} s, tracing now", out.green("correct"),
                                     name_of(result), result.variant, counted(result.cases.size(), "case"),
                                     result.seconds));
  out.print_row(headline(result, out));
}

// A kernel that is right, but not in all that the lab asks.
std::string next_after_a_part(const judge::check_result& result) {
  const auto& stages = find(result.lab).definition.stages;
  if (result.stage > 0 && result.stage < static_cast<int>(stages.size()))
    return fmt::format("Next: stage {}, {}: ./lab check {}.{}", result.stage + 1, stages[result.stage].title,
                       number(result.lab), result.stage + 1);
  return fmt::format("Next: ./lab check {} checks all {}; only that passes the lab", number(result.lab),
                     result.stage ? "stages" : "sizes");
}

void advise(const judge::check_result& result, const terminal& out, bool own_sizes = true) {
  if (result.variant != "starter") return;
  if (result.verdict == verdict_kind::pass && (!own_sizes || result.stage > 0))
    out.print(next_after_a_part(result));
  else if (result.verdict == verdict_kind::pass)
    out.print(fmt::format("Next: measure its speed with ./lab bench {}", number(result.lab)));
  else if (result.verdict != verdict_kind::skipped)
    out.print(fmt::format("\nThen edit {} and run ./lab check {}. More hints, one at a time: ./lab hint {}\n",
                          result.verdict == verdict_kind::compile_error ? "it"  // the message has named it
                                                                        : "labs/" + result.lab + "/kernel.cu",
                          number(result.lab), failed_part(result)));
}

void enter(progress& p, const judge::check_result& result) {
  const auto stage_passed = [](const judge::stage_result& s) { return s.verdict == verdict_kind::pass; };
  for (const auto& stage : result.stages)
    if (stage_passed(stage)) p.stages.insert(stage.number);
  if (result.verdict != verdict_kind::pass) return;
  if (result.stage > 0)
    p.stages.insert(result.stage);
  else
    p.passed = true;
}

// Only all of the lab's own sizes show that a lab or a stage is passed. The report shows whole labs. A check for
// another GPU is a question beside the course.
void keep(const judge::check_result& result, const judge::check_options& options) {
  if (!options.simulated_gpu.empty()) return;
  auto one = check_document(options.backend);
  one["results"].push_back(to_json(result));
  if (result.stage == 0) keep_result("check", result.lab, result.variant, std::string{word(options.backend)}, one);
  if (result.variant != "starter" || !options.sizes.empty()) return;
  remember(result.lab, [&](progress& p) { enter(p, result); });
}

// What a student must not take for checked.
void show_missing_coverage(const judge::check_result& result, const terminal& out) {
  for (const auto& run : result.coverage.missing)
    if (run.why.empty())
      out.print(fmt::format(
          "{} {} ran at {} {}, but were not traced, because this size is large. To trace them: ./lab "
          "check {} --trace-all",
          out.yellow("Not traced:"), judge::lines_of(run.places), run.launcher, run.size.name(), number(result.lab)));
    else
      out.print(fmt::format("{} {} at {}: {}", out.yellow("Not traced:"), run.launcher, run.size.name(), run.why));
}

judge::check_result check_part(const kernel_job& job, judge::check_options options, const terminal& out) {
  bool announced = false;
  options.values_known = [&](const judge::check_result& result) {
    announce_values(result, out);
    announced = result.verdict != verdict_kind::pass;
  };
  const auto result = judge::check(*job.lab, job.variant, options);
  if (!announced) out.print_row(headline(result, out));
  explain(result, out);
  explain_hazards(result, job.variant, out);
  show_missing_coverage(result, out);
  return result;
}

// Other sizes may fit some launchers only, so they are not tried stage by stage.
judge::check_result check_and_show(const kernel_job& job, judge::check_options options, const terminal& out) {
  if (job.lab->definition.stages.empty() || job.lab->stage > 0 || !options.sizes.empty())
    return check_part(job, options, out);
  return judge::check_by_stages(*job.lab, [&](const entry& stage) {
    const auto result = check_part({&stage, job.variant}, options, out);
    options.budget_s -= result.spent_seconds;
    return result;
  });
}

}  // namespace

nlohmann::json check_document(backend_kind backend) {
  return {{"schema", 1},
          {"version", lab::version()},
          {"backend", word(backend)},
          {"date", now()},
          {"results", nlohmann::json::array()}};
}

void show_check(const judge::check_result& result, const terminal& out) {
  out.print_row(headline(result, out));
  explain(result, out);
  advise(result, out);
}

nlohmann::json check_all(const std::vector<kernel_job>& jobs, const judge::check_options& given, const terminal& out,
                         int& code, advice next) {
  auto all = check_document(given.backend);
  if (!given.simulated_gpu.empty()) {
    all["gpu"] = given.simulated_gpu;
    out.print(fmt::format("On the simulator, with the limits of this GPU: {}", given.simulated_gpu));
  }
  saver results;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto options = given;
    options.progress = [&](const std::string& what) {
      out.progress(fmt::format("[{}/{}] {}: {}", i + 1, jobs.size(), jobs[i].lab->name, what));
    };
    const auto result = check_and_show(jobs[i], options, out);
    if (next == advice::given) advise(result, out, given.sizes.empty() && given.simulated_gpu.empty());
    results.save([&] { keep(result, given); });
    all["results"].push_back(to_json(result));
    if (result.verdict == verdict_kind::infra_error)
      code = lacking;
    else if (result.verdict != verdict_kind::pass && result.verdict != verdict_kind::skipped && code == passed)
      code = failed;
  }
  results.report(code);
  return all;
}

// Every runner of this process gets the limits of the GPU.
static void simulate(const std::string& gpu, common_flags& flags) {
  if (flags.backend == "cuda") throw usage_error(fmt::format("--gpu {} is simulated; leave out --backend cuda", gpu));
  flags.backend = "sim";
  setenv("LAB_SIM_DEVICE", gpu.c_str(), 1);
}

static void add_check(command_line app, int& code) {
  auto command = app.add_subcommand("check", "Check a kernel against its reference, also at awkward sizes");
  auto flags = std::make_shared<common_flags>();
  add_flags(command, *flags);
  command.add_option("--schedules", flags->schedules, "number of block and warp orders that the traced run tries")
      .type_name("N")
      .between(1, 1000)
      .capture_default_str();
  auto trace_all = std::make_shared<bool>(false);
  command.add_flag("--trace-all", *trace_all,
                   "trace every size; without it, large sizes are traced only for what they alone execute");
  auto gpu = std::make_shared<std::string>();
  command.add_option("--gpu", *gpu, "on the simulator, with the limits of this GPU")
      .type_name("GPU")
      .one_of(judge::simulated_gpus());
  limit_whole_check(command, *flags);
  command.footer(
      "Example: ./lab check 04 --backend sim\n         ./lab check 11 --schedules 8\n"
      "         ./lab check 08 --gpu t4");
  command.callback([flags, trace_all, gpu, &code] {
    if (!gpu->empty()) simulate(*gpu, *flags);
    const auto jobs = chosen_jobs(*flags);
    judge::check_options options;
    fill(options, *flags);
    options.trace_all = *trace_all;
    options.simulated_gpu = *gpu;
    const auto result = check_all(jobs, options, terminal{flags->json, flags->no_color}, code);
    if (flags->json) fmt::print("{}\n", result.dump(1));
  });
}

namespace {

const command_registration registered_check{audience::start, add_check};

}  // namespace

}  // namespace lab::cli
