// hazard: none
__global__ void reverse(int4* data) {
  __shared__ int4 tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  int4* data;
  cudaMalloc(&data, 64 * sizeof(int4));
  cudaMemset(data, 1, 64 * sizeof(int4));
  reverse<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
