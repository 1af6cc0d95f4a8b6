// hazard: error out_of_bounds 3 0
// The values that the second kernel reads and writes may be wrong because of the first.
__global__ void writes_too_far(int* values) { values[threadIdx.x + 1] = 1; }
__global__ void races(int* values) { values[0] = threadIdx.x; }
int main() {
  int* values;
  cudaMalloc(&values, 128 * sizeof(int));
  writes_too_far<<<1, 128>>>(values);
  races<<<1, 128>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess;
}
