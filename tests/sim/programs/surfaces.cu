// Surfaces: reads and writes by bytes, boundary modes, and the copies that read what kernels wrote.
// prints: written 0 1 2 10 11 12
// prints: zero 0, clamp 12, kept 12
// prints: box 1011 1012 1111 1112
// prints: layers 7 207
// prints: rows 1 2 10 11
// prints: trap: an illegal memory access was encountered
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t s) {
  surf2Dwrite(static_cast<float>(10 * threadIdx.y + threadIdx.x), s, threadIdx.x * 4, threadIdx.y);
}
__global__ void edges(cudaSurfaceObject_t s, float* out) {
  out[0] = surf2Dread<float>(s, 3 * 4, 0, cudaBoundaryModeZero);
  surf2Dread(&out[1], s, 99 * 4, 99, cudaBoundaryModeClamp);
  surf2Dwrite(5.0f, s, -4, 0, cudaBoundaryModeZero);
  out[2] = surf2Dread<float>(s, 8, 1);
}
__global__ void fill_volume(cudaSurfaceObject_t s) {
  const uint3 t = threadIdx;
  surf3Dwrite(static_cast<int>(100 * t.z + 10 * t.y + t.x + 1000), s, static_cast<int>(t.x * 4), t.y, t.z);
}
__global__ void layers(cudaSurfaceObject_t s, float* out) {
  surf2DLayeredwrite(make_float2(7, static_cast<float>(200 * threadIdx.x + 7)), s, 8, 1, threadIdx.x);
  const float2 v = surf2DLayeredread<float2>(s, 8, 1, threadIdx.x);
  if (threadIdx.x == 1) out[0] = v.x, out[1] = v.y;
}
__global__ void beyond(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 12, 0); }

template <class T>
cudaArray_t make(cudaExtent extent, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore);
  return array;
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}

int main() {
  float *out, host[8];
  cudaMallocManaged(&out, 64);
  const cudaArray_t plane = make<float>(make_cudaExtent(3, 2, 0));
  const cudaSurfaceObject_t s = surface_of(plane);
  fill<<<1, dim3(3, 2)>>>(s);
  cudaMemcpy2DFromArray(host, 12, plane, 0, 0, 12, 2, cudaMemcpyDeviceToHost);
  std::printf("written %g %g %g %g %g %g\n", host[0], host[1], host[2], host[3], host[4], host[5]);
  edges<<<1, 1>>>(s, out);
  cudaDeviceSynchronize();
  std::printf("zero %g, clamp %g, kept %g\n", out[0], out[1], out[2]);

  const cudaArray_t volume = make<int>(make_cudaExtent(4, 4, 3));
  fill_volume<<<1, dim3(4, 4, 3)>>>(surface_of(volume));
  int box[4];
  cudaMemcpy3DParms copy = {};
  copy.srcArray = volume;
  copy.srcPos = make_cudaPos(1, 1, 0);
  copy.dstPtr = make_cudaPitchedPtr(box, 8, 2, 1);
  copy.extent = make_cudaExtent(2, 1, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  std::printf("box %d %d %d %d\n", box[0], box[1], box[2], box[3]);

  layers<<<1, 2>>>(surface_of(make<float2>(make_cudaExtent(2, 2, 2), cudaArrayLayered)), out);
  cudaDeviceSynchronize();
  std::printf("layers %g %g\n", out[0], out[1]);

  cudaMemcpyFromArray(host, plane, 4, 0, 8, cudaMemcpyDeviceToHost);
  cudaMemcpyFromArray(host + 2, plane, 0, 1, 8, cudaMemcpyDeviceToHost);
  std::printf("rows %g %g %g %g\n", host[0], host[1], host[2], host[3]);
  beyond<<<1, 1>>>(s);
  std::printf("trap: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
