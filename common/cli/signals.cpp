#include "cli/signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace lab::cli {

signals::signals(std::initializer_list<int> wanted) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : wanted) sigaddset(&set, number);
  if (sigprocmask(SIG_BLOCK, &set, &before_) != 0) throw std::system_error(errno, std::generic_category(), "signals");
  arrivals_ = judge::descriptor{signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)};
  if (!arrivals_) throw std::system_error(errno, std::generic_category(), "signals");
}

signals::~signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

int signals::next() {
  signalfd_siginfo arrived{};
  return read(arrivals_.get(), &arrived, sizeof arrived) == sizeof arrived ? static_cast<int>(arrived.ssi_signo) : 0;
}

}  // namespace lab::cli
