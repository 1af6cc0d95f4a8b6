// hazard: error race 10 10
// hazard: error race 13 14
// hazard: warning race 18 20
// hazard: warning race 19 20
// hazard: error race 23 23
// says: only one of the two values remains
// says: no __syncthreads() separates the two accesses
// says: not even __syncwarp()
// says: blocks run in any order: use atomics or a second launch
__global__ void stored_twice(int* out) { out[threadIdx.x / 2] = threadIdx.x; }
__global__ void no_barrier(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void same_warp(int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = 0;
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = values[31 - threadIdx.x];
}
__global__ void between_blocks(int* out) {
  if (threadIdx.x == 0) out[0] = out[0] + 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  cudaMemset(out, 0, 256);
  stored_twice<<<1, 64>>>(out);
  no_barrier<<<1, 64>>>(out);
  same_warp<<<1, 32>>>(out);
  between_blocks<<<4, 32>>>(out);
  return cudaDeviceSynchronize();
}
