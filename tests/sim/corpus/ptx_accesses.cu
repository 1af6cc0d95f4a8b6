// hazard: error race 11 13
// hazard: error out_of_bounds 14 0
// Loads and stores in inline PTX are accesses as any other.
__global__ void shift(float4* to, const float4* from, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const auto here = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  const float4* p = from + i;
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(here), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w));
  const auto there = static_cast<unsigned>(__cvta_generic_to_shared(&tile[63 - threadIdx.x]));
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(there));
  asm volatile("st.global.f32 [%0], %1;" ::"l"(to + i + n), "f"(v.x));
}
int main() {
  float4 *to, *from;
  cudaMalloc(&to, 128 * sizeof(float4));
  cudaMalloc(&from, 128 * sizeof(float4));
  cudaMemset(from, 0, 128 * sizeof(float4));
  shift<<<2, 64>>>(to, from, 1);
  return cudaDeviceSynchronize();
}
