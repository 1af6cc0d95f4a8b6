// counts: fetch 6 load global 1 4 4 0 0
// counts: fetch 7 load global 2 9 8 0 0
// counts: fetch 8 store global 1 4 4 0 0
// Each texel that a fetch reads is a load: one without a filter, two along a line with one. A surface counts likewise.
__global__ void fetch(cudaTextureObject_t point, cudaTextureObject_t linear, cudaSurfaceObject_t s) {
  float v = tex1D<float>(point, threadIdx.x);
  v += tex1D<float>(linear, threadIdx.x + 1.25f);
  surf1Dwrite(v, s, static_cast<int>(threadIdx.x) * 4);
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc in = {}, out = {};
  float values[64] = {};
  cudaMallocArray(&in.res.array.array, &format, 64);
  cudaMemcpyToArray(in.res.array.array, 0, 0, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMallocArray(&out.res.array.array, &format, 32, 0, cudaArraySurfaceLoadStore);
  cudaTextureDesc settings = {};
  settings.addressMode[0] = cudaAddressModeClamp;
  cudaTextureObject_t point, linear;
  cudaSurfaceObject_t s;
  cudaCreateTextureObject(&point, &in, &settings, nullptr);
  settings.filterMode = cudaFilterModeLinear;
  cudaCreateTextureObject(&linear, &in, &settings, nullptr);
  cudaCreateSurfaceObject(&s, &out);
  fetch<<<1, 32>>>(point, linear, s);
  return cudaDeviceSynchronize();
}
