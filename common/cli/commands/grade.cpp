#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cli/output/terminal.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "grade/course/course_grading.hpp"
#include "grade/course/executor.hpp"
#include "grade/course/similarity.hpp"
#include "grade/course/slurm.hpp"
#include "grade/job/policy.hpp"
#include "grade/report/autograder.hpp"
#include "grade/report/comparison.hpp"
#include "grade/report/gradebook.hpp"
#include "grade/report/gradescope_times.hpp"
#include "grade/report/report.hpp"
#include "support/installation.hpp"
#include "text/counted.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

struct grade_flags {
  std::string folder, out = "grades", gradescope, policy, executor = "local", backend, fail_on, roster, compare,
                      metadata;
  std::vector<std::string> labs, regrade;
  unsigned jobs = 0;
  double similarity = 0;
  bool resume = false, json = false, unsafe = false, policy_template = false;
};

struct policy_file {
  nlohmann::json rules = nlohmann::json::object();
  std::string name = "policy", text{};
};

// Names every mistake in the policy before anything is graded.
policy_file policy_in(const std::string& file) {
  if (file.empty()) return {};
  if (!std::filesystem::is_regular_file(file)) throw usage_error("--policy: " + file + " does not exist");
  try {
    constexpr bool comments_allowed = true;
    policy_file policy{.name = std::filesystem::path{file}.filename().string(), .text = lab::read_whole(file)};
    policy.rules = nlohmann::json::parse(policy.text, nullptr, true, comments_allowed);
    grade::policy_from(policy.rules, policy.name, policy.text);
    return policy;
  } catch (const nlohmann::json::parse_error& e) {
    throw usage_error(fmt::format("--policy: {} is no JSON: {}", file, e.what()));
  }
}

// Gradescope's times replace those of the policy and of the files. run_autograder calls the submission "student".
nlohmann::json with_times_in(const std::string& metadata, nlohmann::json rules) try {
  if (metadata.empty()) return rules;
  return grade::with_gradescope_times(std::move(rules), nlohmann::json::parse(lab::read_whole(metadata)), "student");
} catch (const nlohmann::json::exception& e) {
  throw usage_error(fmt::format("--gradescope-metadata: {} is not Gradescope's: {}", metadata, e.what()));
}

std::string roster_in(const std::string& file) {
  if (file.empty()) return {};
  if (!std::filesystem::is_regular_file(file)) throw usage_error("--roster: " + file + " does not exist");
  auto text = lab::read_whole(file);
  grade::roster_from(text, file);
  return text;
}

// The strongest level that confines the hostile probe.
sandbox::level chosen_level(backend_kind backend, bool unsafe) {
  if (unsafe) return sandbox::level::none;
  const auto tests = sandbox::probe_levels(backend);
  if (const auto level = sandbox::strongest(tests)) return *level;
  std::string text = "no sandbox level works on this machine:";
  for (const auto& test : tests) text += fmt::format("\n  {}: {}", sandbox::describe(test.probed), test.holes.front());
  throw machine_error(text + "\n./lab doctor shows what to install; --unsafe-no-sandbox grades without a sandbox");
}

std::vector<std::string> labs_in(const std::vector<std::string>& names,
                                 const std::function<void(const std::string&)>& warn) {
  std::vector<std::string> labs;
  for (const auto& name : names) {
    const auto& lab = find(name).name;
    if (std::ranges::find(labs, lab) == labs.end())
      labs.push_back(lab);
    else
      warn(fmt::format("--labs names {} twice; it is graded once", lab));
  }
  return labs;
}

void warn_on_terminal(const std::string& text) { fmt::print(stderr, "lab: {}\n", text); }

grade::grading_request request_from(const grade_flags& flags) {
  common_flags common;
  common.backend = flags.backend;
  if (flags.folder.empty())
    throw usage_error("grade needs the folder of the submissions, for example: ./lab grade submissions");
  if (!std::filesystem::is_directory(flags.folder)) throw usage_error(flags.folder + " is not a folder");
  if (flags.executor == "slurm" && !grade::slurm_is_available())
    throw machine_error(
        "sbatch is missing or does not answer, and --executor slurm needs a Slurm cluster; use --executor local");
  grade::grading_request request{.submissions = flags.folder, .out = flags.out};
  request.warn = warn_on_terminal;
  request.labs = labs_in(flags.labs, request.warn);
  if (!flags.policy.empty()) {
    auto policy = policy_in(flags.policy);
    request.rules = with_times_in(flags.metadata, std::move(policy.rules));
    request.policy_name = policy.name;
    request.policy_text = policy.text;
  }
  for (const auto& text : flags.regrade) request.regrade.push_back(grade::regrade_choice_from(text));
  request.roster = roster_in(flags.roster);
  request.backend = chosen_backend(common);
  request.sandbox_level = chosen_level(request.backend, flags.unsafe);
  request.executor = flags.executor == "slurm" ? grade::executor_kind::slurm : grade::executor_kind::local;
  request.jobs = flags.jobs;
  request.resume = flags.resume;
  return request;
}

