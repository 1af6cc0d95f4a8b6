// hazard: error out_of_bounds 4 0
// One column too many; the boundary mode is the default, cudaBoundaryModeTrap.
__global__ void fill(cudaSurfaceObject_t s) {
  surf2Dwrite(1.0f, s, static_cast<int>(threadIdx.x * sizeof(float)), 0);
}
int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 31, 2, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &resource);
  fill<<<1, 32>>>(s);
  return 0;
}
