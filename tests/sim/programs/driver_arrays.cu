// Arrays and textures of the driver API.
// prints: array 4 x 2, 2 channels of format 32
// prints: back 10 11 20 21 30 31 | 50 51 60 61 70 71
// prints: from array to array 20 21, in device memory 60 61
// prints: texture 10 50 25, wraps 10
// prints: bytes 0.5 as numbers, 128 as integers, pitched 7
// prints: errors CUDA_ERROR_INVALID_VALUE CUDA_ERROR_INVALID_VALUE CUDA_ERROR_NOT_SUPPORTED
#include <cuda.h>

#include <cstdio>
#include <cstring>

__global__ void ask(CUtexObject texture, float* to, float x, float y) { *to = tex2D<float2>(texture, x, y).x; }
__global__ void ask_number(CUtexObject texture, float* to) { *to = tex1Dfetch<float>(texture, 1); }
__global__ void ask_integer(CUtexObject texture, float* to) { *to = tex1Dfetch<unsigned char>(texture, 1); }
__global__ void ask_pitched(CUtexObject texture, float* to) { *to = tex2D<float>(texture, 1.5f, 1.5f); }

float* result;
float told() {
  float value;
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

CUDA_MEMCPY2D copy(size_t bytes, size_t rows) {
  CUDA_MEMCPY2D c;
  std::memset(&c, 0, sizeof c);
  c.WidthInBytes = bytes, c.Height = rows;
  return c;
}

void copies(CUarray array, CUarray other, CUdeviceptr device) {
  float back[12] = {}, one[2], there[2];
  auto c = copy(24, 2);
  c.srcMemoryType = CU_MEMORYTYPE_ARRAY, c.srcArray = array;
  c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = back;
  cuMemcpy2D(&c);
  std::printf("back");
  for (int i = 0; i < 12; ++i) std::printf("%s %g", i == 6 ? " |" : "", back[i]);
  auto across = copy(8, 1);
  across.srcMemoryType = across.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  across.srcArray = array, across.srcXInBytes = 8, across.dstArray = other;
  cuMemcpy2DUnaligned(&across);
  auto from_other = copy(8, 1);
  from_other.srcMemoryType = CU_MEMORYTYPE_ARRAY, from_other.srcArray = other;
  from_other.dstMemoryType = CU_MEMORYTYPE_HOST, from_other.dstHost = one;
  cuMemcpy2D(&from_other);
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = device, c.dstPitch = 512;
  cuMemcpy2DAsync(&c, nullptr);
  auto row = copy(8, 1);
  row.srcMemoryType = CU_MEMORYTYPE_DEVICE, row.srcDevice = device, row.srcPitch = 512, row.srcXInBytes = 8,
  row.srcY = 1;
  row.dstMemoryType = CU_MEMORYTYPE_HOST, row.dstHost = there;
  cuMemcpy2D(&row);
  std::printf("\nfrom array to array %g %g, in device memory %g %g\n", one[0], one[1], there[0], there[1]);
}

void of_array(CUarray array) {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  std::memset(&resource, 0, sizeof resource);
  std::memset(&how, 0, sizeof how);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_WRAP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture;
  cuTexObjectCreate(&texture, &resource, &how, nullptr);
  std::printf("texture");
  for (const auto [x, y] : {float2{0.125f, 0.25f}, float2{0.125f, 0.75f}, float2{0.5f, 0.25f}, float2{1.125f, 0.25f}}) {
    ask<<<1, 1>>>(texture, result, x, y);
    std::printf("%s %g", x > 1 ? ", wraps" : "", told());
  }
  std::printf("\n");
  cuTexObjectDestroy(texture);
}

void of_memory(CUdeviceptr memory) {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  std::memset(&resource, 0, sizeof resource);
  std::memset(&how, 0, sizeof how);
  const unsigned char bytes[] = {0, 128, 255};
  cudaMemcpy((void*)memory, bytes, sizeof bytes, cudaMemcpyHostToDevice);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {memory, CU_AD_FORMAT_UNSIGNED_INT8, 1, sizeof bytes};
  CUtexObject numbers, integers, pitched;
  cuTexObjectCreate(&numbers, &resource, &how, nullptr);
  how.flags = CU_TRSF_READ_AS_INTEGER;
  cuTexObjectCreate(&integers, &resource, &how, nullptr);
  ask_number<<<1, 1>>>(numbers, result);
  std::printf("bytes %.1f as numbers", told());
  ask_integer<<<1, 1>>>(integers, result);
  std::printf(", %g as integers", told());
  const float seven = 7;
  cudaMemcpy((char*)memory + 512 + 4, &seven, 4, cudaMemcpyHostToDevice);
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, 2, 2, 512};
  cuTexObjectCreate(&pitched, &resource, &how, nullptr);
  ask_pitched<<<1, 1>>>(pitched, result);
  std::printf(", pitched %g\n", told());
}

const char* name(CUresult error) {
  const char* text = "";
  cuGetErrorName(error, &text);
  return text;
}

int main() {
  cudaMalloc(&result, sizeof *result);
  const CUDA_ARRAY_DESCRIPTOR what = {4, 2, CU_AD_FORMAT_FLOAT, 2};
  CUDA_ARRAY_DESCRIPTOR asked;
  CUarray array, other, none;
  cuArrayCreate(&array, &what);
  cuArrayCreate(&other, &what);
  cuArrayGetDescriptor(&asked, array);
  std::printf("array %zu x %zu, %u channels of format %d\n", asked.Width, asked.Height, asked.NumChannels,
              asked.Format);
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = 10 * (i / 2 + 1) + i % 2;
  auto c = copy(32, 2);
  c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = values;
  c.dstMemoryType = CU_MEMORYTYPE_ARRAY, c.dstArray = array;
  cuMemcpy2D(&c);
  CUdeviceptr device;
  cuMemAlloc(&device, 2048);
  copies(array, other, device);
  of_array(array);
  of_memory(device);

  const CUDA_ARRAY_DESCRIPTOR three = {4, 2, CU_AD_FORMAT_FLOAT, 3};
  const CUresult channels = cuArrayCreate(&none, &three), nothing = cuMemcpy2D(nullptr);
  CUDA_RESOURCE_DESC mipmapped;
  CUDA_TEXTURE_DESC how;
  CUtexObject texture;
  std::memset(&mipmapped, 0, sizeof mipmapped);
  std::memset(&how, 0, sizeof how);
  mipmapped.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  std::printf("errors %s %s %s\n", name(channels), name(nothing),
              name(cuTexObjectCreate(&texture, &mipmapped, &how, nullptr)));
  cuArrayDestroy(array);
  cuArrayDestroy(other);
}
