#include <fmt/format.h>

#include <fstream>

#include "cli/output/terminal.hpp"
#include "cli/progress/progress.hpp"
#include "cli/shared_commands.hpp"
#include "grade/course/course_grading.hpp"
#include "grade/course/executor.hpp"
#include "grade/course/slurm.hpp"
#include "grade/report/gradescope.hpp"
#include "grade/report/report.hpp"
#include "text/sanitize.hpp"
#include "text/text_file.hpp"

namespace lab::cli {

namespace {

struct grade_flags {
  std::string folder, out = "grades", gradescope, policy, executor = "local", backend;
  std::vector<std::string> labs;
  unsigned jobs = 0;
  bool resume = false, json = false, unsafe = false;
};

nlohmann::json policy_in(const std::string& file) {
  if (file.empty()) return nlohmann::json::object();
  if (!std::filesystem::is_regular_file(file)) throw usage_error(file + " does not exist");
  try {
    return nlohmann::json::parse(lab::read_whole(file));
  } catch (const nlohmann::json::parse_error& e) {
    throw usage_error(fmt::format("{}: {}", file, e.what()));
  }
}

// The strongest level that the hostile probe does not get out of.
grade::level chosen_level(backend_kind b, bool unsafe) {
  if (unsafe) return grade::level::none;
  const auto trials = grade::try_levels(b);
  if (const auto level = grade::strongest(trials)) return *level;
  std::string text = "no sandbox holds on this machine:";
  for (const auto& t : trials) text += fmt::format("\n  {}: {}", grade::describe(t.at), t.holes.front());
  throw machine_error(text + "\n'./lab doctor' says what to do; --unsafe-no-sandbox grades all the same, and says so");
}

grade::request request_from(const grade_flags& g) {
  flags common;
  common.backend = g.backend;
  if (g.folder.empty()) throw usage_error("grade needs the folder that holds the submissions");
  if (!std::filesystem::is_directory(g.folder)) throw usage_error(g.folder + " is not a folder");
  if (g.executor == "slurm" && !grade::slurm_is_there())
    throw machine_error("sbatch is not found or does not answer; --executor slurm needs a Slurm cluster");
  grade::request r{.submissions = g.folder, .out = g.out};
  for (const auto& name : g.labs) r.labs.push_back(find(name).name);
  r.rules = policy_in(g.policy);
  grade::policy_from(r.rules);  // a wrong policy is told before anything is done
  r.backend = chosen_backend(common);
  r.sandbox = chosen_level(r.backend, g.unsafe);
  r.executor = g.executor == "slurm" ? grade::executor::slurm : grade::executor::local;
  r.jobs = g.jobs;
  r.resume = g.resume;
  return r;
}

std::string summary(const std::vector<grade::row>& rows, const grade::request& r) {
  std::map<std::string_view, int> count;
  for (const auto& one : rows) ++count[word(one.verdict)];
  std::string text = fmt::format("{} rows, sandbox level {} ({})\n", rows.size(), static_cast<int>(r.sandbox),
                                 grade::describe(r.sandbox));
  for (const auto& [word, n] : count) text += fmt::format("  {:4} {}\n", n, word);
  const auto out = std::filesystem::absolute(r.out).lexically_normal().string();
  return text + fmt::format("{0}/grades.csv, grades.json, junit.xml; pages: {0}/index.html", out);
}

int grade_all(const grade_flags& g) {
  auto r = request_from(g);
  const terminal t{g.json, false};
  r.progress = [&t](const std::string& what) { t.progress(what); };
  const auto rows = grade::grade_class(r);
  t.print(summary(rows, r));
  if (g.json) fmt::print("{}\n", grade::grades_json(rows).dump(1));
  const auto left = std::ranges::count(rows, verdict_kind::infra_error, &grade::row::verdict);
  if (left > 0) fmt::print(stderr, "lab: {} rows have no verdict, through a fault of the machine\n", left);
  return left > 0 ? lacking : passed;
}

int pack(const grade_flags& g) {
  const auto rules = policy_in(g.policy);
  grade::policy_from(rules);
  fmt::print("{}\n", grade::make_gradescope(g.gradescope, rules).string());
  return passed;
}

}  // namespace

static void add_grade(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("grade", "Grade a class: one folder or archive for each student");
  auto g = std::make_shared<grade_flags>();
  command->add_option("dir", g->folder, "holds a folder, .zip or .tar.gz for each student");
  command->add_option("--out", g->out, "where reports and the log go")->capture_default_str();
  command->add_option("--labs", g->labs, "which labs, by blanks or commas (default: all)")
      ->type_name("NN")
      ->delimiter(',');
  command->add_option("--policy", g->policy, "points, hidden cases, deadlines; see common/grade/README.md")
      ->type_name("FILE");
  command->add_option("--jobs", g->jobs, "how many at a time (default: one for each core, or one on a GPU)");
  command->add_option("--executor", g->executor, "this machine, or a Slurm cluster")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  command->add_option("--backend", g->backend, "where to run")->check(CLI::IsMember({"sim", "cuda"}));
  command->add_flag("--resume", g->resume, "go on with the grading that --out holds");
  command->add_flag("--json", g->json, "print grades.json and nothing else");
  command->add_option("--make-gradescope", g->gradescope, "write autograder.zip into this folder, and grade nothing")
      ->type_name("DIR");
  command->add_flag("--unsafe-no-sandbox", g->unsafe, "grade where no sandbox holds; every row says so");
  command->footer("Example: ./lab grade submissions --out grades --policy policy.json");
  command->callback([g, &code] { code = g->gradescope.empty() ? grade_all(*g) : pack(*g); });
}

static void add_grade_worker(CLI::App& app, int&) {
  struct arguments {
    std::string plan, record;
    std::size_t job = 0;
    bool supervised = false;
  };
  auto* command = app.add_subcommand("grade-worker", "Grade one job of a plan; started by lab grade")->group("");
  auto a = std::make_shared<arguments>();
  command->add_option("--plan", a->plan)->required();
  command->add_option("--record", a->record)->required();
  command->add_option("--job", a->job)->required();
  command->add_flag("--supervised", a->supervised);
  command->callback([a] { (a->supervised ? grade::supervise : grade::work)(a->plan, a->job, a->record); });
}

static void add_grade_collect(CLI::App& app, int&) {
  auto* command = app.add_subcommand("grade-collect", "Write the reports of a plan; started by Slurm")->group("");
  auto plan = std::make_shared<std::string>();
  command->add_option("--plan", *plan)->required();
  command->callback([plan] { grade::collect_class(*plan); });
}

namespace {

const command_registration registered_grade{audience::teach, add_grade};
const command_registration registered_grade_worker{audience::hidden, add_grade_worker};
const command_registration registered_grade_collect{audience::hidden, add_grade_collect};

}  // namespace

}  // namespace lab::cli
