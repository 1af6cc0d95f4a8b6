#include "protocol/runner_process.hpp"

#include <unistd.h>

#include <fstream>

#include "build/build.hpp"
#include "catch.hpp"
#include "fixtures/ended.hpp"
#include "fixtures/twice.hpp"
#include "judge/test_case.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

std::filesystem::path built(const std::string& name) {
  const auto b = build({.source = kernel(name).source});
  REQUIRE(b.verdict == verdict_kind::pass);
  return b.library;
}

struct one_call {
  lab::entry lab = twice_lab();
  test_case t{lab.definition.launchers[0], {1000}, 5, lab::inputs::lattice};
};

// An executable that stands in for the runner, until this object ends.
struct impostor {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("impostor-" + std::to_string(getpid()));
  explicit impostor(const std::string& script) {
    std::ofstream{path} << "#!/bin/bash\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~impostor() { std::filesystem::remove(path); }
};

std::string start_failure(const std::string& script) {
  const impostor i{script};
  try {
    const runner_process never{{.program = i.path}};
    return {};
  } catch (const runner_failure& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("a runner describes its device") {
  const runner_process r{{}};
  CHECK(std::string{r.device().name}.size() > 0);
  CHECK(r.device().memory_bytes > 0);
}

TEST_CASE("one runner serves several libraries and calls") {
  const one_call c;
  runner_process r{{.libraries = {built("right"), built("echo")}}};
  CHECK(c.t.call(r, 0, 1, 10).verdict == verdict_kind::pass);
  CHECK(c.t.call(r, 1, 2, 10).verdict == verdict_kind::wrong_answer);
  CHECK(c.t.call(r, 0, 3, 10).verdict == verdict_kind::pass);
}

TEST_CASE("a runner that has ended says so instead of answering for the next kernel") {
  const one_call c;
  runner_process r{{.libraries = {built("segfault")}}};
  CHECK(c.t.call(r, 0, 1, 10).verdict == verdict_kind::crash);
  CHECK(c.t.call(r, 0, 2, 10).verdict == verdict_kind::infra_error);
}

TEST_CASE("a kernel that takes more memory than allowed is stopped for that") {
  const one_call c;
  runner_process r{{.libraries = {built("takes_memory")}, .memory_bytes = 300 << 20}};
  CHECK(c.t.call(r, 0, 1, 30).verdict == verdict_kind::memory_limit);
}

TEST_CASE("a process that a kernel left behind ends with its runner") {
  const one_call c;
  pid_t group = 0;
  {
    runner_process r{{.libraries = {built("leaves_a_child")}}};
    CHECK(c.t.call(r, 0, 1, 10).verdict == verdict_kind::pass);
    group = r.id();
    CHECK(runs(group));
  }
  CHECK(gone(group));
}

TEST_CASE("a tool around the runner may write what it has found, whatever ends the runner") {
  const one_call c;
  const auto found = std::filesystem::temp_directory_path() / ("found-" + std::to_string(getpid()));
  const impostor tool{"\"$@\"; sleep 0.3; echo found > " + found.string()};
  setenv("LAB_RUNNER_WRAPPER", tool.path.c_str(), 1);
  const auto [kernel, expected] =
      GENERATE(table<std::string, verdict_kind>({{"right", verdict_kind::pass},
                                                 {"echo", verdict_kind::wrong_answer},
                                                 {"too_many_threads", verdict_kind::launch_error},
                                                 {"segfault", verdict_kind::exited_early},
                                                 {"exits_on_loading", verdict_kind::exited_early}}));
  INFO(kernel);
  {
    runner_process r{{.libraries = {built(kernel)}}};
    CHECK(c.t.call(r, 0, 1, 10).verdict == expected);
  }
  unsetenv("LAB_RUNNER_WRAPPER");
  CHECK(std::filesystem::remove(found));
}

TEST_CASE("a runner that ends, hangs up or talks nonsense at its start is refused") {
  CHECK(contains(start_failure("echo no GPU today; exit 4"), "no GPU today"));
  CHECK(contains(start_failure("exec 3>&-; sleep 100"), "closed its connection"));
  CHECK(contains(start_failure("echo hello >&3; sleep 100"), "did not introduce itself"));
  CHECK(contains(start_failure("kill -ABRT $$"), "SIGABRT"));
}
