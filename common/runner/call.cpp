#include <cstring>

#include "runner/argument_arrays.hpp"
#include "runner/commands.hpp"

// The simulator knows more about an error than CUDA's codes can say.
extern "C" const char* lab_sim_error_detail() __attribute__((weak));

namespace lab::runner {

void say(protocol::reply& answer, protocol::status what, const std::string& text) {
  answer.what = what;
  answer.text[text.copy(answer.text, sizeof answer.text - 1)] = '\0';
}

bool finished_well(protocol::reply& answer) {
  const cudaError_t waited = cudaDeviceSynchronize(), last = cudaGetLastError();
  const cudaError_t status = waited != cudaSuccess ? waited : last;
  if (status == cudaSuccess) return true;
  std::string text = std::string{cudaGetErrorName(status)} + ": " + cudaGetErrorString(status);
  if (lab_sim_error_detail) {
    const char* detail = lab_sim_error_detail();
    if (detail && *detail) text += std::string{"\n"} + detail;
  }
  say(answer, protocol::status::launch_error, text);
  return false;
}

void call_once(const incoming& order, libraries& known, protocol::reply& answer) {
  const auto& r = order.request;
  const std::span slots{r.slot, r.slots};
  void* const launcher = known.function(r.library[0], r.symbol);
  const argument_arrays images{slots, r.host_pointers != 0, order.in.data()};
  call(launcher, slots, images.pointers());
  const bool well = finished_well(answer);
  try {
    images.copy_back(order.out.data());
  } catch (const cuda::error&) {
    if (well) throw;
  }
}

}  // namespace lab::runner
