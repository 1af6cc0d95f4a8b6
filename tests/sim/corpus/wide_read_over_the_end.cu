// hazard: error out_of_bounds 3 0
__global__ void copy(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
int main() {
  float4 *in, *out;
  cudaMalloc(&in, 124);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 124);
  copy<<<1, 8>>>(in, out);
  return 0;
}
