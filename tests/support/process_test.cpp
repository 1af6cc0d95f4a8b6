#include "support/process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "catch.hpp"
#include "fixtures/process_state.hpp"
#include "skip.hpp"

using namespace lab;
using lab_test::gone;

namespace {

finished shell(const std::string& script, double timeout_s = 10) {
  return run_program({.arguments = {"sh", "-c", script}, .environment = clean_environment({})}, timeout_s);
}

}  // namespace

TEST_CASE("a stopped program ends at once and has not ended well") {
  std::stop_source stop;
  std::jthread later{[&] { stop.request_stop(); }};
  const auto end =
      run_program({.arguments = {"sleep", "600"}, .environment = clean_environment({})}, 600, stop.get_token());
  CHECK_FALSE(end.well());
  CHECK_FALSE(end.timed_out);
}

TEST_CASE("a program's output and exit code come back") {
  const auto end = shell("echo out; echo err >&2; exit 3");
  CHECK(end.output == "out\nerr\n");
  CHECK(WEXITSTATUS(end.status) == 3);
  CHECK_FALSE(end.well());
}

TEST_CASE("a program that a signal ends has that signal in its status") {
  const auto end = shell("kill -SEGV $$");
  CHECK(WIFSIGNALED(end.status));
  CHECK(WTERMSIG(end.status) == SIGSEGV);
}

TEST_CASE("a child's session has the lower priority of the thread that starts it") {
  if (!std::filesystem::exists("/proc/self/autogroup")) lab_test::skip("this kernel does not group by sessions");
  std::string shown;
  std::jthread{[&] {
    give_way(13);
    shown = shell("cat /proc/self/autogroup").output;
  }}.join();
  CHECK(shown.find(" nice 13\n") != std::string::npos);
}

TEST_CASE("a program is killed at its time limit, with its descendants") {
  const auto end = shell("sleep 100 & echo $!; sleep 100", 0.5);
  CHECK(end.timed_out);
  CHECK(gone(std::stoi(end.output)));
}

TEST_CASE("a program with too much output is stopped, and its output is cut") {
  const auto end = shell("yes");
  CHECK(end.flooded);
  CHECK(end.output.size() == kept_output);
}

TEST_CASE("a child inherits no variable, no descriptor and no input") {
  setenv("LAB_SECRET", "42", 1);
  const int leaked = dup2(1, 37);
  CHECK(shell("echo [$LAB_SECRET]; cat; ls /proc/self/fd").output == "[]\n0\n1\n2\n3\n");  // ls opens the folder as 3
  close(leaked);
}

TEST_CASE("limits of memory, file size and processor time hold") {
  const auto limited = [](spawn_request request, const std::string& script) {
    request.arguments = {"sh", "-c", script};
    request.environment = clean_environment({});
    return run_program(request, 20);
  };
  CHECK_FALSE(limited({.memory_bytes = 64 << 20}, "head -c 200000000 /dev/zero | tail -c 150000000 >/dev/null").well());
  CHECK_FALSE(limited({.file_bytes = 4096}, "f=$(mktemp); head -c 100000 /dev/zero >$f; s=$?; rm $f; exit $s").well());
  CHECK_FALSE(limited({.cpu_seconds = 1}, "while :; do :; done").well());
}

TEST_CASE("a signal kills the judge's children before it ends the judge") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t judge = fork();
  if (judge == 0) {
    signal(SIGINT, SIG_DFL);
    const child sleeper{{.arguments = {"sleep", "100"}, .environment = clean_environment({})}};
    const pid_t id = sleeper.id();
    if (write(ends[1], &id, sizeof id) != sizeof id) _exit(1);
    for (;;) pause();
  }
  pid_t sleeper = 0;
  REQUIRE(read(ends[0], &sleeper, sizeof sleeper) == sizeof sleeper);
  ::kill(judge, SIGINT);
  int status = 0;
  waitpid(judge, &status, 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(gone(sleeper));
}
