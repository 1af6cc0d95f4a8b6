// hazard: error use_after_free 4 0
// The texture object outlives the memory that it shows.
__global__ void read(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 128);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 128;
  const cudaTextureDesc point = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &point, nullptr);
  cudaFree(in);
  read<<<1, 32>>>(t, out);
  return 0;
}
