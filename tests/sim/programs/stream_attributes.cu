// prints: created with priority -2
// prints: priority -3, hit ratio 0.5 of 4096 bytes
// prints: copied: hit ratio 0.5
// prints: unknown attribute: cudaErrorInvalidValue
#include <cuda.h>

#include <cstdio>

// Names of the driver that programs and their headers use beside the runtime's.
static_assert(sizeof(CUtexObject) == 8 && sizeof(CUsurfObject) == 8 && sizeof(CUdeviceptr) == sizeof(void*));
[[maybe_unused]] static CUdevice device = 0;
[[maybe_unused]] static CUcontext context = nullptr;
[[maybe_unused]] static CUmodule module_of_driver = nullptr;
[[maybe_unused]] static CUfunction function_of_driver = nullptr;

int main() {
  cudaStream_t stream, other;
  cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -2);
  cudaStreamCreate(&other);
  int created = 0;
  cudaStreamGetPriority(stream, &created);
  std::printf("created with priority %d\n", created);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  cudaStreamAttrID id = cudaStreamAttributeAccessPolicyWindow;
  cudaStreamSetAttribute(stream, id, &value);
  cudaStreamAttrValue priority{}, window{};
  priority.priority = -3;
  cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &priority);
  priority.priority = 0;
  cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &priority);
  cudaStreamGetAttribute(stream, id, &window);
  std::printf("priority %d, hit ratio %.1f of %zu bytes\n", priority.priority, window.accessPolicyWindow.hitRatio,
              window.accessPolicyWindow.num_bytes);
  window = {};
  cudaStreamCopyAttributes(other, stream);
  cudaStreamGetAttribute(other, id, &window);
  std::printf("copied: hit ratio %.1f\n", window.accessPolicyWindow.hitRatio);
  std::printf("unknown attribute: %s\n",
              cudaGetErrorName(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value)));
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
}
