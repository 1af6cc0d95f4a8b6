#include "support/task.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace lab {

namespace {

[[noreturn]] void perform(const std::function<int()>& function, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  int code = 1;
  try {
    code = function();
  } catch (const std::exception& e) {
    fmt::print(stderr, "lab: {}\n", e.what());
  }
  std::fflush(nullptr);
  _exit(code);
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

task::task(const std::function<int()>& function) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ < 0) throw std::system_error(errno, std::generic_category(), "starting a process");
  if (id_ == 0) perform(function, parent);
  exit_ = lab::descriptor{static_cast<int>(syscall(SYS_pidfd_open, id_, 0))};
}

task::~task() {
  if (id_ <= 0) return;
  kill(id_, SIGTERM);
  kill(id_, SIGCONT);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> task::ended() {
  int status = 0;
  if (id_ <= 0 || waitpid(id_, &status, WNOHANG) != id_) return std::nullopt;
  id_ = -1;
  return code_of(status);
}

}  // namespace lab
