#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "support/orphan_processes.hpp"
#include "support/starvation.hpp"

namespace lab {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const auto& t : texts) all.push_back(const_cast<char*>(t.c_str()));
  all.push_back(nullptr);
  return all;
}

void limit(int what, std::size_t most) {
  const rlimit both{most, most};
  if (most > 0) setrlimit(static_cast<__rlimit_resource>(what), &both);
}

// First copies to high numbers, because a dup2 to 3 or 4 might overwrite the other's source.
void hand_over(const spawn_request& request) {
  const int third = request.third < 0 ? -1 : fcntl(request.third, F_DUPFD, 5),
            fourth = request.fourth < 0 ? -1 : fcntl(request.fourth, F_DUPFD, 5);
  if (request.third >= 0 && dup2(third, 3) != 3) _exit(127);
  if (request.fourth >= 0 && dup2(fourth, 4) != 4) _exit(127);
  if (request.third < 0) close(3);
  close_range(request.fourth >= 0 ? 5 : request.third >= 0 ? 4 : 3, ~0u, 0);
}

void stay_on(const std::vector<int>& cores) {
  if (cores.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

// Linux shares the processor out among sessions first, so a lower priority must be its session's, too.
void lower_session_with_process() {
  const int nice = getpriority(PRIO_PROCESS, 0);
  if (nice <= 0) return;
  const std::array<char, 2> digits{static_cast<char>('0' + nice / 10), static_cast<char>('0' + nice % 10)};
  const int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);  // missing where sessions are not groups
  if (file >= 0 && write(file, digits.data(), digits.size()) < 0) errno = 0;
  if (file >= 0) close(file);
}

// Runs between fork and exec, so it makes only async-signal-safe calls.
[[noreturn]] void become(const spawn_request& request, char** arguments, char** environment, int output, pid_t parent) {
  setsid();
  lower_session_with_process();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  hand_over(request);
  if (!request.folder.empty() && chdir(request.folder.c_str()) != 0) _exit(127);
  stay_on(request.cores);
  limit(RLIMIT_AS, request.memory_bytes);
  limit(RLIMIT_FSIZE, request.file_bytes);
  limit(RLIMIT_CPU, request.cpu_seconds);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(arguments[0], arguments, environment);
  constexpr std::string_view message = "could not be started\n";
  if (write(2, message.data(), message.size()) < 0) _exit(126);
  _exit(127);
}

}  // namespace

descriptor::descriptor(descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

descriptor::~descriptor() { close(); }

void descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

child::child(const spawn_request& request) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("making a pipe");
  output_ = descriptor{ends[0]};
  descriptor write_end{ends[1]};
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  auto arguments = pointers(request.arguments);
  auto environment = pointers(request.environment);
  orphan_processes::arm();
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ < 0) fail("starting " + request.arguments.at(0));
  if (id_ == 0) become(request, arguments.data(), environment.data(), write_end.get(), parent);
  orphan_processes::add(id_);
  exit_ = descriptor{static_cast<int>(syscall(SYS_pidfd_open, id_, 0))};  // glibc 2.36 declares it for C only
}

child::~child() { kill(); }

bool child::read_output() {
  std::array<char, 16384> chunk{};
  for (;;) {
    const ssize_t got = read(output_.get(), chunk.data(), chunk.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    printed_ += static_cast<std::size_t>(got);
    text_.append(chunk.data(), std::min(static_cast<std::size_t>(got), kept_output - text_.size()));
    if (printed_too_much()) return true;
  }
}

std::optional<int> child::ended() {
  int status = 0;
  if (!status_ && id_ > 0 && waitpid(id_, &status, WNOHANG) == id_) status_ = status;
  return status_;
}

void child::kill() {
  if (id_ <= 0) return;
  // The process group may outlive the child, so it is killed even if the child has ended.
  ::kill(-id_, SIGKILL);
  if (!ended()) {
    ::kill(id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
  }
  orphan_processes::remove(id_);
  id_ = -1;
}

finished run_program(const spawn_request& request, double timeout_s, const std::stop_token& stop) {
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  child running{request};
  finished end;
  bool open = true;
  counted_starvation without_a_core{running.id(), counted_from::begin_of_process};
  while (!running.ended() && !end.timed_out && !end.flooded && !stop.stop_requested()) {
    std::array<pollfd, 2> polled{
        {{open ? running.output_descriptor() : -1, POLLIN, 0}, {running.exit_descriptor(), POLLIN, 0}}};
    poll(polled.data(), polled.size(), 50);
    without_a_core.look();
    open = running.read_output();
    end.flooded = running.printed_too_much();
    const std::chrono::duration<double> passed = clock::now() - began;
    end.timed_out = passed.count() > timeout_s + excused_s(without_a_core.seconds(), timeout_s);
  }
  running.read_output();
  end.flooded = end.flooded || running.printed_too_much();
  end.timed_out = end.timed_out && !running.ended();
  end.status = running.ended().value_or(-1);
  end.output = running.output();
  return end;
}

std::vector<std::string> clean_environment(const std::vector<std::string>& also) {
  std::vector<std::string> all{"LC_ALL=C"};
  std::vector<std::string> names{"PATH", "TMPDIR", "LD_LIBRARY_PATH"};
  names.insert(names.end(), also.begin(), also.end());
  for (const auto& name : names)
    if (const char* value = std::getenv(name.c_str())) all.push_back(name + "=" + value);
  return all;
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? std::string{"SIG"} + name : "signal " + std::to_string(number);
}

void give_way(int nice) { setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice); }

}  // namespace lab
