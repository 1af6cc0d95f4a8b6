#include "lab_sim/api/tensor_maps.h"

#include <cstring>

#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/memory/tensor_map.hpp"

using namespace lab::sim;

namespace {

unsigned element_bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 4;
  }
}

bool is_legal(const tensor_map& m) {
  if (reinterpret_cast<std::uintptr_t>(m.base) % 16 != 0) return false;
  const unsigned row = m.row_bytes(), widest = m.swizzle == 0 ? ~0u : 16u << m.swizzle;
  if (row % 16 != 0 || row > widest) return false;
  for (unsigned d = 0; d < m.rank; ++d)
    if (m.extents[d] == 0 || m.extents[d] > (std::uint64_t{1} << 32) || m.box[d] == 0 || m.box[d] > 256 ||
        (d > 0 && m.strides[d] % 16 != 0))
      return false;
  return true;
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* base,
                                const cuuint64_t* extents, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  if (!map || !base || !extents || !box || !element_strides || rank < 1 || rank > 5 || (rank > 1 && !strides))
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  if (swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return CUDA_ERROR_NOT_SUPPORTED;
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return CUDA_ERROR_NOT_SUPPORTED;
  tensor_map made{};
  made.mark = tensor_map::right;
  made.rank = static_cast<std::uint8_t>(rank);
  made.element_bytes = static_cast<std::uint8_t>(element_bytes_of(type));
  made.swizzle = static_cast<std::uint8_t>(swizzle);
  made.base = static_cast<const char*>(base);
  for (cuuint32_t d = 0; d < rank; ++d) {
    if (element_strides[d] != 1) return CUDA_ERROR_NOT_SUPPORTED;
    if (box[d] > 256) return CUDA_ERROR_INVALID_VALUE;
    made.extents[d] = extents[d];
    made.strides[d] = d == 0 ? made.element_bytes : strides[d - 1];
    made.box[d] = static_cast<std::uint16_t>(box[d]);
  }
  if (!is_legal(made)) return CUDA_ERROR_INVALID_VALUE;
  std::memset(map, 0, sizeof *map);
  std::memcpy(map, &made, sizeof made);
  return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  return call([&] {
    if (!name || !function) return cudaErrorInvalidValue;
    const bool known = std::strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *function = known ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
    if (found) *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* found) {
  return cudaGetDriverEntryPointByVersion(name, function, 12000, flags, found);
}
