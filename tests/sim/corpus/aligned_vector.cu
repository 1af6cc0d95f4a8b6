// hazard: none
__global__ void copy(const float* in, float4* out) {
  out[threadIdx.x] = reinterpret_cast<const float4*>(in + 4)[threadIdx.x];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 1024);
  copy<<<1, 32>>>(in, reinterpret_cast<float4*>(out));
  return cudaDeviceSynchronize();
}
