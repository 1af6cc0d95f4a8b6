#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>

#include "cuda/device.hpp"
#include "cuda/warm_up.hpp"
#include "runner/commands.hpp"
#include "runner/gpu_state.hpp"
#include "sandbox/system_calls.hpp"

namespace {

using namespace lab;

struct command_line {
  int device = 0;
  bool lockdown = false;
  std::vector<std::string> libraries;
};

command_line read_command_line(int argc, char** argv) {
  command_line line;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--device") == 0 && i + 1 < argc)
      line.device = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--lockdown") == 0)
      line.lockdown = true;
    else
      line.libraries.emplace_back(argv[i]);
  }
  return line;
}

// A GPU's driver and its management library make system calls that a kernel must not make, on their first use at the
// latest: so that comes first. Memory that is free was counted before.
void lock_down() {
  cuda::make_first_calls();
  runner::gpu_state_now();
  lockdown::restrict_system_calls(lockdown::trade::kernel);
}

bool greet(const command_line& line) {
  protocol::greeting hello{};
  try {
    const auto d = cuda::start_device(line.device);
    if (line.lockdown) lock_down();
    d.name.copy(hello.device.name, sizeof hello.device.name - 1);
    hello.device.memory_bytes = d.memory;
    hello.device.free_bytes = d.free;
    hello.device.l2_bytes = d.l2;
    hello.device.multiprocessors = d.multiprocessors;
    hello.device.major = d.major;
    hello.device.minor = d.minor;
    hello.device.runtime = d.runtime;
  } catch (const std::exception& e) {
    hello.what = protocol::status::infra_error;
    std::string{e.what()}.copy(hello.text, sizeof hello.text - 1);
  }
  runner::send(&hello, sizeof hello);
  return hello.what == protocol::status::done;
}

void obey(const runner::incoming& order, runner::libraries& known, protocol::reply& answer) {
  switch (order.request.what) {
    case protocol::command::call:
      return runner::call_once(order, known, answer);
    case protocol::command::measure:
      return runner::measure(order, known, answer);
    case protocol::command::ceiling:
      return runner::measure_copies(order.request, answer);
    case protocol::command::record:
      return runner::record(order, known, answer);
    case protocol::command::replay:
      return runner::replay(order, known, answer);
  }
}

protocol::reply answer_to(const runner::incoming& order, runner::libraries& known) {
  protocol::reply answer{};
  answer.nonce = order.request.nonce;
  try {
    obey(order, known, answer);
  } catch (const runner::missing_symbol& e) {
    runner::say(answer, protocol::status::missing_symbol, e.what());
  } catch (const std::bad_alloc&) {
    runner::say(answer, protocol::status::out_of_memory, "no more host memory");
  } catch (const cuda::error& e) {
    const bool memory = e.code == cudaErrorMemoryAllocation;
    runner::say(answer, memory ? protocol::status::out_of_memory : protocol::status::launch_error, e.what());
  } catch (const std::exception& e) {
    runner::say(answer, protocol::status::infra_error, e.what());
  }
  return answer;
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// A crash of the kernel must look like one, in a sanitized build too.
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0";
}
#endif

/// Serves one judge: lab-runner-X --device N [--lockdown] lib0.so [lib1.so ...], with the judge's socket as
/// descriptor 3.
int main(int argc, char** argv) {
  try {
    const auto line = read_command_line(argc, argv);
    if (!greet(line)) return 1;
    runner::libraries known{line.libraries};
    while (const auto order = runner::receive()) {
      const auto answer = answer_to(*order, known);
      runner::send(&answer, sizeof answer);
    }
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "lab-runner: " << e.what() << "; this program is started by the judge, not by hand\n";
    return 1;
  }
}
