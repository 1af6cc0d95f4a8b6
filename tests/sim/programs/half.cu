// prints: copied 3 3, filled 0 3
// prints: rounding 1.00097656 2048 65504 inf 5.96046448e-08 0 nan
// prints: all 63488 numbers come back, 0 wrong
// prints: sum 3.5 product 3 quotient 0.333251953 fused 4.5 saturated 1
// prints: bits 3c00 int 3 -4 2 root 1.41 exp 2.72
// prints: double rounded once 1.000976562
// prints: pair 4 6, less 1 0, swapped 3 1
// prints: shuffled 31 largest 31 atomic 496 pair atomic 32 64
// prints: bfloat16 1.0078125 256 3.38953139e+38 inf sum 3 pair 1.5 2.5
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
__global__ void functions() {
  const half h = 2.5f, a = 1.5f, b = 2.f, three = 3.f;
  printf("sum %g product %g quotient %.9g fused %g saturated %g\n", static_cast<double>(__half2float(a + b)),
         static_cast<double>(__half2float(__hmul(a, b))),
         static_cast<double>(__half2float(__hdiv(__float2half(1.f), three))),
         static_cast<double>(__half2float(__hfma(a, b, a))), static_cast<double>(__half2float(__hadd_sat(a, b))));
  printf("bits %x int %d %d %d root %.2f exp %.2f\n", __half_as_ushort(__float2half(1.f)), __half2int_ru(h),
         __half2int_rd(-h) - 1, __half2int_rn(h), static_cast<double>(__half2float(hsqrt(__float2half(2.f)))),
         static_cast<double>(__half2float(hexp(__float2half(1.f)))));
}
// The C library's functions for arrays of halves, whose type is the simulator's.
__global__ void copied(half* in, int n) {
  half own[3];
  memcpy(own, in, n * sizeof(half));
  memmove(in + 1, own, n * sizeof(half));
  memset(in, 0, (n - 1) * sizeof(half));
}
__global__ void warp(half* in, half* out, half2* pairs, int* wrong) {
  const int t = threadIdx.x;
  in[t] = __int2half_rn(t);
  half most = in[t];
  for (int k = 16; k > 0; k /= 2) most = __hmax(most, __shfl_xor_sync(~0u, most, k));
  const half left = __shfl_sync(~0u, in[t], 31);
  if (t == 0) out[0] = left, out[1] = most;
  atomicAdd(&out[2], in[t]);
  atomicAdd(pairs, __floats2half2_rn(1.f, 2.f));
  for (unsigned bits = t; bits < 65536; bits += 32) {
    if ((bits & 0x7c00) == 0x7c00) continue;
    const half h = __ushort_as_half(static_cast<unsigned short>(bits));
    if (__half_as_ushort(__float2half(__half2float(h))) != bits) atomicAdd(wrong, 1);
  }
}
int main() {
  const float steps[] = {1.0009f, 2048.9f, 65519.f, 65520.f, 5e-8f, 2e-8f, nanf("")};
  half *values, local[2] = {3.f, 5.f};
  cudaMallocManaged(&values, 4 * sizeof(half));
  memcpy(values, local, sizeof local);
  std::printf("copied %g", static_cast<double>(__half2float(values[0])));
  copied<<<1, 1>>>(values, 2);
  cudaDeviceSynchronize();
  std::printf(" %g, filled %g %g\n", static_cast<double>(__half2float(values[1])),
              static_cast<double>(__half2float(values[0])), static_cast<double>(__half2float(values[1])));
  std::printf("rounding");
  for (const float f : steps) std::printf(" %.9g", static_cast<double>(std::fabs(__half2float(__float2half(f)))));
  half *in, *out;
  half2* pairs;
  int* wrong;
  cudaMallocManaged(&in, 32 * sizeof(half));
  cudaMallocManaged(&out, 4 * sizeof(half));
  cudaMallocManaged(&pairs, sizeof(half2));
  cudaMallocManaged(&wrong, sizeof(int));
  *wrong = 0;
  out[2] = __float2half(0.f);
  *pairs = __float2half2_rn(0.f);
  warp<<<1, 32>>>(in, out, pairs, wrong);
  cudaDeviceSynchronize();
  std::printf("\nall %d numbers come back, %d wrong\n", 65536 - 2048, *wrong);
  const half three = 3.f;
  functions<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("double rounded once %.10g\n", static_cast<double>(__half2float(__double2half(1 + 0x1p-11 + 0x1p-40))));
  half2 p = __floats2half2_rn(1.f, 3.f);
  p += __halves2half2(three, three);
  const half2 less = __hlt2(__floats2half2_rn(1.f, 3.f), __float2half2_rn(2.f));
  const half2 swapped = __lowhigh2highlow(__floats2half2_rn(1.f, 3.f));
  std::printf("pair %g %g, less %g %g, swapped %g %g\n", static_cast<double>(__low2float(p)),
              static_cast<double>(__high2float(p)), static_cast<double>(__low2float(less)),
              static_cast<double>(__high2float(less)), static_cast<double>(__low2float(swapped)),
              static_cast<double>(__half2float(__high2half(swapped))));
  std::printf("shuffled %g largest %g atomic %g pair atomic %g %g\n", static_cast<double>(__half2float(out[0])),
              static_cast<double>(__half2float(out[1])), static_cast<double>(__half2float(out[2])),
              static_cast<double>(__low2float(*pairs)), static_cast<double>(__high2float(*pairs)));
  const __nv_bfloat16 c = __float2bfloat16(1.005f), d = __float2bfloat16(256.9f);
  const __nv_bfloat162 q = __floats2bfloat162_rn(1.5f, 2.5f);
  std::printf("bfloat16 %.9g %g %.9g %g sum %g pair %g %g\n", static_cast<double>(__bfloat162float(c)),
              static_cast<double>(__bfloat162float(d)),
              static_cast<double>(__bfloat162float(__float2bfloat16(3.39e38f))),
              static_cast<double>(__bfloat162float(__float2bfloat16(3.4028e38f))),
              static_cast<double>(__bfloat162float(__hadd(__float2bfloat16(1.f), __float2bfloat16(2.f)))),
              static_cast<double>(__low2float(q)), static_cast<double>(__high2float(q)));
}
