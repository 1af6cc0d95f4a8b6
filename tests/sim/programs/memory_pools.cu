// Memory pools: attributes, what is in use, and allocations from a pool of one's own.
// prints: used 4096, most 4096, sum 496
// prints: freed: used 0, reset 0
// prints: threshold 18446744073709551615, reuse 1
// prints: own pool: used 1024, default 0
// prints: current 1, after destroying 1
// prints: errors 1 1 101
#include <cstdint>
#include <cstdio>

__global__ void add(const int* in, int* sum) { atomicAdd(sum, in[threadIdx.x]); }

uint64_t asked(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  cudaMemPoolGetAttribute(pool, attribute, &value);
  return value;
}

int main() {
  cudaMemPool_t standard, own, current;
  cudaDeviceGetDefaultMemPool(&standard, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int values[32], *d, *sum, result = 0;
  for (int i = 0; i < 32; ++i) values[i] = i;
  cudaMallocAsync(&d, 4096 - sizeof(int), stream);
  cudaMallocAsync(&sum, sizeof(int), stream);
  cudaMemcpyAsync(d, values, sizeof values, cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(sum, 0, sizeof(int), stream);
  add<<<1, 32, 0, stream>>>(d, sum);
  cudaMemcpyAsync(&result, sum, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("used %d, most %d, sum %d\n", static_cast<int>(asked(standard, cudaMemPoolAttrUsedMemCurrent)),
              static_cast<int>(asked(standard, cudaMemPoolAttrUsedMemHigh)), result);
  cudaFreeAsync(d, stream);
  cudaFreeAsync(sum, stream);
  cudaStreamSynchronize(stream);
  std::printf("freed: used %d", static_cast<int>(asked(standard, cudaMemPoolAttrUsedMemCurrent)));
  uint64_t zero = 0, all = UINT64_MAX;
  cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &zero);
  std::printf(", reset %d\n", static_cast<int>(asked(standard, cudaMemPoolAttrUsedMemHigh)));
  cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &all);
  const int* read_only = nullptr;  // CUDA takes pointers to constants, too
  cudaMalloc(&read_only, 4);
  int reuse = 0;
  cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
  std::printf("threshold %llu, reuse %d\n",
              static_cast<unsigned long long>(asked(standard, cudaMemPoolAttrReleaseThreshold)), reuse);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPoolCreate(&own, &properties);
  cudaMallocFromPoolAsync(&d, 512, own, stream);
  cudaMallocAsync(&sum, 512, own, stream);
  std::printf("own pool: used %d, default %d\n", static_cast<int>(asked(own, cudaMemPoolAttrUsedMemCurrent)),
              static_cast<int>(asked(standard, cudaMemPoolAttrUsedMemCurrent)));
  cudaFreeAsync(d, stream);
  cudaFreeAsync(sum, stream);
  cudaDeviceSetMemPool(0, own);
  cudaDeviceGetMemPool(&current, 0);
  std::printf("current %d", current == own);
  cudaMemPoolDestroy(own);
  cudaDeviceGetMemPool(&current, 0);
  std::printf(", after destroying %d\n", current == standard);
  const int destroyed = cudaMallocFromPoolAsync(&d, 512, own, stream), twice = cudaMemPoolDestroy(own),
            device = cudaDeviceGetDefaultMemPool(&current, 7);
  std::printf("errors %d %d %d\n", destroyed, twice, device);
}
