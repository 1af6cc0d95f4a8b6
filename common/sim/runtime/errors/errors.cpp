#include "sim/runtime/errors/errors.hpp"

#include <stdlib.h>

#include <atomic>
#include <cstdio>
#include <mutex>

namespace lab::sim {

namespace {

thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> broken = cudaSuccess;
std::atomic<bool> host_knows = false;  // an API call has returned the sticky error
std::atomic<bool> work_is_missing = false;
std::mutex detail_guard;
std::string detail;
std::atomic<bool> is_known = false;  // the user hears of the sticky error otherwise

// A program that checks no error ends as if its results were right.
void tell_at_exit(int status, void*) {
  if (status != 0 || faulted() == cudaSuccess || is_known) return;
  std::fprintf(stderr,
               "lab: %s\n"
               "  CUDA has refused all work since then. The program has not looked at this error, and its results are "
               "incomplete.\n",
               error_detail().c_str());
}

}  // namespace

cudaError_t report(cudaError_t found) {
  if (found != cudaSuccess && found != cudaErrorNotReady) last = found;
  return found;
}

cudaError_t sticky() {
  const cudaError_t found = faulted();
  if (found != cudaSuccess) host_knows = true;
  return found;
}

cudaError_t faulted() { return broken.load(std::memory_order_relaxed); }
bool fault_is_news() { return faulted() != cudaSuccess && !host_knows; }

void fail(cudaError_t error, hazard_kind kind, const std::string& what) {
  cudaError_t none = cudaSuccess;
  if (!broken.compare_exchange_strong(none, error)) return;
  set_detail(kind, what);
  static const int registered = on_exit(tell_at_exit, nullptr);
  static_cast<void>(registered);
}

void known() { is_known = faulted() != cudaSuccess; }

cudaError_t refused() {
  work_is_missing = true;
  return sticky();
}

bool has_refused() { return work_is_missing; }

void set_detail(hazard_kind kind, const std::string& what) {
  const std::lock_guard lock{detail_guard};
  detail = hazard_word(kind);
  detail.append(": ").append(what);
}

void forget_errors() {
  broken = cudaSuccess;
  host_knows = false;
  is_known = false;
  work_is_missing = false;
  last = cudaSuccess;
  const std::lock_guard lock{detail_guard};
  detail.clear();
}

cudaError_t last_error() { return host_knows ? faulted() : last; }

cudaError_t take_last_error() {
  const cudaError_t found = last_error();
  last = cudaSuccess;
  return found;
}

std::string error_detail() {
  const std::lock_guard lock{detail_guard};
  return detail;
}

}  // namespace lab::sim
