#include "grade/catalogue.hpp"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "build/lab_builds.hpp"
#include "catch.hpp"
#include "grade/job/grade_one.hpp"
#include "grade/job/graded_speed.hpp"
#include "grade/job/plan_cases.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab_test {

namespace fs = std::filesystem;
using namespace lab;
using namespace lab::grade;

namespace {

sandbox::level strongest_level() {
  static const auto results = sandbox::probe_levels(backend_kind::sim);
  static const auto found = sandbox::strongest(results);
  for (const auto& result : results)
    for (const auto& hole : result.holes) UNSCOPED_INFO(hole);
  REQUIRE(found);
  return *found;
}

// A kernel with the line "// speed: slow" sleeps for 100 ms and tries to hide it. What the judge sees of this does not
// hang on other processes; how fast the solution is meanwhile does.
bool is_slow(const fs::path& source) { return read_whole(source).find("\n// speed: slow\n") != std::string::npos; }

void require_slow(const row& graded) {
  REQUIRE(graded.speed.size() == 1);
  const auto& speed = graded.speed.front();
  INFO(speed.ms << " ms, the solution " << speed.solution_ms << " ms");
  CHECK_FALSE(speed.too_short);
  CHECK(speed.ms > 50);
  CHECK(speed.ratio == Approx(speed.solution_ms / speed.ms));
}

// "// expect: pass | crash" in the first line.
std::set<std::string> expected(const fs::path& source) {
  std::string line, word;
  std::getline(std::ifstream{source}, line);
  std::istringstream words{line};
  std::set<std::string> all;
  words >> word >> word;
  REQUIRE(word == "expect:");
  while (words >> word)
    if (word != "|") all.insert(word);
  for (const auto& verdict : all) REQUIRE(lab::verdict_from(verdict));
  return all;
}

// Honest submissions get enough time for a busy machine. Many hostile ones use all their time, so their limit is short,
// and shorter for those that keep the compiler busy.
// Hostile ones are to fail by what they do themselves, and not by the gates: tests/grade/forged_counts is about these.
grading_policy policy_for(const fs::path& source) {
  const bool honest = source.parent_path().filename() == "honest";
  grading_policy policy;
  policy.case_seconds = honest ? 20 : 3;
  policy.build_seconds = honest ? 60 : expected(source).contains("compile_limit") ? 8 : 25;
  policy.memory_mib = 1024;
  if (!honest) policy.standard.gates = gate_use::advisory;
  if (is_slow(source)) policy.standard.speed = {{.launcher = "", .size = {100'000}, .points = 5}};
  return policy;
}

// What hostile kernels try to write.
std::set<std::string> traces() {
  std::set<std::string> found;
  for (const fs::path folder : {"/tmp", "/var/tmp", "/dev/shm", "/", "/autograder/results"})
    for (const std::string name : {"lab-hostile-daemon", "lab-hostile-0", "results.json", "profile.json"})
      if (fs::exists(folder / name)) found.insert((folder / name).string());
  return found;
}

bool is_running(const fs::path& library) {
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator("/proc", ignored)) {
    std::ifstream words{process.path() / "cmdline", std::ios::binary};
    std::ostringstream text;
    text << words.rdbuf();
    if (text.str().find(library.string()) != std::string::npos) return true;
  }
  return false;
}

bool has_ended(const fs::path& library) {
  for (int tries = 0; tries < 1500; ++tries) {
    if (!is_running(library)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
  return false;
}

struct graded_file {
  row graded;
  fs::path library;
};

graded_file grade_file(const fs::path& source) {
  const temporary_folder folder{"catalogue"};
  grading_plan plan{.out = folder.path()};
  plan.sandbox_level = strongest_level();
  plan.labs = {"01_vector_add"};
  submission submitted{.student = "mallory"};
  submitted.labs["01_vector_add"] = {source.filename().string(), lab::read_whole(source), ""};
  fs::create_directories(plan.folder());
  fill(plan, {submitted});
  const auto policy = policy_for(source);
  const auto slot = static_cast<unsigned>(getpid() % 512);
  auto graded = grade_one(plan, policy, plan.jobs.front(), slot);
  // A grading on the simulator does not time kernels; here the simulator's time shows whether a trick hides work.
  if (is_slow(source) && graded.verdict == verdict_kind::pass)
    add_speed(graded, lab::find("01"), {"file", plan.jobs.front().source}, {policy.of(graded.lab), policy.clock},
              options_for(plan, policy, slot));
  lab::judge::run_options options;
  options.confine = sandbox::confinement_of(plan.sandbox_level, slot);
  options.build_timeout_s = policy.build_seconds;
  const bool built = graded.cases.size() > 1;
  const auto again =
      built ? lab::judge::build_for(lab::find("01"), plan.jobs.front().source, options) : lab::judge::build_result{};
  return {std::move(graded), again.library};
}

}  // namespace

row graded(const fs::path& source) { return grade_file(source).graded; }

void require_its_verdict(const fs::path& source) {
  const auto before = traces();
  const auto [graded, library] = grade_file(source);
  INFO(source.filename() << " got " << word(graded.verdict) << ": " << graded.message);
  CHECK(expected(source).contains(std::string{word(graded.verdict)}));
  if (is_slow(source)) require_slow(graded);
  CHECK((library.empty() || has_ended(library)));
  CHECK(traces() == before);
  CHECK(to_json(graded).dump().size() < 100'000);
}

}  // namespace lab_test
