#pragma once

#include <string>

#include "cuda_runtime_api.h"

// What other calls that move memory share with cudaMemcpy2D and cudaMemset2D.

namespace lab::sim {

/// What a copy or a fill belongs to: its stream, and its place in host code.
struct origin {
  cudaStream_t stream;
  const void* pc;
};

/// Refuses the call, and says why in the report.
cudaError_t refuse_copy(const std::string& why, const void* pc);
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const origin& by);
/// Fills with a value of 1, 2 or 4 bytes.
cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const origin& by, std::size_t element = 1);
/// The host waits for a copy from or to its memory, but not for a copy within the device.
void wait_for_copy(const void* to, const void* from);

}  // namespace lab::sim
