#include "protocol/runner_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include "support/installation.hpp"

namespace lab::judge {

namespace {

// LAB_RUNNER_WRAPPER, such as "compute-sanitizer --tool memcheck", starts the runner under a tool; words are split at
// blanks.
std::vector<std::string> wrapper() {
  const char* words = std::getenv("LAB_RUNNER_WRAPPER");
  std::istringstream split{words ? words : ""};
  return {std::istream_iterator<std::string>{split}, {}};
}

using clock = std::chrono::steady_clock;
constexpr double start_timeout_s = 60;  // a first CUDA context can take many seconds
constexpr double tool_s = 20;           // in which a tool writes what it has found

std::string seed_of(unsigned schedule) {
  const char* const first = std::getenv("LAB_SIM_SEED");
  return fmt::format("LAB_SIM_SEED={}", (first ? std::strtoul(first, nullptr, 10) : 0) + schedule);
}

// A runner that is asked for a report of the simulator's has no room for a tool from the environment.
runner_options with_wrapper(runner_options o) {
  if (o.wrapper.empty() && o.report < 0) o.wrapper = wrapper();
  return o;
}

spawn_request command_for(const runner_options& o, int socket) {
  spawn_request r;
  const auto program = o.program.empty() ? runner_program(o.backend) : o.program;
  r.arguments = o.wrapper;
  r.arguments.insert(r.arguments.end(), {program.string(), "--device", std::to_string(o.device)});
  if (o.confine) r.arguments.push_back("--lockdown");
  for (const auto& l : o.libraries) r.arguments.push_back(l.string());
  r.environment = clean_environment({"LAB_SIM_DEVICE", "LAB_SIM_THREADS", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",
                                     "ASAN_OPTIONS", "UBSAN_OPTIONS"});
  r.environment.push_back(seed_of(o.schedule));
  if (o.report >= 0) r.environment.emplace_back("LAB_SIM_JSON=/proc/self/fd/4");
  r.folder = "/";
  r.third = socket;
  r.fourth = o.report;
  r.file_bytes = o.wrapper.empty() ? 16 << 20 : 1 << 30;  // a tool writes a report of its own
  if (!o.confine) return r;
  needs all{.backend = o.backend, .readable = o.libraries};
  all.readable.push_back(program);
  return o.confine(std::move(r), all);
}

// Of whichever thread still has memory: one that has ended has none, and may be the one that gives the process its
// number.
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

// Of a process and of all that it started, for a sandbox stands between the judge and the runner.
std::size_t resident_bytes(pid_t id) {
  std::size_t resident = resident_pages(id) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream children{fmt::format("/proc/{0}/task/{0}/children", id)};
  for (pid_t child = 0; children >> child;) resident += resident_bytes(child);
  return resident;
}

bool send_request(int socket, protocol::request& r, const memory_file* in, const memory_file* out) {
  iovec what{&r, sizeof r};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &what;
  message.msg_iovlen = 1;
  if (in && out) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    const std::array<int, 2> files{in->get(), out->get()};
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(c), files.data(), sizeof files);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof r);
}

// Receives one message of exactly this size.
template <class T>
bool receive(int socket, T& message) {
  return recv(socket, &message, sizeof message, MSG_DONTWAIT | MSG_TRUNC) == static_cast<ssize_t>(sizeof message);
}

std::uint64_t fresh_nonce() {
  std::uint64_t nonce = 0;
  if (getrandom(&nonce, sizeof nonce, 0) != sizeof nonce) throw std::system_error(errno, std::generic_category());
  return nonce;
}

