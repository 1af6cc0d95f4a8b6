#include "advice.hpp"

namespace lab::sim {

namespace {

struct advice {
  std::string_view kind, space, words;  // an empty space stands for all others
};

constexpr advice all[] = {
    {"race", "shared",
     "Let all threads of the block meet at a __syncthreads(), or a warp at a __syncwarp(), between the two accesses."},
    {"race", "", "Give every element one writer, use an atomic operation, or split the work into two launches."},
    {"out_of_bounds", "global", "Compare the index with the array's extent before the access."},
    {"out_of_bounds", "", "Compare each index with the extent that the array is declared with, or launched with."},
    {"use_after_free", "", "Free memory when the last kernel that uses it has finished."},
    {"host_pointer", "", "Give kernels device memory: allocate with cudaMalloc and copy with cudaMemcpy."},
    {"device_pointer", "", "Copy to the host with cudaMemcpy first, and use the copy."},
    {"uninitialized_read", "shared",
     "Store something into every element that is read, also past the edge of the data."},
    {"uninitialized_read", "", "Give the memory a value first: cudaMalloc clears nothing, cudaMemset does."},
    {"misaligned", "", "Access 8 or 16 bytes at once only where the address is a multiple of as many."},
    {"divergent_barrier", "", "Move the barrier out of the branch, so that all threads of the block come to it."},
    {"invalid_sync_mask", "", "Name in the mask just the lanes that come to this call."},
    {"launch_error", "", "Check the grid, the block and the shared memory against the device's limits."},
    {"missing_synchronization", "",
     "Wait with cudaDeviceSynchronize() or cudaStreamSynchronize() before the host looks."},
    {"livelock", "", "Let no block wait for another: blocks start in any order; launch cooperatively, or twice."},
    {"constant_write", "", "Fill constants from the host with cudaMemcpyToSymbol, and store results elsewhere."},
    {"schedule_dependent", "", "Look at the races reported with it, else for what depends on who comes first."},
    {"leak", "", "Give every cudaMalloc its cudaFree."},
};

}  // namespace

std::string_view advice_on(std::string_view kind, std::string_view space) {
  for (const auto& a : all)
    if (a.kind == kind && (a.space.empty() || a.space == space)) return a.words;
  return "";
}

}  // namespace lab::sim
