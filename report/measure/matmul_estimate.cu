// The estimate of lab 17's encore as a library whose constants can be set, for report/fit_plans.py. It makes
// the estimate's files with variables in place of constants, and constants.inc with their addresses. No GPU is needed:
// the facts that the estimate asks the runtime for are set, too.
#include <algorithm>
#include <iterator>

#include "estimate_others.hpp"

namespace {

using namespace ring_kernel;

double* const constants[] = {
#include "constants.inc"
};

int multiprocessors = 0, memory_clock = 0, memory_bus = 0;

int bytes_at_a_time(int width) { return std::min(16, 2 * (width & -width)); }

}  // namespace

// A product and a plan for it, as in the rows of measure/matmul_plans.cu: of another kernel than the ring if the form
// is -1.
struct row {
  int n, m, p, form, how[4];
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
    plan how{};
    if (of.form < 0)
      how.side = of.how[0], how.slim_rows = of.how[1], how.few_columns = of.how[2] != 0;
    else
      how = {of.form, of.how[0], of.how[1], of.how[2] != 0, of.how[3] != 0};
    times[i] = time_for(how, {of.n, of.m, of.p}, {bytes_at_a_time(of.m), bytes_at_a_time(of.p), of.p % 4 == 0});
  }
}
}
