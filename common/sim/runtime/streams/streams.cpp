#include "sim/runtime/streams/streams.hpp"

#include <mutex>
#include <set>

namespace lab::sim {

namespace {

std::mutex guard;
std::set<cudaEvent_t>& events() {
  static auto* const all = new std::set<cudaEvent_t>;
  return *all;
}
std::set<cudaStream_t>& streams() {
  static auto* const all = new std::set<cudaStream_t>;
  return *all;
}

}  // namespace

bool known(cudaStream_t stream) {
  if (built_in(stream)) return true;
  const std::lock_guard lock{guard};
  return streams().contains(stream);
}
bool known(cudaEvent_t event) {
  const std::lock_guard lock{guard};
  return events().contains(event);
}

void register_handle(cudaStream_t stream) {
  const std::lock_guard lock{guard};
  streams().insert(stream);
}
void register_handle(cudaEvent_t event) {
  const std::lock_guard lock{guard};
  events().insert(event);
}

bool unregister_handle(cudaStream_t stream) {
  const std::lock_guard lock{guard};
  return streams().erase(stream) > 0;
}
bool unregister_handle(cudaEvent_t event) {
  const std::lock_guard lock{guard};
  return events().erase(event) > 0;
}

std::vector<cudaStream_t> created_streams() {
  const std::lock_guard lock{guard};
  return {streams().begin(), streams().end()};
}
std::vector<cudaEvent_t> created_events() {
  const std::lock_guard lock{guard};
  return {events().begin(), events().end()};
}

}  // namespace lab::sim