std::vector<std::string> labs_of(const std::vector<grade::row>& rows) {
  std::set<std::string> names;
  for (const auto& one : rows) names.insert(one.lab);
  return {names.begin(), names.end()};
}

std::string summary(const std::vector<grade::row>& rows, const grade::grading_request& request) {
  std::map<std::string_view, int> count;
  for (const auto& one : rows) ++count[word(one.verdict)];
  std::string text = fmt::format("{}, sandbox level {} ({})\n", counted(rows.size(), "row"),
                                 static_cast<int>(request.sandbox_level), sandbox::describe(request.sandbox_level));
  for (const auto& [word, n] : count) text += fmt::format("  {:4} {}\n", n, word);
  const auto out = std::filesystem::absolute(request.out).lexically_normal().string();
  text += grade::gates_in_words(
              grade::policy_from(grade::load_plan(std::filesystem::path{request.out} / ".grade/plan.json").rules),
              labs_of(rows)) +
          "\n";
  return text + fmt::format("{0}/grades.csv, gradebook.csv, grades.json, junit.xml; pages: {0}/index.html", out);
}

// Whether a row is a reason for the exit code that --fail-on requests.
bool counts_as_failure(const grade::row& graded, const std::string& fail_on) {
  if (fail_on.empty() || graded.verdict == verdict_kind::skipped) return false;
  return graded.verdict != verdict_kind::pass || (fail_on == "points" && graded.points < graded.max_points);
}

// What differs from an earlier grading.
int print_comparison(const grade_flags& flags, const grade::finished_grading& before) {
  const auto all = grade::compare(before, grade::grading_at(flags.out));
  if (flags.json)
    fmt::print("{}\n", to_json(all).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    terminal{false, false}.print_unbroken(in_words(all));
  return passed;
}

// Lists the pairs of similar kernels in the grading of --out.
void report_similarity(const grade_flags& flags) {
  const auto file = std::filesystem::path{flags.out} / ".grade/plan.json";
  if (!std::filesystem::exists(file)) throw usage_error(flags.out + " holds no grading; grade the class first");
  const auto plan = grade::load_plan(file);
  const auto report = grade::similar_kernels(plan, static_cast<int>(flags.similarity));
  grade::write_similarity(plan, report);
  std::string text;
  constexpr std::size_t most_shown = 20;
  for (std::size_t i = 0; i < std::min(report.pairs.size(), most_shown); ++i) {
    const auto& one = report.pairs[i];
    text += fmt::format("{}: {} and {}: {}% of {} tokens of own code\n", one.lab, sanitize::log(one.student),
                        sanitize::log(one.other), one.percent, one.tokens);
  }
  if (report.pairs.size() > most_shown)
    text += counted(report.pairs.size() - most_shown, "more pair") + " are in the file\n";
  text += fmt::format("{} of {} kernels; {} have fewer than {} tokens of own code and are not compared\n",
                      counted(report.pairs.size(), "similar pair"), report.compared, report.too_short,
                      grade::least_own_tokens);
  terminal{flags.json, false}.print_unbroken(text + (plan.out / "similarity.csv").string());
}

void require_similarity_tester(const grade_flags& flags) try {
  if (flags.similarity > 0) grade::require_similarity_tester();
} catch (const std::runtime_error& missing) {
  throw machine_error(missing.what());
}

int grade_all(const grade_flags& flags) {
  require_similarity_tester(flags);
  std::optional<grade::finished_grading> before;
  if (!flags.compare.empty()) before = grade::grading_at(flags.compare);
  if (flags.folder.empty() && flags.similarity > 0) report_similarity(flags);
  if (before && flags.folder.empty()) return print_comparison(flags, *before);
  if (flags.folder.empty() && flags.similarity > 0) return passed;
  auto request = request_from(flags);
  const terminal out{flags.json, false};
  request.progress = [&out](const std::string& what) { out.progress(what); };
  const auto rows = grade::grade_class(request);
  out.print(summary(rows, request));
  if (flags.similarity > 0) report_similarity(flags);
  if (before) print_comparison(flags, *before);
  if (flags.json && !before) fmt::print("{}\n", grade::grades_json(rows).dump(1));
  const auto left = std::ranges::count(rows, verdict_kind::infra_error, &grade::row::verdict);
  if (left > 0)
    fmt::print(stderr, "lab: {} without a verdict, because this machine failed; repeat the command with --resume\n",
               counted(left, "row"));
  if (left > 0) return lacking;
  const auto counts = [&](const grade::row& graded) { return counts_as_failure(graded, flags.fail_on); };
  return std::ranges::any_of(rows, counts) ? failed : passed;
}

int print_template() {
  fmt::print("{}", lab::read_whole(lab::here().home / "common/grade/job/policy_template.json"));
  return passed;
}

int pack(const grade_flags& flags) {
  const auto labs = labs_in(flags.labs, warn_on_terminal);
  fmt::print("{}\n", grade::make_autograder(flags.gradescope, policy_in(flags.policy).rules, labs).string());
  return passed;
}

}  // namespace

