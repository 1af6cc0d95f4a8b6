#include "protocol/runner_process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "build/kernel_cache.hpp"
#include "catch.hpp"
#include "fixtures/busy_core.hpp"
#include "fixtures/process_state.hpp"
#include "fixtures/twice_lab.hpp"
#include "judge/test_case.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

std::filesystem::path built(const std::string& name) {
  const auto result = build({.source = kernel(name).source});
  REQUIRE(result.verdict == verdict_kind::pass);
  return result.library;
}

struct one_call {
  lab::entry lab = twice_lab();
  test_case test{lab.definition.launchers[0], {1000}, 5, lab::inputs::lattice};
};

// A script in place of the runner, during this object's lifetime.
struct impostor {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("impostor-" + std::to_string(getpid()));
  explicit impostor(const std::string& script) {
    std::ofstream{path} << "#!/bin/bash\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~impostor() { std::filesystem::remove(path); }
};

double cpu_seconds_of_ended_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

std::string start_failure(const std::string& script) {
  const impostor program{script};
  try {
    const runner_process never{{.program = program.path}};
    return {};
  } catch (const runner_failure& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a runner describes its device") {
  const runner_process runner{{}};
  CHECK(std::string{runner.device().name}.size() > 0);
  CHECK(runner.device().memory_bytes > 0);
}

TEST_CASE("one runner serves several libraries and calls") {
  const one_call one;
  runner_process runner{{.libraries = {built("right"), built("echo")}}};
  CHECK(one.test.call(runner, 0, 1, 10).verdict == verdict_kind::pass);
  CHECK(one.test.call(runner, 1, 2, 10).verdict == verdict_kind::wrong_answer);
  CHECK(one.test.call(runner, 0, 3, 10).verdict == verdict_kind::pass);
}

TEST_CASE("a runner that has ended gives infra_error instead of an outcome for the next kernel") {
  const one_call one;
  runner_process runner{{.libraries = {built("segfault")}}};
  CHECK(one.test.call(runner, 0, 1, 10).verdict == verdict_kind::crash);
  CHECK(one.test.call(runner, 0, 2, 10).verdict == verdict_kind::infra_error);
}

TEST_CASE("a kernel that takes more memory than allowed is stopped for that") {
  const one_call one;
  runner_process runner{{.libraries = {built("takes_memory")}, .memory_bytes = 300 << 20}};
  CHECK(one.test.call(runner, 0, 1, 30).verdict == verdict_kind::memory_limit);
}

TEST_CASE("time in which a kernel waits for a core does not count") {
  const one_call one;
  const auto library = built("takes_time");
  const busy_core crowded{4};
  runner_process runner{{.libraries = {library}}};
  const auto called = one.test.call(runner, 0, 1, 1);
  INFO(called.what);
  CHECK(called.verdict == verdict_kind::pass);
}

TEST_CASE("threads that make each other wait for a core get no further time for that") {
  const one_call one;
  const auto library = built("starves_itself");
  const busy_core alone{0};
  const double before = cpu_seconds_of_ended_children();
  {
    runner_process runner{{.libraries = {library}}};
    const auto called = one.test.call(runner, 0, 1, 1);
    INFO(called.what);
    CHECK(called.verdict == verdict_kind::timeout);
    CHECK(contains(called.what, "more than 2 s of CPU time, twice the limit on 1 cores"));
  }
  const double used = cpu_seconds_of_ended_children() - before;
  CHECK(used >= 2);
  CHECK(used < 15);  // a judge that gets no core sees this late; without the limit, 30 s of waiting are excused
}

TEST_CASE("a process that a kernel left behind ends with its runner") {
  const one_call one;
  pid_t group = 0;
  {
    runner_process runner{{.libraries = {built("leaves_a_child")}}};
    CHECK(one.test.call(runner, 0, 1, 10).verdict == verdict_kind::pass);
    group = runner.id();
    CHECK(runs(group));
  }
  CHECK(gone(group));
}

TEST_CASE("a tool around the runner can write its report, for every end of the runner") {
  const one_call one;
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
    runner_process runner{{.libraries = {built(kernel)}}};
    CHECK(one.test.call(runner, 0, 1, 10).verdict == expected);
  }
  unsetenv("LAB_RUNNER_WRAPPER");
  CHECK(std::filesystem::remove(found));
}

TEST_CASE("a runner that ends, disconnects or sends an invalid greeting at its start is refused") {
  CHECK(contains(start_failure("echo no GPU today; exit 4"), "no GPU today"));
  CHECK(contains(start_failure("exec 3>&-; sleep 100"), "closed its connection"));
  CHECK(contains(start_failure("echo hello >&3; sleep 100"), "sent no valid greeting"));
  CHECK(contains(start_failure("kill -ABRT $$"), "SIGABRT"));
}
