#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

// names_threads PROCESS names another thread of its own process in both ways that a GPU's driver uses. Then it attacks
// another process and Linux's settings. It prints one line for each success. With a second argument it only looks at
// what its own folder in /proc tells of the machine.

namespace {

bool can_open(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY);
  if (file >= 0) close(file);
  return file >= 0;
}

bool can_write(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (!file) return false;
  const bool wrote = std::fputs("driver", file) >= 0;
  return std::fclose(file) == 0 && wrote;
}

bool can_read(const std::string& path) {
  char byte = 0;
  const int file = open(path.c_str(), O_RDONLY);
  const bool got = file >= 0 && read(file, &byte, 1) == 1;
  if (file >= 0) close(file);
  return got;
}

void look_around() {
  for (const auto* folder : {"/proc/self/", "/proc/thread-self/", "/proc/self/task/../"})
    for (const auto* file :
         {"net/tcp", "net/unix", "net/dev", "mountinfo", "mounts", "mountstats", "cgroup", "environ"})
      if (can_read(std::string{folder} + file)) std::printf("%s\n", file);
}

// The thread sleeps until the process ends.
pthread_t another_thread(pid_t& number) {
  int ends[2] = {};
  if (pipe(ends) != 0) return {};
  std::thread sleeper{[&ends] {
    const pid_t me = gettid();
    if (write(ends[1], &me, sizeof me) == sizeof me) pause();
  }};
  const auto handle = sleeper.native_handle();
  sleeper.detach();
  return read(ends[0], &number, sizeof number) == sizeof number ? handle : pthread_t{};
}

}  // namespace

int main(int words, char** argv) {
  if (words > 2) return look_around(), 0;
  pid_t number = 0;
  const auto thread = another_thread(number);
  if (number == 0) return 1;
  const auto mine = "/proc/" + std::to_string(getpid()), other = std::string{"/proc/"} + argv[1];
  if (pthread_setname_np(thread, "driver") == 0) std::puts("named");
  if (can_write(mine + "/task/" + std::to_string(number) + "/comm")) std::puts("written");
  for (const auto* file : {"/oom_score_adj", "/comm", "/mem", "/clear_refs", "/coredump_filter"})
    for (const auto& way : {other, mine + "/root" + other})
      if (can_open(way + file)) std::printf("%s of another process\n", file + 1);
  if (can_open("/proc/sys/kernel/core_pattern")) std::puts("a setting of the kernel");
  std::puts("tried");
  std::fflush(stdout);
  _exit(0);
}
