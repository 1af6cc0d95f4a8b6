// hazard: error out_of_bounds 5 0
__global__ void scale(float* a, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= rows || y >= columns) return;
  a[y * columns + x] = 2;
}
int main() {
  float* a;
  cudaMalloc(&a, 10 * 30 * sizeof(float));
  scale<<<dim3(2, 2), dim3(16, 16)>>>(a, 10, 30);
  return 0;
}
