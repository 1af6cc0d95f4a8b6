// hazard: none
// One kernel writes an array through a surface, the next one reads it through a texture.
__global__ void fill(cudaSurfaceObject_t s) {
  surf2Dwrite(static_cast<float>(threadIdx.x), s, static_cast<int>(threadIdx.x) * 4, threadIdx.y);
}
__global__ void read(cudaTextureObject_t t, float* out) {
  out[threadIdx.y * 16 + threadIdx.x] = tex2D<float>(t, threadIdx.x + 1.0f, threadIdx.y + 1.0f);
}
int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float* out;
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc linear = {};
  linear.addressMode[0] = linear.addressMode[1] = cudaAddressModeClamp;
  linear.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t t;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &resource);
  cudaCreateTextureObject(&t, &resource, &linear, nullptr);
  const dim3 all(16, 16);
  fill<<<1, all>>>(s);
  read<<<1, all>>>(t, out);
  cudaDestroyTextureObject(t);
  cudaDestroySurfaceObject(s);
  cudaFreeArray(array);
  return cudaFree(out);
}
