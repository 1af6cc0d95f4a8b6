// hazard: error uninitialized_read 4 0
// The copy fills one of two rows.
__global__ void read(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f);
}
int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float *out, values[32] = {};
  cudaMalloc(&out, sizeof values);
  cudaMallocArray(&array, &format, 32, 2);
  cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc point = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &point, nullptr);
  read<<<1, 32>>>(t, out);
  return 0;
}