verdict_kind meaning(protocol::status s) {
  switch (s) {
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

runner_process::runner_process(const runner_options& o) : runner_process(with_wrapper(o), connected()) {}

runner_process::~runner_process() { stop(); }

runner_process::runner_process(const runner_options& o, sockets s)
    : options_{o}, socket_{std::move(s.ours)}, child_{command_for(o, s.theirs.get())} {
  s.theirs.close();
  receive_greeting();
}

void runner_process::receive_greeting() {
  const auto end = wait(start_timeout_s, options_.memory_bytes);
  protocol::greeting hello{};
  if (end != wait_end::message) {
    auto why = explain(end, start_timeout_s).detail;
    if (!child_.output().empty()) why += ": " + child_.output();
    throw runner_failure("the runner did not start: " + why);
  }
  if (!receive(socket_.get(), hello)) throw runner_failure("the runner did not introduce itself");
  hello.text[sizeof hello.text - 1] = hello.device.name[sizeof hello.device.name - 1] = '\0';
  if (hello.what != protocol::status::done) throw runner_failure(hello.text);
  device_ = hello.device;
}

runner_process::wait_end runner_process::wait(double timeout_s, std::size_t memory_bytes) {
  const auto deadline = clock::now() + std::chrono::duration<double>(timeout_s);
  for (bool open = true;;) {
    std::array<pollfd, 3> on{{{socket_.get(), POLLIN, 0},
                              {open ? child_.output_descriptor() : -1, POLLIN, 0},
                              {child_.exit_descriptor(), POLLIN, 0}}};
    poll(on.data(), on.size(), 20);
    if (on[1].revents != 0) open = child_.read_output();
    if (child_.printed_too_much()) return wait_end::flooded;
    if (on[0].revents & POLLIN) {
      char probe = 0;  // an end of file is readable, too
      return recv(socket_.get(), &probe, 1, MSG_PEEK | MSG_DONTWAIT) == 0 ? wait_end::hung_up : wait_end::message;
    }
    if (on[2].revents != 0) return wait_end::exited;
    if (on[0].revents != 0) return wait_end::hung_up;
    if (resident_bytes(child_.id()) > memory_bytes) return wait_end::swollen;
    if (clock::now() > deadline) return wait_end::timed_out;
  }
}

outcome runner_process::explain(wait_end why, double timeout_s) {
  if (why == wait_end::exited || why == wait_end::hung_up) return explain_end(why == wait_end::hung_up);
  stop();
  if (why == wait_end::timed_out) return {verdict_kind::timeout, fmt::format("no answer within {:g} s", timeout_s)};
  if (why == wait_end::flooded)
    return {verdict_kind::output_limit, fmt::format("it printed over {} MiB", most_output >> 20)};
  return {verdict_kind::memory_limit, fmt::format("it took over {} GiB of host memory", options_.memory_bytes >> 30)};
}

// Asks how it ended before killing what is left: otherwise every end would look like SIGKILL.
outcome runner_process::explain_end(bool hung_up) {
  if (hung_up) wait_for_end(options_.wrapper.empty() ? 0.5 : tool_s);
  const auto status = child_.ended();
  child_.read_output();
  child_.kill();
  if (!status) return {verdict_kind::protocol_violation, "it closed its connection to the judge"};
  const bool relayed = options_.confine && WIFEXITED(*status) && WEXITSTATUS(*status) > 128;  // as a shell reports it
  if (WIFEXITED(*status) && !relayed)
    return {verdict_kind::exited_early,
            fmt::format("the program ended itself with exit code {}", WEXITSTATUS(*status))};
  const int signal = relayed ? WEXITSTATUS(*status) - 128 : WTERMSIG(*status);
  if (signal == SIGXFSZ) return {verdict_kind::output_limit, "it wrote too large a file"};
  return {verdict_kind::crash, fmt::format("{} ({})", signal_name(signal), strsignal(signal))};
}

outcome runner_process::read_reply(std::uint64_t nonce) {
  outcome o;
  if (!receive(socket_.get(), o.reply) || o.reply.nonce != nonce || o.reply.samples > protocol::most_samples) {
    stop();
    return {verdict_kind::protocol_violation, "it sent a message that is not an answer"};
  }
  o.reply.text[sizeof o.reply.text - 1] = '\0';
  o.verdict = meaning(o.reply.what);
  o.detail = o.reply.text;
  // What a confined program calls a fault of the machine may be its own doing, and must not earn it another try.
  if (options_.confine && o.verdict == verdict_kind::infra_error) o.verdict = verdict_kind::crash;
  return o;
}

void runner_process::wait_for_end(double timeout_s) {
  const auto deadline = clock::now() + std::chrono::duration<double>(timeout_s);
  for (bool open = true; child_.id() > 0 && !child_.ended() && clock::now() < deadline;) {
    std::array<pollfd, 2> on{
        {{open ? child_.output_descriptor() : -1, POLLIN, 0}, {child_.exit_descriptor(), POLLIN, 0}}};
    poll(on.data(), on.size(), 20);
    open = open && child_.read_output() && !child_.printed_too_much();
  }
}

void runner_process::finish(double timeout_s) {
  socket_.close();
  wait_for_end(timeout_s);
  child_.kill();
}

void runner_process::stop() {
  if (options_.wrapper.empty())
    child_.kill();
  else
    finish(tool_s);
}

outcome runner_process::ask(protocol::request& r, const memory_file* in, const memory_file* out, double timeout_s) {
  if (child_.id() < 0) return {verdict_kind::infra_error, "the runner has already ended"};
  r.nonce = fresh_nonce();
  const bool sent = send_request(socket_.get(), r, in, out);
  if (!sent && errno != EPIPE && errno != ECONNRESET)
    return {verdict_kind::infra_error, std::string{"cannot send a request: "} + std::strerror(errno)};
  const auto memory = options_.memory_bytes + (4 + r.copies) * r.file_bytes;
  const auto end = sent ? wait(timeout_s, memory) : wait_end::hung_up;
  return end == wait_end::message ? read_reply(r.nonce) : explain(end, timeout_s);
}

}  // namespace lab::judge
