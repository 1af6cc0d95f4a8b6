// The estimate of lab 17's encore as a library whose constants can be set, for report/fit_plans.py. It makes
// estimate.hpp with variables in place of constants, and constants.inc with their addresses. No GPU is needed: the
// facts that the estimate asks the runtime for are set, too.
#include <algorithm>
#include <iterator>

#include "estimate.hpp"

namespace {

using namespace ring_kernel;

double* const constants[] = {
#include "constants.inc"
};

int multiprocessors = 0, memory_clock = 0, memory_bus = 0;

int bytes_at_a_time(int width) { return std::min(16, 2 * (width & -width)); }

}  // namespace

// A product and a plan of the ring for it, as in the rows of measure/matmul_plans.cu.
struct row {
  int n, m, p, form, blocks, turns, wide_a, wide_b;
};

extern "C" {

#ifndef __CUDA_ARCH__  // a kernel has functions of these names
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr what, int) {
  *value = what == cudaDevAttrMultiProcessorCount    ? multiprocessors
           : what == cudaDevAttrMemoryClockRate      ? memory_clock
           : what == cudaDevAttrGlobalMemoryBusWidth ? memory_bus
                                                     : 0;
  return cudaSuccess;
}
#endif

// To be called first: the estimate keeps what it learns of the GPU. Clock in kHz, width in bits.
void describe_gpu(int multiprocessors_, int memory_clock_, int memory_bus_) {
  multiprocessors = multiprocessors_, memory_clock = memory_clock_, memory_bus = memory_bus_;
}

void set_constants(const double* values) {
  for (size_t i = 0; i < std::size(constants); ++i) *constants[i] = values[i];
}

// The number of the form with these facts, or -1: source, rows, columns, blocks of a cluster below and beside each
// other, turned, threads.
int form_of(const int* facts) {
  for (int i = 0; i < forms_count; ++i) {
    const form_facts& of = forms[i];
    const int own[] = {int(of.from), of.rows, of.cols, of.team_rows, of.team_cols, of.turned, of.threads};
    if (std::equal(own, own + std::size(own), facts)) return i;
  }
  return -1;
}

// Microseconds for each row.
void estimate(const row* rows, int count, double* times) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i) {
    const row& of = rows[i];
    plan how{of.form, of.blocks, of.turns, of.wide_a != 0, of.wide_b != 0};
    times[i] = time_for(how, {of.n, of.m, of.p}, {bytes_at_a_time(of.m), bytes_at_a_time(of.p), of.p % 4 == 0});
  }
}
}
