#include "runner/commands.hpp"
#include "runner/device_clock.hpp"

// For the simulator, and for CUDA before 12.5.

namespace lab::runner {

namespace {

constexpr auto reason = "timing a kernel without its host code needs a GPU and CUDA 12.5 or later";

}  // namespace

void record(const incoming_request&, library_set&, protocol::reply& reply) {
  set_status(reply, protocol::status::done, reason);
}

void replay(const incoming_request&, library_set&, protocol::reply& reply) {
  set_status(reply, protocol::status::done, reason);
}

bool hold_device() { return false; }
bool release_device() { return false; }

}  // namespace lab::runner
