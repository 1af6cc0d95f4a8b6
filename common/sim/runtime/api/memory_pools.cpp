#include "sim/runtime/api/memory_pools.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/devices.hpp"

struct CUmemPoolHandle_st {
  int reuse[4] = {0, 1, 1, 1};  // by attribute
  std::uint64_t threshold = 0, used = 0, most = 0;
};

namespace lab::sim::pools {

namespace {

struct piece {
  cudaMemPool_t pool;
  std::size_t bytes;
};

struct pool_table {
  std::mutex guard;
  CUmemPoolHandle_st standard, graphs;
  cudaMemPool_t current = &standard;
  std::set<cudaMemPool_t> created;
  std::map<const void*, piece> pieces;
};

pool_table& pools() {
  static auto* const the = new pool_table;  // never destroyed: a destructor may still free memory
  return *the;
}

bool is_pool(cudaMemPool_t pool) { return pool == &pools().standard || pools().created.contains(pool); }
bool is_kept(cudaMemPool_t pool) { return is_pool(pool) || pool == &pools().graphs; }

cudaError_t read(const CUmemPoolHandle_st& p, cudaMemPoolAttr attribute, void* value) {
  const auto number = [&](std::uint64_t n) { return *static_cast<std::uint64_t*>(value) = n, cudaSuccess; };
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return number(p.threshold);
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      return number(p.used);
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return number(p.most);
    default:
      if (attribute < 1 || attribute > 3) return cudaErrorInvalidValue;
      return *static_cast<int*>(value) = p.reuse[attribute], cudaSuccess;
  }
}

// Marks of the most memory can only be reset to 0, and what is in use cannot be set.
cudaError_t write(CUmemPoolHandle_st& p, cudaMemPoolAttr attribute, const void* value) {
  const auto& number = *static_cast<const std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      return p.threshold = number, cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      return number == 0 ? (p.most = p.used, cudaSuccess) : cudaErrorInvalidValue;
    default:
      if (attribute < 1 || attribute > 3) return cudaErrorInvalidValue;
      return p.reuse[attribute] = *static_cast<const int*>(value), cudaSuccess;
  }
}

// Does something with an existing pool.
template <class Action>
cudaError_t with_pool(cudaMemPool_t pool, Action action) {
  return call([&] {
    const std::lock_guard lock{pools().guard};
    return is_pool(pool) ? action(*pool) : cudaErrorInvalidValue;
  });
}

template <class Action>
cudaError_t with_device(int device, Action action) {
  return call([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    const std::lock_guard lock{pools().guard};
    return action(pools());
  });
}

}  // namespace

bool exists(cudaMemPool_t pool) {
  const std::lock_guard lock{pools().guard};
  return is_pool(pool);
}

void allocated(cudaMemPool_t pool, const void* pointer, std::size_t bytes) {
  auto& all = pools();
  const std::lock_guard lock{all.guard};
  if (!pool) pool = all.current;
  all.pieces[pointer] = {pool, bytes};
  pool->most = std::max(pool->most, pool->used += bytes);
}

cudaMemPool_t of_graphs() { return &pools().graphs; }

cudaError_t read_of_graphs(cudaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock{pools().guard};
  return read(pools().graphs, attribute, value);
}

cudaError_t write_of_graphs(cudaMemPoolAttr attribute, const void* value) {
  const std::lock_guard lock{pools().guard};
  return write(pools().graphs, attribute, value);
}

void freed(const void* pointer) {
  auto& all = pools();
  const std::lock_guard lock{all.guard};
  const auto at = all.pieces.find(pointer);
  if (at == all.pieces.end()) return;
  if (is_kept(at->second.pool)) at->second.pool->used -= at->second.bytes;
  all.pieces.erase(at);
}

}  // namespace lab::sim::pools

using namespace lab::sim;
using namespace lab::sim::pools;

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&] {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->location.type != cudaMemLocationTypeDevice || !is_device(properties->location.id))
      return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone) {
      set_detail(hazard_kind::launch_error, "the simulator does not support memory shared between processes");
      return cudaErrorNotSupported;
    }
    const std::lock_guard lock{pools::pools().guard};
    *pool = new CUmemPoolHandle_st;
    pools::pools().created.insert(*pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return with_pool(pool, [&](CUmemPoolHandle_st& p) {
    auto& all = pools::pools();
    if (&p == &all.standard) return cudaErrorInvalidValue;
    if (all.current == &p) all.current = &all.standard;
    all.created.erase(&p);  // its allocations stay
    std::erase_if(all.pieces, [&](const auto& one) { return one.second.pool == &p; });
    delete &p;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](auto& p) { return value ? write(p, attribute, value) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](auto& p) { return value ? read(p, attribute, value) : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return with_pool(pool, [](auto&) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) {
  return with_pool(pool, [&](auto&) {
    for (std::size_t i = 0; i < count; ++i)
      if (!is_device(access[i].location.id) || access[i].flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return with_pool(pool, [&](auto&) {
    if (!flags || !location || !is_device(location->id)) return cudaErrorInvalidValue;
    return *flags = cudaMemAccessFlagsProtReadWrite, cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return with_device(device,
                     [&](auto& all) { return pool ? (*pool = &all.standard, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return with_device(device,
                     [&](auto& all) { return pool ? (*pool = all.current, cudaSuccess) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return with_device(
      device, [&](auto& all) { return is_pool(pool) ? (all.current = pool, cudaSuccess) : cudaErrorInvalidValue; });
}
