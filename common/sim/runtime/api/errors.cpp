#include "sim/runtime/errors/errors.hpp"

#include "lab_sim.h"

using namespace lab::sim;

cudaError_t cudaPeekAtLastError() { return known(), last_error(); }
cudaError_t cudaGetLastError() { return known(), take_last_error(); }

const char* cudaGetErrorName(cudaError_t error) {
  known();
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
  known();
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
  known();
  thread_local std::string copy;
  copy = error_detail();
  return copy.c_str();
}
