#include "protocol/runner_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "support/installation.hpp"
#include "support/parallel.hpp"
#include "support/random_seed.hpp"
#include "support/starvation.hpp"

namespace lab::judge {

namespace {

// LAB_RUNNER_WRAPPER is a tool's command, such as "compute-sanitizer --tool memcheck", split at blanks.
std::vector<std::string> wrapper() {
  const char* command = std::getenv("LAB_RUNNER_WRAPPER");
  std::istringstream stream{command ? command : ""};
  return {std::istream_iterator<std::string>{stream}, {}};
}

using clock = std::chrono::steady_clock;
constexpr double start_timeout_s = 60;  // the first CUDA context can take many seconds
constexpr double most_cpu = 2;          // times the limit, on each core
constexpr double tool_timeout_s = 20;   // for a tool to write its report

// The cores that a kernel may keep busy. A cluster's job may see more of them.
unsigned allowed_cores() {
  const char* const chosen = std::getenv("LAB_SIM_THREADS");
  const int threads = chosen ? std::atoi(chosen) : 0;
  return threads > 0 ? std::min(static_cast<unsigned>(threads), cores()) : cores();
}

// A traced kernel runs on one thread, and the sandbox limits the threads of all programs of a job: what the simulator
// starts in vain, the student's own code lacks.
std::string threads_of(const runner_options& options) {
  return fmt::format("LAB_SIM_THREADS={}", options.report >= 0 ? 1 : allowed_cores());
}

std::string seed_of(unsigned schedule) {
  const char* const first = std::getenv("LAB_SIM_SEED");
  return fmt::format("LAB_SIM_SEED={}", (first ? std::strtoul(first, nullptr, 10) : 0) + schedule);
}

// A runner with a report of the simulator takes no tool from the environment.
runner_options with_wrapper(runner_options options) {
  if (options.wrapper.empty() && options.report < 0) options.wrapper = wrapper();
  return options;
}

spawn_request command_for(const runner_options& options, int socket) {
  spawn_request request;
  const auto program = options.program.empty() ? runner_program(options.backend) : options.program;
  request.arguments = options.wrapper;
  request.arguments.insert(request.arguments.end(), {program.string(), "--device", std::to_string(options.device)});
  if (options.confine) request.arguments.push_back("--lockdown");
  for (const auto& library : options.libraries) request.arguments.push_back(library.string());
  request.environment = clean_environment(
      {"LAB_SIM_DEVICE", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ASAN_OPTIONS", "UBSAN_OPTIONS"});
  request.environment.push_back(seed_of(options.schedule));
  request.environment.push_back(threads_of(options));
  if (options.report >= 0) request.environment.emplace_back("LAB_SIM_JSON=/proc/self/fd/4");
  if (options.report >= 0) request.environment.emplace_back("LAB_SIM_LEAKS=1");
  if (options.only_coverage) request.environment.emplace_back("LAB_SIM_COVERAGE=1");
  if (options.sample > 0) request.environment.push_back(fmt::format("LAB_SIM_SAMPLE={:g}", options.sample));
  if (!options.sampled_blocks.empty())
    request.environment.push_back(fmt::format("LAB_SIM_BLOCKS={}", fmt::join(options.sampled_blocks, ",")));
  if (options.kernel_limit_s > 0)
    request.environment.push_back(fmt::format("LAB_SIM_LIMIT={}", options.kernel_limit_s));
  request.folder = "/";
  request.third = socket;
  request.fourth = options.report;
  request.file_bytes = options.wrapper.empty() ? 16 << 20 : 1 << 30;  // a tool writes its own report
  if (!options.confine) return request;
  needs needed{.backend = options.backend, .readable = options.libraries};
  needed.readable.push_back(program);
  return options.confine(std::move(request), needed);
}

// Read from the first thread that has memory: an ended thread has none, and the main thread may have ended.
std::size_t resident_pages(pid_t id) {
  std::error_code gone;
  for (std::filesystem::directory_iterator at{fmt::format("/proc/{}/task", id), gone}, end; !gone && at != end;
       at.increment(gone)) {
    std::ifstream statm{at->path() / "statm"};
    std::size_t size = 0, resident = 0;
    if (statm >> size >> resident; resident > 0) return resident;
  }
  return 0;
}

// Of a process and its descendants, because a sandbox may be the runner's parent.
std::size_t resident_bytes(pid_t id) {
  std::size_t resident = resident_pages(id) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream children{fmt::format("/proc/{0}/task/{0}/children", id)};
  for (pid_t child = 0; children >> child;) resident += resident_bytes(child);
  return resident;
}

bool send_request(int socket, protocol::request& request, const memory_file* in, const memory_file* out) {
  iovec what{&request, sizeof request};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &what;
  message.msg_iovlen = 1;
  if (in && out) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    const std::array<int, 2> files{in->get(), out->get()};
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(header), files.data(), sizeof files);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof request);
}

// Receives one message of exactly this size.
template <class T>
bool receive(int socket, T& message) {
  return recv(socket, &message, sizeof message, MSG_DONTWAIT | MSG_TRUNC) == static_cast<ssize_t>(sizeof message);
}

verdict_kind meaning(protocol::status code) {
  switch (code) {
    case protocol::status::done:
      return verdict_kind::pass;
    case protocol::status::missing_symbol:
      return verdict_kind::compile_error;
    case protocol::status::launch_error:
      return verdict_kind::launch_error;
    case protocol::status::out_of_memory:
      return verdict_kind::memory_limit;
    case protocol::status::infra_error:
      return verdict_kind::infra_error;
  }
  return verdict_kind::protocol_violation;
}

}  // namespace

std::filesystem::path runner_program(backend_kind backend) {
  return here().build / "bin" / fmt::format("lab-runner-{}", word(backend));
}

runner_process::sockets runner_process::connected() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw runner_failure(std::string{"cannot make a socket: "} + std::strerror(errno));
  return {descriptor{ends[0]}, descriptor{ends[1]}};
}

