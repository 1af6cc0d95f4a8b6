#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "runner/replay/recorder.hpp"

namespace lab::runner {

using replay::recorder;

/// An address or a handle, as a tape has it.
inline std::uint64_t number(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

/// The tape that is being written, and the arena of the last one.
struct recording_state {
  std::mutex mutex;
  recorder* running = nullptr;
  recorder* last = nullptr;
};
recording_state& state();

/// What `answer` says of the tape that is being written; false without one.
template <class Answer>
bool while_recording(Answer answer) {
  const std::lock_guard one_at_a_time{state().mutex};
  return state().running && answer(*state().running);
}

/// Lets `write` write on that tape what the runtime has just done, if it did it, and returns the runtime's answer.
template <class Write>
cudaError_t note(cudaError_t status, Write write) {
  if (status == cudaSuccess) while_recording([&](recorder& t) { return write(t), true; });
  return status;
}

/// Says on that tape why what is done cannot be done again.
inline void refuse(const std::string& why) {
  note(cudaSuccess, [&](recorder& t) { t.refuse(why); });
}

/// What `answer` says, also of a tape that has ended.
template <class Answer>
bool with_arena(Answer answer) {
  const std::lock_guard one_at_a_time{state().mutex};
  return state().last && answer(*state().last);
}

}  // namespace lab::runner

/// The runtime's own function of this name, found behind this program's.
#define LAB_REAL(name)                                                                    \
  ([]() -> decltype(&name) {                                                              \
    static const auto found = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name)); \
    return found;                                                                         \
  }())
