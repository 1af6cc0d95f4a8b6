#include "runner/commands.hpp"
#include "runner/device_clock.hpp"

// Where there is no GPU, or CUDA is too old for it.

namespace lab::runner {

namespace {

constexpr auto reason = "kernels can be timed without their host code on a GPU only, with CUDA 12.5 or later";

}  // namespace

void record(const incoming&, libraries&, protocol::reply& answer) { say(answer, protocol::status::done, reason); }

void replay(const incoming&, libraries&, protocol::reply& answer) { say(answer, protocol::status::done, reason); }

bool launch_blocking_kernel() { return false; }

}  // namespace lab::runner
