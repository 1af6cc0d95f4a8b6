// clock: kernel, honest
// Works tile by tile through its own memory, in two streams, with constants: all operations that a record can contain.
#include "lab.hpp"

__constant__ int offsets[2];

// Rows [first, last) of `in` become columns of `out`.
__global__ void part(const int* in, int* out, int rows, int cols, const int* bounds) {
  __shared__ int shared[32][33];
  const int first = bounds[0] + offsets[0], last = bounds[1] + offsets[1];
  const int col = blockIdx.x * 32 + threadIdx.x, top = first + blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (top + j < last && col < cols) shared[j][threadIdx.x] = in[(top + j) * cols + col];
  __syncthreads();
  const int out_col = top + threadIdx.x, left = blockIdx.x * 32;
  for (int j = threadIdx.y; j < 32; j += 8)
    if (left + j < cols && out_col < last) out[(left + j) * rows + out_col] = shared[threadIdx.x][j];
}

void transpose(const int* in, int* out, int rows, int cols) {
  const int none[2] = {0, 0}, half = (rows / 2 + 31) / 32 * 32;
  const int bounds[3] = {0, half < rows ? half : rows, rows};
  int* on_device = nullptr;
  cudaStream_t side;
  cudaEvent_t ready, done;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMalloc(&on_device, sizeof bounds);
  cudaMemcpyToSymbol(offsets, none, sizeof none);
  cudaMemsetAsync(on_device, 0, sizeof bounds);
  cudaMemcpy(on_device, bounds, sizeof bounds, cudaMemcpyHostToDevice);
  cudaEventRecord(ready, 0);
  cudaStreamWaitEvent(side, ready, 0);
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  part<<<grid, dim3(32, 8)>>>(in, out, rows, cols, on_device);
  part<<<grid, dim3(32, 8), 0, side>>>(in, out, rows, cols, on_device + 1);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(0, done, 0);
  cudaStreamSynchronize(0);
  cudaFree(on_device);
  cudaEventDestroy(ready);
  cudaEventDestroy(done);
  cudaStreamDestroy(side);
}
