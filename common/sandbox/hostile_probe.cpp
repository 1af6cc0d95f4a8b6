#include <dlfcn.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "sandbox/probe_attacks.hpp"

// The hostile probe. A runner loads it like a student's kernel. It tries the attacks of a submission and reports those
// that succeed. It is part of this project, so the grader trusts its report.
namespace {

using lab::sandbox::attacks;

bool can_read(const std::string& path) {
  char byte = 0;
  const int file = open(path.c_str(), O_RDONLY);
  const bool got = file >= 0 && read(file, &byte, 1) == 1;
  if (file >= 0) close(file);
  return got;
}

bool can_open(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

bool can_open_socket(int family) {
  const int connection = socket(family, SOCK_STREAM, 0);
  if (connection >= 0) close(connection);
  return connection >= 0;
}

// The child exits at once because it shares the connection to the judge.
bool can_start_process() {
  const auto child = syscall(SYS_fork);
  if (child == 0) _exit(0);
  if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
  return child > 0;
}

bool can_start_program() {
  pid_t child = 0;
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  if (posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

bool can_fill(const std::string& folder) {
  const std::vector<char> megabyte(1 << 20, 'x');
  const auto path = folder + "/lab-probe-filler";
  const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
  if (file < 0) return false;
  bool space_left = true;
  signal(SIGXFSZ, SIG_IGN);
  for (int i = 0; space_left && i < 64; ++i) space_left = write(file, megabyte.data(), megabyte.size()) > 0;
  signal(SIGXFSZ, SIG_DFL);
  close(file);
  unlink(path.c_str());
  return space_left;
}

bool sees_another_process(int grader) { return can_read("/proc/" + std::to_string(grader) + "/maps"); }

// This file selects the process that Linux ends first when memory runs out. Any process of the same user may write it.
bool changes_another_process(int grader) {
  return can_open("/proc/" + std::to_string(grader) + "/oom_score_adj", O_WRONLY);
}

// Of its own library, which another user might own.
bool can_take_a_lease() {
  Dl_info mine;
  if (dladdr(reinterpret_cast<const void*>(&can_take_a_lease), &mine) == 0) return true;
  const int file = open(mine.dli_fname, O_RDONLY);
  errno = 0;
  const bool taken = fcntl(file, F_SETLEASE, F_RDLCK) == 0;
  const bool filtered = errno == EPERM;  // the owner's rights would be refused with EACCES
  close(file);
  return taken || !filtered;
}

bool can_choose_cores(pid_t process) {
  cpu_set_t all;
  CPU_ZERO(&all);
  CPU_SET(0, &all);
  errno = 0;
  return sched_setaffinity(process, sizeof all, &all) == 0 || (errno != EPERM && errno != ESRCH);
}

// Threads that need almost no memory: only a limit on their number stops them. They sleep until the runner ends.
bool can_start_many_threads() {
  constexpr std::size_t stack = 4096;
  auto* memory =
      static_cast<char*>(mmap(nullptr, stack * 2000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED) return false;
  constexpr int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  const auto sleep_for_ever = [](void*) {
    for (;;) pause();
    return 0;
  };
  int started = 0;
  for (int i = 1; i <= 2000; ++i)
    if (clone(sleep_for_ever, memory + stack * i, flags, nullptr) > 0) ++started;
  return started == 2000;
}

}  // namespace

/// Sets found[i] to 1 if attack i succeeds, else to 0. `secret` is the path of a file that only the grader may read.
extern "C" void lab_sandbox_probe(const unsigned char* secret, int bytes, int grader, int* found) {
  const std::string path{reinterpret_cast<const char*>(secret), static_cast<std::size_t>(bytes)};
  const auto id = std::to_string(grader);
  const std::array<bool, attacks.size()> succeeded{
      can_read(path),
      can_open(path + ".written", O_CREAT | O_WRONLY),
      can_open_socket(AF_INET),
      can_open_socket(AF_UNIX),
      can_start_process(),
      can_start_program(),
      kill(grader, 0) == 0 || kill(getppid(), 0) == 0,
      can_read("/proc/" + id + "/environ"),
      ptrace(PTRACE_SEIZE, grader, nullptr, nullptr) == 0,
      can_fill("/tmp") || can_fill("/dev/shm") || can_fill("/var/tmp"),
      memfd_create("probe", 0) >= 0,
      sees_another_process(grader),
      changes_another_process(grader),
      can_start_many_threads(),
      prctl(PR_SET_PDEATHSIG, 0) == 0,
      inotify_init1(0) >= 0,
      can_take_a_lease(),
      can_choose_cores(grader),
  };
  for (std::size_t i = 0; i < succeeded.size(); ++i) found[i] = succeeded[i] ? 1 : 0;
}
