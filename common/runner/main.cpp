#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>

#include "cuda/device.hpp"
#include "cuda/lazy_initialization.hpp"
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

// The GPU's driver and NVML make system calls on first use that a kernel must not make, so their first use comes before
// the restriction. The free memory has been read before.
void lock_down() {
  cuda::force_lazy_initialization();
  runner::gpu_state_now();
#ifdef LAB_ON_GPU
  lockdown::restrict_system_calls(lockdown::program_kind::gpu_kernel);
#else
  lockdown::restrict_system_calls(lockdown::program_kind::kernel);
#endif
}

bool send_greeting(const command_line& line) {
  protocol::greeting greeting{};
  try {
    const auto device = cuda::start_device(line.device);
    if (line.lockdown) lock_down();
    device.name.copy(greeting.device.name, sizeof greeting.device.name - 1);
    greeting.device.memory_bytes = device.memory;
    greeting.device.free_bytes = device.free;
    greeting.device.l2_bytes = device.l2;
    greeting.device.multiprocessors = device.multiprocessors;
    greeting.device.major = device.major;
    greeting.device.minor = device.minor;
    greeting.device.runtime = device.runtime;
  } catch (const std::exception& error) {
    greeting.what = protocol::status::infra_error;
    std::string{error.what()}.copy(greeting.text, sizeof greeting.text - 1);
  }
  runner::send(&greeting, sizeof greeting);
  return greeting.what == protocol::status::done;
}

void execute(const runner::incoming_request& incoming, runner::library_set& libraries, protocol::reply& reply) {
  switch (incoming.request.what) {
    case protocol::command::call:
      return runner::call_once(incoming, libraries, reply);
    case protocol::command::measure:
      return runner::measure(incoming, libraries, reply);
    case protocol::command::loop:
      return runner::measure_loop(incoming, libraries, reply);
    case protocol::command::profiled:
      return runner::call_profiled(incoming, libraries, reply);
    case protocol::command::ceiling:
      return runner::measure_copies(incoming.request, reply);
    case protocol::command::record:
      return runner::record(incoming, libraries, reply);
    case protocol::command::replay:
      return runner::replay(incoming, libraries, reply);
  }
}

protocol::reply reply_to(const runner::incoming_request& incoming, runner::library_set& libraries) {
  protocol::reply reply{};
  reply.nonce = incoming.request.nonce;
  try {
    execute(incoming, libraries, reply);
  } catch (const runner::missing_symbol& error) {
    runner::set_status(reply, protocol::status::missing_symbol, error.what());
  } catch (const std::bad_alloc&) {
    runner::set_status(reply, protocol::status::out_of_memory, "no host memory left");
  } catch (const cuda::error& error) {
    const bool memory = error.code == cudaErrorMemoryAllocation;
    runner::set_status(reply, memory ? protocol::status::out_of_memory : protocol::status::launch_error, error.what());
  } catch (const std::exception& error) {
    runner::set_status(reply, protocol::status::infra_error, error.what());
  }
  return reply;
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// A kernel's crash must end the process by its signal in a sanitized build too.
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:detect_leaks=0";
}
#endif

/// Serves one judge: lab-runner-X --device N [--lockdown] lib0.so [lib1.so ...]. Descriptor 3 is the judge's socket.
int main(int argc, char** argv) {
  try {
    const auto line = read_command_line(argc, argv);
    if (!send_greeting(line)) return 1;
    runner::library_set libraries{line.libraries};
    while (const auto incoming = runner::receive()) {
      const auto reply = reply_to(*incoming, libraries);
      runner::send(&reply, sizeof reply);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "lab-runner: " << error.what() << "\nThe judge starts this program; do not start it yourself.\n";
    return 1;
  }
}