static void add_grade(command_line app, int& code) {
  auto command = app.add_subcommand("grade", "Grade a class, one folder or archive for each student");
  auto flags = std::make_shared<grade_flags>();
  command.add_option("dir", flags->folder, "folder that holds a folder or an archive for each student");
  command.add_option("--out", flags->out, "folder for the reports and the log").capture_default_str();
  command.add_option("--labs", flags->labs, "labs to grade, separated by blanks or commas (default: all)")
      .type_name("NN")
      .delimiter(',');
  command
      .add_option("--policy", flags->policy, "JSON file with points, hidden cases and deadlines; see docs/grading.md")
      .type_name("FILE");
  command.add_flag("--policy-template", flags->policy_template, "print a policy file with all keys and their defaults");
  command
      .add_option("--roster", flags->roster,
                  "CSV file with all students, such as Canvas or Moodle exports; absent students get rows, and "
                  "gradebook.csv has its form")
      .type_name("FILE");
  command.add_option("--jobs", flags->jobs, "number of parallel jobs (default: one for each core, or one on a GPU)");
  command.add_option("--executor", flags->executor, "grade on this machine (local) or on a Slurm cluster")
      .one_of({"local", "slurm"})
      .capture_default_str();
  command.add_option("--backend", flags->backend, "run on a GPU (cuda) or on the CPU simulator (sim)")
      .one_of({"sim", "cuda"});
  command.add_flag("--resume", flags->resume, "continue the grading in the folder of --out");
  command
      .add_option("--regrade", flags->regrade,
                  "grade these rows of the grading in --out again, and leave all others as they are; may be repeated")
      .type_name("STUDENT[:LAB]")
      .one_each();
  command
      .add_option("--fail-on", flags->fail_on,
                  "end with exit code 1 if a verdict is not pass (failure), or if a row misses points (points)")
      .one_of({"failure", "points"});
  command
      .add_option("--compare", flags->compare,
                  "print what is different from an earlier grading, by its folder or grades.json, and why; without "
                  "submissions, compare --out with it")
      .type_name("OLD");
  command
      .add_option("--similarity", flags->similarity,
                  "list pairs of kernels of which this share of the own code is alike in similarity.csv; without "
                  "submissions, those of the grading in --out")
      .type_name("PERCENT")
      .between(1, 100);
  command.add_flag("--json", flags->json, "print grades.json and nothing else; with --compare, the comparison");
  command.add_option("--make-gradescope", flags->gradescope, "write autograder.zip to this folder instead of grading")
      .type_name("DIR");
  command
      .add_option("--gradescope-metadata", flags->metadata,
                  "Gradescope's submission_metadata.json: the times for lateness; for run_autograder")
      .existing_file();
  command.add_flag("--unsafe-no-sandbox", flags->unsafe,
                   "grade without a sandbox; every row of the report states this");
  command.footer("Example: ./lab grade submissions --out grades --policy policy.json");
  command.callback([flags, &code] {
    code = flags->policy_template ? print_template() : flags->gradescope.empty() ? grade_all(*flags) : pack(*flags);
  });
}

namespace {

const command_registration registered_grade{audience::teach, add_grade};

}  // namespace

}  // namespace lab::cli
