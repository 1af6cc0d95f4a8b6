#include <cuda_profiler_api.h>

#include "runner/commands.hpp"
#include "runner/gpu_state.hpp"
#include "runner/timed_launchers.hpp"

namespace lab::runner {

void measure(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  timed_launchers launchers{incoming, libraries};
  launchers.warm_up();
  reply.samples = std::min<std::uint32_t>(incoming.request.repeats, protocol::most_samples);
  for (std::uint32_t round = 0; round < reply.samples; ++round)
    for (std::size_t library = launchers.count(); library-- > 0;) {
      launchers.rest();
      launchers.settle(library);
      reply.milliseconds[library][round] = launchers.timed_call(library);
      if (round == 0 || launchers.head_start() != protocol::head_start::complete)
        reply.head_starts[library] = launchers.head_start();
    }
  reply.gpu = gpu_state_now();
  if (wait_for_device(reply)) launchers.copy_last_set_back();
}

namespace {

// The longer loop less the shorter one: the host's start and its wait at the end cancel out. A launcher that copies its
// arrays itself waits in each call, so single calls are timed, each after an untimed one as in `measure`.
double seconds_of_a_call(timed_launchers& launchers, const protocol::request& request) {
  launchers.rest();
  if (request.host_pointers) {
    launchers.settle(0);
    return launchers.timed_loop(1);
  }
  const auto calls = std::max(request.repeats, 1u);
  const double once = launchers.timed_loop(calls);
  launchers.rest();
  const double twice = launchers.timed_loop(2 * calls);
  return std::max(twice - once, 0.0) / calls;
}

}  // namespace

void measure_loop(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  constexpr std::uint32_t samples = 7;
  timed_launchers launchers{incoming, libraries};
  launchers.warm_up();
  for (reply.samples = 0; reply.samples < samples; ++reply.samples)
    reply.milliseconds[0][reply.samples] = static_cast<float>(1e3 * seconds_of_a_call(launchers, incoming.request));
  reply.gpu = gpu_state_now();
  if (wait_for_device(reply)) launchers.copy_last_set_back();
}

// As `measure` calls it: after a rest and after an untimed call, which leaves its own arrays in L2.
void call_profiled(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  timed_launchers launchers{incoming, libraries};
  launchers.warm_up();
  for (std::uint32_t call = 0; call < incoming.request.repeats; ++call) {
    launchers.rest();
    launchers.settle(0);
    cuda::check(cudaProfilerStart(), "cudaProfilerStart");
    launchers.settle(0);
    cuda::check(cudaProfilerStop(), "cudaProfilerStop");
  }
  if (wait_for_device(reply)) launchers.copy_last_set_back();
}

void measure_copies(const protocol::request& request, protocol::reply& reply) {
  const cuda::buffer source{request.file_bytes}, target{request.file_bytes};
  cuda::check(cudaMemset(source.data(), 0x5a, request.file_bytes), "cudaMemset");
  device_clock clock{true};
  const auto copy = [&] {
    cuda::check(cudaMemcpyAsync(target.data(), source.data(), request.file_bytes, cudaMemcpyDeviceToDevice, nullptr),
                "cudaMemcpyAsync");
  };
  const auto timed_copy = [&] { return clock.milliseconds(copy); };
  cuda::warm_up(timed_copy);
  clock.calibrate();
  reply.samples = std::min<std::uint32_t>(request.repeats, protocol::most_samples);
  for (std::uint32_t sample = 0; sample < reply.samples; ++sample) reply.milliseconds[0][sample] = timed_copy();
}

}  // namespace lab::runner
