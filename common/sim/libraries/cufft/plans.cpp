#include "sim/libraries/cufft/plans.hpp"

#include <map>
#include <mutex>

// The plans and their handles.

namespace lab::sim::cufft {

namespace {

std::mutex guard;
std::map<cufftHandle, plan>& plans() {
  static auto* const all = new std::map<cufftHandle, plan>;
  return *all;
}

bool known(cufftType type) {
  for (const auto one : {CUFFT_R2C, CUFFT_C2R, CUFFT_C2C, CUFFT_D2Z, CUFFT_Z2D, CUFFT_Z2Z})
    if (type == one) return true;
  return false;
}

int product(const std::vector<int>& sizes) {
  int all = 1;
  for (const int n : sizes) all *= n;
  return all;
}

// Dense data: the rows of the complex side of a real transform are half as long.
plan::layout dense(const plan& p, const plan::layout& side) {
  auto sizes = p.sizes;
  if (p.is_half(side)) sizes.back() = sizes.back() / 2 + 1;
  return {sizes, 1, product(sizes)};
}

cufftResult make(cufftHandle handle, const std::vector<int>& sizes, cufftType type, int batch, const int* in,
                 int in_stride, int in_distance, const int* out, int out_stride, int out_distance) {
  plan* const found = find(handle);
  if (!found) return CUFFT_INVALID_PLAN;
  if (!known(type)) return CUFFT_INVALID_TYPE;
  if (sizes.empty() || sizes.size() > 3 || batch < 1) return CUFFT_INVALID_SIZE;
  for (const int n : sizes)
    if (n < 1) return CUFFT_INVALID_SIZE;
  found->sizes = sizes;
  found->type = type;
  found->batch = batch;
  found->in = in ? plan::layout{{in, in + sizes.size()}, in_stride, in_distance} : dense(*found, found->in);
  found->out = out ? plan::layout{{out, out + sizes.size()}, out_stride, out_distance} : dense(*found, found->out);
  return CUFFT_SUCCESS;
}

cufftResult create_and(cufftHandle* handle, const std::vector<int>& sizes, cufftType type, int batch) {
  if (const auto failed = cufftCreate(handle); failed != CUFFT_SUCCESS) return failed;
  const auto status = make(*handle, sizes, type, batch, nullptr, 1, 0, nullptr, 1, 0);
  if (status != CUFFT_SUCCESS) cufftDestroy(*handle);
  return status;
}

cufftResult without_work(size_t* work, cufftResult status) {
  if (work) *work = 0;  // FFTW has memory of its own
  return status;
}

}  // namespace

plan* find(cufftHandle handle) {
  const std::lock_guard lock{guard};
  const auto at = plans().find(handle);
  return at == plans().end() ? nullptr : &at->second;
}

}  // namespace lab::sim::cufft

using namespace lab::sim::cufft;

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  static int last = 0;
  const std::lock_guard lock{guard};
  plans()[*handle = ++last];
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
  const std::lock_guard lock{guard};
  return plans().erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and(plan, {nx}, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create_and(plan, {nx, ny}, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create_and(plan, {nx, ny, nz}, type, 1);
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  if (const auto failed = cufftCreate(plan); failed != CUFFT_SUCCESS) return failed;
  const auto status =
      cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
  if (status != CUFFT_SUCCESS) cufftDestroy(*plan);
  return status;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work) {
  return without_work(work, make(plan, {nx}, type, batch, nullptr, 1, 0, nullptr, 1, 0));
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work) {
  return without_work(work, make(plan, {nx, ny}, type, 1, nullptr, 1, 0, nullptr, 1, 0));
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work) {
  return without_work(work, make(plan, {nx, ny, nz}, type, 1, nullptr, 1, 0, nullptr, 1, 0));
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* work) {
  if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_SIZE;
  const bool both = inembed && onembed;  // one alone counts as none
  return without_work(work, make(plan, {n, n + rank}, type, batch, both ? inembed : nullptr, istride, idist,
                                 both ? onembed : nullptr, ostride, odist));
}

cufftResult cufftGetSize(cufftHandle plan, size_t* work) {
  return without_work(work, find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN);
}
cufftResult cufftEstimate1d(int nx, cufftType, int, size_t* work) {
  return without_work(work, nx > 0 ? CUFFT_SUCCESS : CUFFT_INVALID_SIZE);
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) { return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftSetWorkArea(cufftHandle plan, void*) { return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  const auto found = find(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  found->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
