#include "runner/replay/device_arena.hpp"

#include "cuda/check.hpp"
#include "runner/replay/cuda_driver.hpp"

namespace lab::runner {

namespace {

CUmemAllocationProp memory_of_this_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  cuda::check(cudaGetDevice(&properties.location.id), "cudaGetDevice");
  return properties;
}

}  // namespace

device_arena::range::~range() {
  if (mapped) driver_function<decltype(cuMemUnmap)>("cuMemUnmap")(start, bytes);
  if (start) driver_function<decltype(cuMemAddressFree)>("cuMemAddressFree")(start, bytes);
}

device_arena::device_arena(std::uint64_t preferred, std::uint64_t bytes) {
  const auto properties = memory_of_this_device();
  std::size_t page = 0;
  LAB_DRIVER("the arena", cuMemGetAllocationGranularity, &page, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
  range_.bytes = (bytes + page - 1) / page * page;
  const auto reserve = driver_function<decltype(cuMemAddressReserve)>("cuMemAddressReserve");
  if (reserve(&range_.start, range_.bytes, 0, preferred, 0) != CUDA_SUCCESS)
    LAB_DRIVER("the arena", cuMemAddressReserve, &range_.start, range_.bytes, 0, 0, 0);
  map_memory(properties);
}

// The mapping keeps the memory alive, so its handle is released at once.
void device_arena::map_memory(const CUmemAllocationProp& properties) {
  const auto description = std::to_string(range_.bytes >> 20) + " MiB of the arena";
  CUmemGenericAllocationHandle memory{};
  LAB_DRIVER(description, cuMemCreate, &memory, range_.bytes, &properties, 0);
  const auto mapped = driver_function<decltype(cuMemMap)>("cuMemMap")(range_.start, range_.bytes, 0, memory, 0);
  LAB_DRIVER(description, cuMemRelease, memory);
  require(mapped, "cuMemMap", description);
  range_.mapped = true;
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  LAB_DRIVER(description, cuMemSetAccess, range_.start, range_.bytes, &access, 1);
}

}  // namespace lab::runner
