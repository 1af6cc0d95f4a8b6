#include "runner/replay/arena.hpp"

#include "cuda/check.hpp"
#include "runner/replay/driver.hpp"

namespace lab::runner {

namespace {

CUmemAllocationProp memory_of_this_device() {
  CUmemAllocationProp kind{};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  cuda::check(cudaGetDevice(&kind.location.id), "cudaGetDevice");
  return kind;
}

}  // namespace

arena::range::~range() {
  if (mapped) driver_function<decltype(cuMemUnmap)>("cuMemUnmap")(at, bytes);
  if (at) driver_function<decltype(cuMemAddressFree)>("cuMemAddressFree")(at, bytes);
}

arena::arena(std::uint64_t wished, std::uint64_t bytes) {
  const auto kind = memory_of_this_device();
  std::size_t page = 0;
  LAB_DRIVER("the arena", cuMemGetAllocationGranularity, &page, &kind, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
  range_.bytes = (bytes + page - 1) / page * page;
  const auto reserve = driver_function<decltype(cuMemAddressReserve)>("cuMemAddressReserve");
  if (reserve(&range_.at, range_.bytes, 0, wished, 0) != CUDA_SUCCESS)
    LAB_DRIVER("the arena", cuMemAddressReserve, &range_.at, range_.bytes, 0, 0, 0);
  map_memory(kind);
}

// The memory lives as long as it is mapped; its handle is not needed longer.
void arena::map_memory(const CUmemAllocationProp& kind) {
  const auto words = std::to_string(range_.bytes >> 20) + " MiB of the arena";
  CUmemGenericAllocationHandle memory{};
  LAB_DRIVER(words, cuMemCreate, &memory, range_.bytes, &kind, 0);
  const auto mapped = driver_function<decltype(cuMemMap)>("cuMemMap")(range_.at, range_.bytes, 0, memory, 0);
  LAB_DRIVER(words, cuMemRelease, memory);
  require(mapped, "cuMemMap", words);
  range_.mapped = true;
  CUmemAccessDesc access{};
  access.location = kind.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  LAB_DRIVER(words, cuMemSetAccess, range_.at, range_.bytes, &access, 1);
}

}  // namespace lab::runner
