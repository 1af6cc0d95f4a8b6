#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "runner/replay/recorder.hpp"

namespace lab::runner {

using replay::recorder;

/// An address or a handle as a recording stores it.
inline std::uint64_t as_number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

struct recording_state {
  std::mutex mutex;
  recorder* active = nullptr;  ///< null while nothing is recorded
  recorder* latest = nullptr;  ///< its arena is in use after its recording has ended, too
};
recording_state& state();

/// The result of query(recorder) on the active recorder; false without one.
template <class Query>
bool while_recording(Query query) {
  const std::lock_guard one_at_a_time{state().mutex};
  return state().active && query(*state().active);
}

/// Calls write(recorder) on the active recorder if the runtime's call succeeded; returns the runtime's status.
template <class Write>
cudaError_t note(cudaError_t status, Write write) {
  if (status == cudaSuccess) while_recording([&](recorder& recorder) { return write(recorder), true; });
  return status;
}

/// Tells the active recorder why the launcher cannot be replayed.
inline void refuse(const std::string& reason) {
  note(cudaSuccess, [&](recorder& recorder) { recorder.refuse(reason); });
}

/// The result of query(recorder) on the latest recorder, active or not; false without one.
template <class Query>
bool with_arena(Query query) {
  const std::lock_guard one_at_a_time{state().mutex};
  return state().latest && query(*state().latest);
}

}  // namespace lab::runner

/// The runtime's own function of this name; dlsym skips this program's definition.
#define LAB_REAL(name)                                                                    \
  ([]() -> decltype(&name) {                                                              \
    static const auto found = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name)); \
    return found;                                                                         \
  }())
