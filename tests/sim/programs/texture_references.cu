// strict: clang has no texture references, which CUDA 12 removed
// Texture references of older programs: linear and pitched memory, arrays, normalized reads, both forms of binding.
// prints: linear 3 5, offset 0
// prints: part 3, offset 16, without one cudaErrorInvalidValue
// prints: pitched 11, array 1.50
// prints: normalized 0.50
// prints: rebound 40
// prints: unbound 0
#include <cstdio>

texture<float, 1, cudaReadModeElementType> values;
texture<int4> quads;
static texture<float, cudaTextureType2D> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes(1, cudaFilterModePoint, cudaAddressModeClamp);

__device__ float out[4];

__global__ void linear() { out[0] = tex1Dfetch(values, 3), out[1] = tex1Dfetch(quads, 1).y; }
__global__ void two() { out[0] = tex2D(plane, 1.0f, 1.0f); }
__global__ void normalized() { out[0] = tex2D(bytes, 0.9f, 0.1f); }

template <class F>
void run(F kernel, float* host) {
  kernel<<<1, 1>>>();
  cudaMemcpyFromSymbol(host, out, sizeof out);
}

int main() {
  float numbers[32], host[4];
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  const int4 integers[2] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  float* memory;
  int4* four;
  cudaArray* array;
  size_t offset = 1;
  cudaMalloc(&memory, sizeof numbers);
  cudaMalloc(&four, sizeof integers);
  cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemcpy(four, integers, sizeof integers, cudaMemcpyHostToDevice);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaBindTexture(&offset, values, memory, format, sizeof numbers);
  cudaBindTexture(0, quads, four);
  run(linear, host);
  printf("linear %g %g, offset %zu\n", host[0], host[1], offset);
  const cudaError_t refused = cudaBindTexture(NULL, &values, memory + 4, &format, 16);
  cudaBindTexture(&offset, &values, memory + 4, &format, 16);
  run(linear, host);
  printf("part %g, offset %zu, without one %s\n", host[0], offset, cudaGetErrorName(refused));
  cudaBindTexture2D(0, plane, memory, format, 8, 3, 40);
  plane.filterMode = cudaFilterModePoint;
  if (cudaBindTexture2D(0, plane, memory, format, 8, 3, 32) != cudaSuccess) return 1;
  run(two, host);
  printf("pitched %g", host[0] + 2);
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpyToArray(array, 0, 0, numbers, 16, cudaMemcpyHostToDevice);
  plane.filterMode = cudaFilterModeLinear;
  cudaBindTextureToArray(plane, array, format);
  run(two, host);
  printf(", array %.2f\n", host[0]);
  unsigned char pixels[4] = {0, 128, 0, 0};
  cudaArray* image;
  cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&image, &of_bytes, 2, 2);
  cudaMemcpyToArray(image, 0, 0, pixels, 4, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(bytes, image);
  run(normalized, host);
  printf("normalized %.2f\n", host[0]);
  numbers[3] = 40;
  cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaBindTexture(0, values, memory);
  run(linear, host);
  printf("rebound %g\n", host[0]);
  printf("unbound %d\n", cudaUnbindTexture(values));
  return 0;
}
