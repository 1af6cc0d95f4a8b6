#include "support/time_budget.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <string>

#include "catch.hpp"
#include "fixtures/busy_core.hpp"
#include "support/process.hpp"
#include "support/starvation.hpp"

using namespace lab;
using namespace lab_test;

namespace {

// Works until this thread has had a core for so long.
void compute(double seconds) {
  const auto has_run = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  for (const double begin = has_run(); has_run() < begin + seconds;) {
  }
}

double ended_children_ran() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec);
}

// It stays a zombie until somebody waits for it.
bool has_ended(pid_t process) {
  siginfo_t how{};
  return waitid(P_PID, static_cast<id_t>(process), &how, WEXITED | WNOHANG | WNOWAIT) == 0 && how.si_pid == process;
}

// A program that has only begun to sleep may still have something to do; a stopped one has not.
void stop(pid_t process) {
  REQUIRE(kill(process, SIGSTOP) == 0);
  siginfo_t how{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(process), &how, WSTOPPED | WNOWAIT) == 0);
}

// The counting is a process of its own, and it has ended when the shell goes on.
spawn_request counting_to(int end, const std::string& then = "true") {
  const auto count = "(i=0; while [ $i -lt " + std::to_string(end) + " ]; do i=$((i + 1)); done); " + then;
  return {.arguments = {"/bin/sh", "-c", count}, .environment = {}};
}

const auto counting = counting_to(400'000);

}  // namespace

TEST_CASE("time in which the judge itself waits for a core does not count against the budget") {
  const busy_core crowded{4};
  const time_budget budget{100};
  compute(0.4);
  INFO(budget.spent() << " of " << budget.passed() << " s");
  CHECK(budget.passed() > 1.2);
  CHECK(budget.spent() < 0.6 * budget.passed());
  CHECK_FALSE(budget.over());
}

TEST_CASE("work that is excused does not count against the budget, also if it fails") {
  time_budget budget{100};
  CHECK(budget.excuse([] { return compute(0.3), 7; }) == 7);
  CHECK_THROWS(budget.excuse([] {
    compute(0.2);
    throw std::runtime_error("failed");
  }));
  CHECK(budget.passed() > 0.45);
  CHECK(budget.spent() < 0.2);
}

TEST_CASE("time in which a program or a process that it started waits for a core does not count against the budget") {
  const busy_core crowded{4};
  const double before = ended_children_ran();
  const time_budget budget{100};
  CHECK(run_program(counting, 100).status == 0);
  INFO(budget.spent() << " of " << budget.passed() << " s");
  const double had_a_core = ended_children_ran() - before;
  CHECK(budget.spent() < had_a_core + 0.5 * (budget.passed() - had_a_core) + 0.2);
}

TEST_CASE("a program that waits for a core is not stopped at its limit") {
  const auto longer = counting_to(1'500'000);
  const double before = ended_children_ran();
  REQUIRE(run_program(longer, 100).status == 0);
  const double needed = ended_children_ran() - before;  // with a core to itself, or nearly so
  const busy_core crowded{4};
  // A kernel that shares cores between sessions gives the program a half of this one, if no other session wants it.
  const spawn_request endless{.arguments = {"/bin/sh", "-c", "while :; do :; done"}, .environment = {}};
  const child one{endless}, another{endless};
  const time_budget budget{100};
  CHECK_FALSE(run_program(longer, 1.5 * needed).timed_out);
  CHECK(budget.passed() > 1.5 * needed);
}

TEST_CASE("what a process waited counts also if it ends before a judge without a core can look at it") {
  const busy_core crowded{4};
  const child running{counting};
  counted_starvation waits{running.id(), counted_from::begin_of_process};
  const time_budget budget{100};
  while (!has_ended(running.id())) compute(0.05);
  waits.look();
  INFO(waits.seconds() << " of " << budget.passed() << " s");
  CHECK(waits.seconds() > 0.25 * budget.passed());
}

TEST_CASE("a program's wait for a core before anybody looked at it is counted from its begin") {
  const busy_core crowded{4};
  const child running{counting};
  compute(0.05);
  const counted_starvation late{running.id()};
  const double before = counted_starvation::of_all_waits();
  const counted_starvation whole{running.id(), counted_from::begin_of_process};
  CHECK(counted_starvation::of_all_waits() > before);
  CHECK(late.seconds() < whole.seconds());
}

TEST_CASE("what a judge waits for a core while a program does nothing is not the program's wait") {
  const busy_core crowded{4};
  const child resting{{.arguments = {"/bin/sleep", "100"}}};
  stop(resting.id());
  counted_starvation waits{resting.id()};
  const time_budget budget{100};
  for (int look = 0; look < 8; ++look) {
    compute(0.05);
    waits.look();
  }
  INFO(waits.seconds() << " of " << budget.passed() << " s");
  CHECK(budget.passed() > 0.5);
  CHECK(waits.seconds() < 0.25 * budget.passed());
}

TEST_CASE("a process that has ended waits for no core, whatever it did at the last look") {
  const child running{counting_to(100'000, "sleep 2")};
  counted_starvation waits{running.id(), counted_from::begin_of_process};
  const time_budget budget{100};
  while (!has_ended(running.id())) {
    waits.look();
    poll(nullptr, 0, 10);
  }
  INFO(waits.seconds() << " of " << budget.passed() << " s");
  CHECK(budget.passed() > 2);
  CHECK(waits.seconds() < budget.passed() - 1.5);
}

TEST_CASE("time that a program sleeps counts against the budget") {
  const time_budget budget{100};
  run_program({.arguments = {"/bin/sleep", "1"}}, 10);
  CHECK(budget.spent() > 0.8);
}
