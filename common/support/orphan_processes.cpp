#include "support/orphan_processes.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <mutex>

namespace lab::orphan_processes {

namespace {

// A fixed table, because a signal handler can neither lock nor allocate.
std::array<std::atomic<pid_t>, 1024> groups{};

void kill_all(int signal) {
  for (const auto& slot : groups)
    if (const pid_t group = slot.load(); group > 0) {
      kill(-group, SIGKILL);
      kill(group, SIGKILL);  // it may not have created its session yet
    }
  raise(signal);  // SA_RESETHAND has restored the default action
}

void replace(pid_t before, pid_t after) {
  for (auto& slot : groups)
    if (pid_t expected = before; slot.compare_exchange_strong(expected, after)) return;
}

}  // namespace

void arm() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction current {};
      if (sigaction(signal, nullptr, &current) != 0 || current.sa_handler != SIG_DFL) continue;
      current.sa_handler = kill_all;
      current.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
      sigaction(signal, &current, nullptr);
    }
  });
}

void add(pid_t group) { replace(0, group); }
void remove(pid_t group) { replace(group, 0); }

}  // namespace lab::orphan_processes
