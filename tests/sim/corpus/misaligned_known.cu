// hazard: error misaligned 9 0
// hazard: error misaligned 15 0
// hazard: error misaligned 21 0
// The compiler itself knows that these addresses are misaligned.
__device__ int numbers[4];
// A fault ends a kernel, so each kernel has one.
__global__ void store_to_a_variable(int n) {
  // One byte too far.
  *(int*)((char*)&numbers + 1) = n;
}
__global__ void load_from_shared_memory(int* out) {
  __shared__ __align__(8) char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[i] = i;
  // No multiple of 8.
  out[1] = *(long long*)(bytes + 4);
}
__global__ void load_from_a_local_array(int* out, int n) {
  alignas(4) char bytes[12];
  for (int i = 0; i < 8 * n; ++i) bytes[i] = n + i;
  // No multiple of 4.
  out[2] = *(int*)(bytes + n);
}
int main() {
  int* out;
  cudaMalloc(&out, 64);
  store_to_a_variable<<<1, 1>>>(1);
  load_from_shared_memory<<<1, 1>>>(out);
  load_from_a_local_array<<<1, 1>>>(out, 1);
  return 0;
}
