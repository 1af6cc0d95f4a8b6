#include <cuda_runtime_api.h>

#include <cstring>

#include "runner/interposed.hpp"
#include "runner/interposing.hpp"

// Launches, and what else a tape must know of; see interposed.cpp.

namespace lab::runner {

tape_deck& deck() {
  static tape_deck only;
  return only;
}

void begin_tape(tape::recorder& r) {
  const std::lock_guard one_at_a_time{deck().mutex};
  deck().running = deck().last = &r;
}

void end_tape() {
  const std::lock_guard one_at_a_time{deck().mutex};
  deck().running = nullptr;
}

namespace {

using tape::recorder;

bool recording() {
  return on_tape([](recorder&) { return true; });
}

void refuse(const std::string& why) {
  note(cudaSuccess, [&](recorder& t) { t.refuse(why); });
}

std::string name_of(const void* kernel) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) == cudaSuccess && name) return name;
  refuse("it launches a kernel without a name");
  return "unknown";
}

// In one piece, each where the kernel expects it. That there is no further one is reported as an error.
std::vector<std::byte> parameters_of(const void* kernel, void** values) {
  std::vector<std::byte> all;
  std::size_t offset = 0, size = 0;
  for (std::size_t i = 0; cudaFuncGetParamInfo(kernel, i, &offset, &size) == cudaSuccess; ++i) {
    all.resize(offset + size);
    std::memcpy(all.data() + offset, values[i], size);
  }
  cudaGetLastError();
  return all;
}

bool elsewhere_on_device(std::uint64_t word) {
  cudaPointerAttributes known{};
  if (word >> 32 == 0 || cudaPointerGetAttributes(&known, reinterpret_cast<void*>(word)) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return known.type != cudaMemoryTypeUnregistered;
}

void refuse_foreign_pointers(const std::string& kernel, std::span<const std::byte> parameters) {
  for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (on_tape([&](recorder& t) { return t.owns(word); }) || !elsewhere_on_device(word)) continue;
    refuse("a parameter of " + kernel + " points to memory that neither is an argument nor comes from cudaMalloc");
  }
}

tape::extent extent_of(const dim3& d) { return {d.x, d.y, d.z}; }

// A launch that failed did nothing.
cudaError_t note_launch(cudaError_t status, const void* kernel, const tape::operation& shape, void** values,
                        cudaStream_t stream) {
  if (status != cudaSuccess || !recording()) return status;
  const auto name = name_of(kernel);
  const auto parameters = parameters_of(kernel, values);
  refuse_foreign_pointers(name, parameters);
  return note(status, [&](recorder& t) { t.launch(name, shape, parameters, reinterpret_cast<std::uint64_t>(stream)); });
}

tape::operation shape_of(const dim3& grid, const dim3& block, std::size_t shared) {
  tape::operation o{};
  o.grid = extent_of(grid);
  o.block = extent_of(block);
  o.shared = static_cast<std::uint32_t>(shared);
  return o;
}

void add_attribute(tape::operation& o, const cudaLaunchAttribute& a) {
  if (a.id == cudaLaunchAttributeClusterDimension)
    o.cluster = {a.val.clusterDim.x, a.val.clusterDim.y, a.val.clusterDim.z};
  else if (a.id == cudaLaunchAttributeCooperative)
    o.cooperative = a.val.cooperative != 0;
  else if (a.id == cudaLaunchAttributeProgrammaticStreamSerialization)
    o.programmatic = a.val.programmaticStreamSerializationAllowed != 0;
  else if (a.id != cudaLaunchAttributeIgnore)
    refuse("it launches with attribute " + std::to_string(a.id));
}

cudaError_t note_stream(cudaError_t status, const cudaStream_t* made, unsigned flags) {
  return note(status, [&](recorder& t) {
    t.add_stream(reinterpret_cast<std::uint64_t>(*made), (flags & cudaStreamNonBlocking) == 0);
  });
}

cudaError_t note_barrier(cudaError_t status) {
  return note(status, [](recorder& t) { t.barrier(); });
}

}  // namespace

}  // namespace lab::runner

using namespace lab::runner;

