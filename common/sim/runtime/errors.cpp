#include "errors.hpp"

#include <atomic>
#include <mutex>

#include "lab_sim.h"

namespace lab::sim {

namespace {

thread_local cudaError_t last = cudaSuccess;
std::atomic<cudaError_t> broken = cudaSuccess;
std::mutex detail_guard;
std::string detail;

}  // namespace

cudaError_t report(cudaError_t found) {
  if (found != cudaSuccess && found != cudaErrorNotReady) last = found;
  return found;
}

cudaError_t sticky() { return broken.load(std::memory_order_relaxed); }

void fail(cudaError_t error, hazard_kind kind, const std::string& what) {
  cudaError_t none = cudaSuccess;
  if (broken.compare_exchange_strong(none, error)) set_detail(kind, what);
}

void set_detail(hazard_kind kind, const std::string& what) {
  const std::lock_guard lock{detail_guard};
  detail = hazard_word(kind);
  detail.append(": ").append(what);
}

void forget_errors() {
  broken = cudaSuccess;
  last = cudaSuccess;
  const std::lock_guard lock{detail_guard};
  detail.clear();
}

namespace {

cudaError_t pending() { return sticky() != cudaSuccess ? sticky() : last; }

}  // namespace

}  // namespace lab::sim

using namespace lab::sim;

cudaError_t cudaPeekAtLastError() { return pending(); }

cudaError_t cudaGetLastError() {
  const cudaError_t found = pending();
  last = cudaSuccess;
  return found;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define LAB_SIM_ERROR(name, number, text) \
  case name:                              \
    return #name;
    LAB_SIM_ERRORS(LAB_SIM_ERROR)
#undef LAB_SIM_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define LAB_SIM_ERROR(name, number, text) \
  case name:                              \
    return text;
    LAB_SIM_ERRORS(LAB_SIM_ERROR)
#undef LAB_SIM_ERROR
  }
  return "unrecognized error code";
}

const char* lab_sim_error_detail() {
  thread_local std::string copy;
  const std::lock_guard lock{detail_guard};
  copy = detail;
  return copy.c_str();
}
