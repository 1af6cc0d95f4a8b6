#include "support/orphan_processes.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <mutex>

namespace lab::orphan_processes {

namespace {

// A fixed table, because a signal handler may neither lock nor allocate.
std::array<std::atomic<pid_t>, 1024> groups{};

void kill_all(int signal) {
  for (const auto& g : groups)
    if (const pid_t group = g.load(); group > 0) {
      kill(-group, SIGKILL);
      kill(group, SIGKILL);  // it may not have made its session yet
    }
  raise(signal);  // the default action is back, see SA_RESETHAND
}

void replace(pid_t before, pid_t after) {
  for (auto& g : groups)
    if (pid_t expected = before; g.compare_exchange_strong(expected, after)) return;
}

}  // namespace

void arm() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now {};
      if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
      now.sa_handler = kill_all;
      now.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
      sigaction(signal, &now, nullptr);
    }
  });
}

void add(pid_t group) { replace(0, group); }
void remove(pid_t group) { replace(group, 0); }

}  // namespace lab::orphan_processes
