#include "grade/catalogue.hpp"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "build/kernel_build.hpp"
#include "catch.hpp"
#include "grade/job/grade_one.hpp"
#include "support/temporary_folder.hpp"
#include "text/atomic_file.hpp"
#include "text/text_file.hpp"

namespace lab_test {

namespace fs = std::filesystem;
using namespace lab;
using namespace lab::grade;

namespace {

level strongest_level() {
  static const auto tried = try_levels(backend_kind::sim);
  static const auto found = strongest(tried);
  for (const auto& t : tried)
    for (const auto& hole : t.holes) UNSCOPED_INFO(hole);
  REQUIRE(found);
  return *found;
}

// Whether its second line says "// speed: slow": it takes many times as long as the solution, whatever it pretends.
bool is_slow(const fs::path& source) { return read_whole(source).find("\n// speed: slow\n") != std::string::npos; }

void require_slow(const row& r) {
  REQUIRE(r.speed.size() == 1);
  INFO(r.speed[0].ms << " ms, the solution " << r.speed[0].solution_ms << " ms");
  CHECK_FALSE(r.speed[0].too_short);
  CHECK(r.speed[0].ratio < 0.5);
}

// Honest submissions have time enough on a busy machine; for a hostile one the limit is what it costs.
policy limits_for(const fs::path& source) {
  const bool honest = source.parent_path().filename() == "honest";
  policy p;
  p.case_seconds = honest ? 20 : 3;
  p.build_seconds = honest ? 60 : 8;
  p.memory_mib = 1024;
  if (is_slow(source)) p.standard.speed = {{.launcher = "", .size = {100'000}, .points = 5}};
  return p;
}

// What hostile kernels try to write.
std::set<std::string> traces() {
  std::set<std::string> found;
  for (const fs::path folder : {"/tmp", "/var/tmp", "/dev/shm", "/", "/autograder/results"})
    for (const std::string name : {"lab-hostile-daemon", "lab-hostile-0", "results.json", "profile.json"})
      if (fs::exists(folder / name)) found.insert((folder / name).string());
  return found;
}

bool somebody_runs(const fs::path& library) {
  std::error_code ignored;
  for (const auto& e : fs::directory_iterator("/proc", ignored)) {
    std::ifstream words{e.path() / "cmdline", std::ios::binary};
    std::ostringstream text;
    text << words.rdbuf();
    if (text.str().find(library.string()) != std::string::npos) return true;
  }
  return false;
}

bool nobody_is_left(const fs::path& library) {
  for (int tries = 0; tries < 1500; ++tries) {
    if (!somebody_runs(library)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
  }
  return false;
}

struct graded_row {
  row r;
  fs::path library;
};

graded_row grade_file(const fs::path& source) {
  const temporary_folder folder{"catalogue"};
  plan p{.out = folder.path()};
  p.sandbox = strongest_level();
  p.labs = {"01_vector_add"};
  submission s{.student = "mallory"};
  s.labs["01_vector_add"] = {source.filename().string(), lab::read_whole(source), ""};
  fs::create_directories(p.folder());
  fill(p, {s});
  const auto rules = limits_for(source);
  const auto slot = static_cast<unsigned>(getpid() % 512);
  auto r = grade_one(p, rules, p.jobs.front(), slot);
  lab::judge::run_options o;
  o.confine = confinement_of(p.sandbox, slot);
  o.build_timeout_s = rules.build_seconds;
  const bool built = r.cases.size() > 1;
  const auto again =
      built ? lab::judge::build_for(lab::find("01"), p.jobs.front().source, o) : lab::judge::build_result{};
  return {std::move(r), again.library};
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
  for (const auto& v : all) REQUIRE(lab::verdict_from(v));
  return all;
}

}  // namespace

row graded(const fs::path& source) { return grade_file(source).r; }

void require_its_verdict(const fs::path& source) {
  const auto before = traces();
  const auto [r, library] = grade_file(source);
  INFO(source.filename() << " got " << word(r.verdict) << ": " << r.message);
  CHECK(expected(source).contains(std::string{word(r.verdict)}));
  if (is_slow(source)) require_slow(r);
  CHECK((library.empty() || nobody_is_left(library)));
  CHECK(traces() == before);
  CHECK(to_json(r).dump().size() < 100'000);
}

}  // namespace lab_test
