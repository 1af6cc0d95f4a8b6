#include <cstring>

#include "runner/argument_arrays.hpp"
#include "runner/commands.hpp"

// The simulator describes an error in more detail than CUDA's error codes can.
extern "C" const char* lab_sim_error_detail() __attribute__((weak));
// Names the kernel of the last launch that CUDA refused, in the simulator's words; empty if there was none.
extern "C" const char* lab_refused_launch() __attribute__((weak));

namespace lab::runner {

void set_status(protocol::reply& reply, protocol::status status, const std::string& text) {
  reply.what = status;
  reply.text[text.copy(reply.text, sizeof reply.text - 1)] = '\0';
}

bool wait_for_device(protocol::reply& reply) {
  const cudaError_t waited = cudaDeviceSynchronize(), last = cudaGetLastError();
  const cudaError_t code = waited != cudaSuccess ? waited : last;
  if (code == cudaSuccess) return true;
  std::string text = std::string{cudaGetErrorName(code)} + ": " + cudaGetErrorString(code);
  for (const auto describe : {lab_sim_error_detail, lab_refused_launch})
    if (const char* const detail = describe ? describe() : nullptr; detail && *detail)
      text += std::string{"\n"} + detail;
  set_status(reply, protocol::status::launch_error, text);
  return false;
}

void call_once(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  const auto& request = incoming.request;
  const std::span slots{request.slots, request.slot_count};
  void* const launcher = libraries.function(request.libraries[0], request.symbol);
  const argument_arrays arrays{request, incoming.in};
  call_launcher(launcher, slots, arrays.pointers());
  const bool succeeded = wait_for_device(reply);
  if (request.discards) return;
  try {
    arrays.copy_back(incoming.out.data());
  } catch (const cuda::error&) {
    if (succeeded) throw;
  }
}

}  // namespace lab::runner
