// counts: wide 8 load global 1 16 16 0 0
// counts: wide 8 store global 1 16 16 0 0
// counts: pairs 11 load global 1 8 8 0 0
// counts: pairs 11 store global 1 8 8 0 0
// counts: bytes 14 load global 1 1 1 0 0
// counts: bytes 14 store global 1 1 1 0 0
__global__ void wide(const float4* a, float4* out) {
  out[threadIdx.x] = a[threadIdx.x];
}
__global__ void pairs(const double* a, double* out) {
  out[threadIdx.x] = 2 * a[threadIdx.x];
}
__global__ void bytes(const char* a, char* out) {
  out[threadIdx.x] = a[threadIdx.x];
}
int main() {
  void *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 512);
  wide<<<1, 32>>>(static_cast<float4*>(in), static_cast<float4*>(out));
  pairs<<<1, 32>>>(static_cast<double*>(in), static_cast<double*>(out));
  bytes<<<1, 32>>>(static_cast<char*>(in), static_cast<char*>(out));
  return cudaDeviceSynchronize();
}
