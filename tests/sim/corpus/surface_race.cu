// hazard: error race 4 5
// Each thread reads its neighbour's element while that thread writes it.
__global__ void shift(cudaSurfaceObject_t s) {
  const int left = surf1Dread<int>(s, static_cast<int>(threadIdx.x) * 4, cudaBoundaryModeZero);
  surf1Dwrite(left, s, static_cast<int>(threadIdx.x + 1) * 4, cudaBoundaryModeZero);
}
int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 64, 0, cudaArraySurfaceLoadStore);
  int values[64] = {};
  cudaMemcpyToArray(array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t s;
  cudaCreateSurfaceObject(&s, &resource);
  shift<<<1, 64>>>(s);
  return 0;
}
