#pragma once

// Copies that a barrier waits for. libcu++ has them for CUDA's compiler only, although their host version serves: it
// copies at once. The headers below are read first, so that they see the compiler as it is.

#include <cuda/__barrier/aligned_size.h>
#include <cuda/__barrier/async_contract_fulfillment.h>
#include <cuda/__barrier/barrier.h>
#include <cuda/__barrier/barrier_block_scope.h>
#include <cuda/__barrier/barrier_thread_scope.h>
#include <cuda/__memcpy_async/memcpy_async_barrier.h>
#include <cuda/std/__atomic/scopes.h>
#include <cuda/std/__type_traits/void_t.h>

#include <cuda/std/cstddef>

#pragma push_macro("_CCCL_HAS_CUDA_COMPILER")
#undef _CCCL_HAS_CUDA_COMPILER
#define _CCCL_HAS_CUDA_COMPILER() 1
#include_next <cuda/__memcpy_async/memcpy_async.h>
#pragma pop_macro("_CCCL_HAS_CUDA_COMPILER")
