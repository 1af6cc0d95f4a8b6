// hazard: error misaligned 4 0
// x of a surface counts bytes, not elements.
__global__ void fill(cudaSurfaceObject_t s) {
  surf2Dwrite(1.0f, s, threadIdx.x, 0);
}
int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 32, 2, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &resource);
  fill<<<1, 32>>>(s);
  return 0;
}
