#include "advice.hpp"

namespace lab::sim {

namespace {

struct advice {
  std::string_view kind, space, words;  // an empty space stands for all others
};

constexpr advice all[] = {
    {"race", "shared",
     "Put a __syncthreads() that all threads of the block reach between the two accesses; where many threads add to "
     "one element, use an atomic operation."},
    {"race", "", "Give every element one writer, use an atomic operation, or split the work into two launches."},
    {"out_of_bounds", "global",
     "Compare the index with the array's extent before the access: the last block is rarely full."},
    {"out_of_bounds", "", "Compare the index with the array's declared extents: each of its own, not just the total."},
    {"use_after_free", "", "Free memory only when the last kernel that uses it has finished."},
    {"host_pointer", "", "A kernel sees device memory only: allocate with cudaMalloc and copy with cudaMemcpy."},
    {"device_pointer", "", "Host code must not read or write through a device pointer: copy with cudaMemcpy first."},
    {"uninitialized_read", "shared",
     "Shared memory begins with garbage: store something into every element that is read, also past the edge of the "
     "data."},
    {"uninitialized_read", "constant",
     "Copy the whole array with cudaMemcpyToSymbol before the launch, and check what it returns."},
    {"uninitialized_read", "",
     "cudaMalloc clears nothing: store the first value with = before anything reads or adds to it."},
    {"misaligned", "",
     "An access of 8 or 16 bytes needs an address that is a multiple of its size: check the row length and the "
     "offset."},
    {"divergent_barrier", "",
     "Move the barrier out of the branch: threads without data may skip the work, but not the barrier."},
    {"invalid_sync_mask", "", "The mask must name just the lanes that come to this call."},
    {"launch_error", "",
     "Compare the numbers with the limits: nothing may be zero, a block has at most 1024 threads, and 48 KB of shared "
     "memory unless cudaFuncSetAttribute raises that."},
    {"missing_synchronization", "", "Wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize() for one stream."},
    {"livelock", "", "Split the work into two launches: the second begins when all blocks of the first have ended."},
    {"constant_write", "",
     "Fill constants from the host with cudaMemcpyToSymbol before the launch, and store results elsewhere."},
    {"schedule_dependent", "", "Look at the races that are reported with it; without any, look for atomics on floats."},
    {"leak", "", "Give every cudaMalloc its cudaFree."},
};

}  // namespace

std::string_view advice_on(std::string_view kind, std::string_view space) {
  for (const auto& a : all)
    if (a.kind == kind && (a.space.empty() || a.space == space)) return a.words;
  return "";
}

}  // namespace lab::sim
