// counts: product 13 load global 512 2048 2048 0 0
// counts: product 13 store shared 512 0 0 512 512
// counts: product 14 load global 512 2048 2048 0 0
// counts: product 14 store shared 512 0 0 512 512
// counts: product 17 load shared 16384 0 0 16384 16384
// counts: product 20 store global 128 512 512 0 0
constexpr int tile = 16;
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float s[tile][tile], t[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += s[threadIdx.y][i] * t[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
int main() {
  const int n = 64;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemset(a, 0, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  product<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
  return cudaDeviceSynchronize();
}