runner_process::runner_process(const runner_options& options) : runner_process(with_wrapper(options), connected()) {}

runner_process::~runner_process() { stop(); }

runner_process::runner_process(const runner_options& options, sockets pair)
    : options_{options}, socket_{std::move(pair.ours)}, child_{command_for(options, pair.theirs.get())} {
  pair.theirs.close();
  receive_greeting();
}

void runner_process::receive_greeting() {
  const auto end = wait(start_timeout_s, options_.memory_bytes);
  protocol::greeting greeting{};
  if (end != wait_end::message) {
    auto why = explain(end, start_timeout_s).detail;
    if (!child_.output().empty()) why += ": " + child_.output();
    throw runner_failure("the runner did not start: " + why);
  }
  if (!receive(socket_.get(), greeting)) throw runner_failure("the runner sent no valid greeting");
  greeting.text[sizeof greeting.text - 1] = greeting.device.name[sizeof greeting.device.name - 1] = '\0';
  if (greeting.what != protocol::status::done) throw runner_failure(greeting.text);
  device_ = greeting.device;
}

runner_process::wait_end runner_process::wait(double timeout_s, std::size_t memory_bytes) {
  std::optional<counted_starvation> without_a_core;  // most calls are answered before anybody looks
  const auto began = clock::now();
  const auto look = [&] {
    if (without_a_core)
      without_a_core->look();
    else
      without_a_core.emplace(child_.id());
  };
  // A busy machine is no fault of the kernel's.
  const auto over = [&] {
    const std::chrono::duration<double> passed = clock::now() - began;
    return passed.count() > timeout_s && passed.count() > timeout_s + excused_s(without_a_core->seconds(), timeout_s);
  };
  const double most_cpu_s = most_cpu * timeout_s * allowed_cores();  // its own threads may make each other wait
  for (bool open = true;;) {
    std::array<pollfd, 3> polled{{{socket_.get(), POLLIN, 0},
                                  {open ? child_.output_descriptor() : -1, POLLIN, 0},
                                  {child_.exit_descriptor(), POLLIN, 0}}};
    poll(polled.data(), polled.size(), 20);
    if (polled[1].revents != 0) open = child_.read_output();
    if (child_.printed_too_much()) return wait_end::over_output_limit;
    if (polled[0].revents & POLLIN) {
      char probe = 0;  // end of file is readable, too
      return recv(socket_.get(), &probe, 1, MSG_PEEK | MSG_DONTWAIT) == 0 ? wait_end::disconnected : wait_end::message;
    }
    if (polled[2].revents != 0) return wait_end::exited;
    if (polled[0].revents != 0) return wait_end::disconnected;
    if (resident_bytes(child_.id()) > memory_bytes) return wait_end::over_memory_limit;
    look();
    if (without_a_core->cpu_s() > most_cpu_s) return wait_end::over_cpu_limit;
    if (over()) return wait_end::timed_out;
  }
}

