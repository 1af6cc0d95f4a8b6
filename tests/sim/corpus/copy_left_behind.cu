// hazard: none
// A kernel that fetches a tile too many ends before the copy arrives. The next kernel has no dynamic shared memory.
#include <cuda_pipeline.h>

__global__ void doubled(const float* in, float* out) {
  extern __shared__ float tiles[];
  __pipeline_memcpy_async(&tiles[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&tiles[8192 + threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = 2 * tiles[threadIdx.x];
}

__global__ void halved(float* out) { out[threadIdx.x] /= 2; }

int main() {
  const int bytes = (8192 + 32) * sizeof(float);
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  doubled<<<1, 32, bytes>>>(in, out);
  halved<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