/// A function that a tape cannot follow.
#define LAB_REFUSED(name, parameters, arguments) \
  cudaError_t name parameters {                  \
    refuse("it calls " #name);                   \
    return LAB_REAL(name) arguments;             \
  }

extern "C" {

// What nvcc writes for kernel<<<...>>>, since CUDA 12.8; declared in no header for host compilers.
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3 grid, dim3 block, void** values, std::size_t shared,
                               cudaStream_t stream) {
  const auto status = LAB_REAL(__cudaLaunchKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, reinterpret_cast<const void*>(k), shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchKernel(const void* k, dim3 grid, dim3 block, void** values, std::size_t shared,
                             cudaStream_t stream) {
  const auto status = LAB_REAL(cudaLaunchKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, k, shape_of(grid, block, shared), values, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* k, dim3 grid, dim3 block, void** values, std::size_t shared,
                                        cudaStream_t stream) {
  auto shape = shape_of(grid, block, shared);
  shape.cooperative = 1;
  const auto status = LAB_REAL(cudaLaunchCooperativeKernel)(k, grid, block, values, shared, stream);
  return note_launch(status, k, shape, values, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* k, void** values) {
  auto shape = shape_of(c->gridDim, c->blockDim, c->dynamicSmemBytes);
  for (unsigned i = 0; i < c->numAttrs; ++i) add_attribute(shape, c->attrs[i]);
  return note_launch(LAB_REAL(cudaLaunchKernelExC)(c, k, values), k, shape, values, c->stream);
}

cudaError_t cudaFuncSetAttribute(const void* k, cudaFuncAttribute which, int value) {
  const auto status = LAB_REAL(cudaFuncSetAttribute)(k, which, value);
  if (!recording()) return status;
  const auto name = name_of(k);
  return note(status, [&](recorder& t) { t.attribute(name, which, static_cast<std::uint64_t>(value)); });
}

cudaError_t cudaStreamCreate(cudaStream_t* made) {
  return note_stream(LAB_REAL(cudaStreamCreate)(made), made, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
  return note_stream(LAB_REAL(cudaStreamCreateWithFlags)(made, flags), made, flags);
}

cudaError_t cudaDeviceSynchronize() { return note_barrier(LAB_REAL(cudaDeviceSynchronize)()); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return note_barrier(LAB_REAL(cudaStreamSynchronize)(stream)); }

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return note_barrier(LAB_REAL(cudaEventSynchronize)(event)); }

// Called as a library loads, for each variable of its device code; declared in no header for host compilers.
void __cudaRegisterVar(void** handle, char* symbol, char* address, const char* name, int external, std::size_t size,
                       int constant, int global) {
  note(cudaSuccess, [&](recorder& t) { t.add_global(reinterpret_cast<std::uint64_t>(symbol), name); });
  LAB_REAL(__cudaRegisterVar)(handle, symbol, address, name, external, size, constant, global);
}

LAB_REFUSED(cudaMallocManaged, (void** p, std::size_t n, unsigned f), (p, n, f))
LAB_REFUSED(cudaMallocPitch, (void** p, std::size_t* d, std::size_t w, std::size_t h), (p, d, w, h))
LAB_REFUSED(cudaGetSymbolAddress, (void** p, const void* s), (p, s))
LAB_REFUSED(cudaMemcpyFromSymbol, (void* t, const void* s, std::size_t n, std::size_t o, cudaMemcpyKind k),
            (t, s, n, o, k))
LAB_REFUSED(cudaMemcpy2D,
            (void* t, std::size_t tp, const void* f, std::size_t fp, std::size_t w, std::size_t h, cudaMemcpyKind k),
            (t, tp, f, fp, w, h, k))
LAB_REFUSED(cudaLaunchHostFunc, (cudaStream_t s, cudaHostFn_t f, void* d), (s, f, d))
LAB_REFUSED(cudaStreamBeginCapture, (cudaStream_t s, cudaStreamCaptureMode m), (s, m))
LAB_REFUSED(cudaGraphLaunch, (cudaGraphExec_t g, cudaStream_t s), (g, s))
LAB_REFUSED(cudaDeviceSetLimit, (cudaLimit l, std::size_t v), (l, v))

}  // extern "C"
