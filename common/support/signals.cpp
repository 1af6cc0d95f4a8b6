#include "support/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace lab {

namespace {

// Global, because a signal handler takes no further argument.
volatile sig_atomic_t pipe_end = -1;
pid_t signal_owner = 0;

void on_signal(int number) {
  if (getpid() != signal_owner) {  // a forked process that has not called restore() yet
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  const int saved = errno;
  const auto code = static_cast<char>(number);
  if (write(pipe_end, &code, 1) < 0) {
  }
  errno = saved;
}

}  // namespace

signals::signals(std::initializer_list<int> wanted) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "signals");
  arrivals_ = lab::descriptor{ends[0]};
  handler_end_ = lab::descriptor{ends[1]};
  pipe_end = ends[1];
  signal_owner = getpid();
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int number : wanted) {
    struct sigaction old {};
    if (sigaction(number, &action, &old) == 0) before_.emplace_back(number, old);
  }
}

signals::~signals() { restore(); }

void signals::restore() {
  for (const auto& [number, action] : before_) sigaction(number, &action, nullptr);
  before_.clear();
}

int signals::next() {
  char number = 0;
  return read(arrivals_.get(), &number, 1) == 1 ? number : 0;
}

}  // namespace lab