outcome runner_process::explain(wait_end why, double timeout_s) {
  if (why == wait_end::exited || why == wait_end::disconnected) return explain_end(why == wait_end::disconnected);
  stop();
  if (why == wait_end::timed_out) return {verdict_kind::timeout, fmt::format("no reply within {:g} s", timeout_s)};
  if (why == wait_end::over_cpu_limit)
    return {verdict_kind::timeout, fmt::format("it used more than {:g} s of CPU time, twice the limit on {} cores",
                                               most_cpu * timeout_s * allowed_cores(), allowed_cores())};
  if (why == wait_end::over_output_limit)
    return {verdict_kind::output_limit, fmt::format("it printed more than {} MiB", most_output >> 20)};
  return {verdict_kind::memory_limit,
          fmt::format("it used more than {} GiB of host memory", options_.memory_bytes >> 30)};
}

// Reads the exit status before it kills the process group; otherwise every end would look like SIGKILL.
outcome runner_process::explain_end(bool disconnected) {
  if (disconnected) wait_for_end(options_.wrapper.empty() ? 0.5 : tool_timeout_s);
  const auto status = child_.ended();
  child_.read_output();
  child_.kill();
  if (!status) return {verdict_kind::protocol_violation, "it closed its connection to the judge"};
  const bool by_shell =
      options_.confine && WIFEXITED(*status) && WEXITSTATUS(*status) > 128;  // 128 + signal, as a shell reports it
  if (WIFEXITED(*status) && !by_shell)
    return {verdict_kind::exited_early, fmt::format("the program ended with exit code {}", WEXITSTATUS(*status))};
  const int signal = by_shell ? WEXITSTATUS(*status) - 128 : WTERMSIG(*status);
  if (signal == SIGXFSZ) return {verdict_kind::output_limit, "it wrote a file that is too large"};
  return {verdict_kind::crash, fmt::format("{} ({})", signal_name(signal), strsignal(signal))};
}

outcome runner_process::read_reply(std::uint64_t nonce) {
  outcome result;
  if (!receive(socket_.get(), result.answer) || result.answer.nonce != nonce ||
      result.answer.samples > protocol::most_samples) {
    stop();
    return {verdict_kind::protocol_violation, "it sent a message that is not a valid reply"};
  }
  result.answer.text[sizeof result.answer.text - 1] = '\0';
  result.verdict = meaning(result.answer.what);
  result.detail = result.answer.text;
  // A confined program may cause a failure of the machine itself, so it gets no second attempt.
  if (options_.confine && result.verdict == verdict_kind::infra_error) result.verdict = verdict_kind::crash;
  return result;
}

void runner_process::wait_for_end(double timeout_s) {
  const auto deadline = clock::now() + std::chrono::duration<double>(timeout_s);
  for (bool open = true; child_.id() > 0 && !child_.ended() && clock::now() < deadline;) {
    std::array<pollfd, 2> polled{
        {{open ? child_.output_descriptor() : -1, POLLIN, 0}, {child_.exit_descriptor(), POLLIN, 0}}};
    poll(polled.data(), polled.size(), 20);
    open = open && child_.read_output() && !child_.printed_too_much();
  }
}

void runner_process::finish(double timeout_s) {
  socket_.close();
  wait_for_end(timeout_s);
  child_.read_output();  // a tool's last words
  child_.kill();
}

void runner_process::stop() {
  if (options_.wrapper.empty())
    child_.kill();
  else
    finish(tool_timeout_s);
}

outcome runner_process::ask(protocol::request& request, const memory_file* in, const memory_file* out,
                            double timeout_s) {
  if (child_.id() < 0) return {verdict_kind::infra_error, "the runner has already ended"};
  request.nonce = random_bits();
  const bool sent = send_request(socket_.get(), request, in, out);
  if (!sent && errno != EPIPE && errno != ECONNRESET)
    return {verdict_kind::infra_error, std::string{"cannot send a request: "} + std::strerror(errno)};
  const auto memory = options_.memory_bytes + (4 + request.copies) * request.file_bytes;
  const auto end = sent ? wait(timeout_s, memory) : wait_end::disconnected;
  return end == wait_end::message ? read_reply(request.nonce) : explain(end, timeout_s);
}

}  // namespace lab::judge
