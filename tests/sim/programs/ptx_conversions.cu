// prints: to int 2 -2 -3 3, beyond 2147483647 -2147483648
// prints: unsigned 0, 64 bits 1000000000000000, byte 255
// prints: signs -128 9029, wrap -56, saturate 127 0
// prints: wide -7 4294967295
// prints: of int 16777216.0 16777216.0 -16777218.0 16777218.0
// prints: of double 0x1.99999ap-4 0x1.999998p-4 -0x1.99999ap-4 0x1.99999ap-4
// prints: whole 2 -2 -3 3, unit 1 0 0
// prints: flush 0 0.25, keep 1, double 0.5
// prints: half 3c01 bc00 0002, beyond 7c00 7bff
// prints: half down 8001 3c00, up 0001 bc00
// prints: bfloat16 4049 4049 0000
// prints: pairs 3c00c000 3f80c000, tf32 3dccc000
// prints: back 1.00098 -3.14062, of int e800, to int 4
#include <cstdio>

typedef unsigned u;
typedef unsigned short h;
typedef long long ll;
typedef unsigned long long ull;

__device__ int rni_s32_f32(float x) {
  int y;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ int rzi_s32_f32(float x) {
  int y;
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ int rmi_s32_f32(float x) {
  int y;
  asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ int rpi_s32_f32(float x) {
  int y;
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ float rn_f32_s32(int x) {
  float y;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
  return y;
}
__device__ float rz_f32_s32(int x) {
  float y;
  asm("cvt.rz.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
  return y;
}
__device__ float rm_f32_s32(int x) {
  float y;
  asm("cvt.rm.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
  return y;
}
__device__ float rp_f32_s32(int x) {
  float y;
  asm("cvt.rp.f32.s32 %0, %1;" : "=f"(y) : "r"(x));
  return y;
}
__device__ float rn_f32_f64(double x) {
  float y;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}
__device__ float rz_f32_f64(double x) {
  float y;
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}
__device__ float rm_f32_f64(double x) {
  float y;
  asm("cvt.rm.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}
__device__ float rp_f32_f64(double x) {
  float y;
  asm("cvt.rp.f32.f64 %0, %1;" : "=f"(y) : "d"(x));
  return y;
}
__device__ float rni_f32_f32(float x) {
  float y;
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float rzi_f32_f32(float x) {
  float y;
  asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float rmi_f32_f32(float x) {
  float y;
  asm("cvt.rmi.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float rpi_f32_f32(float x) {
  float y;
  asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float sat_f32_f32(float x) {
  float y;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float ftz_f32_f32(float x) {
  float y;
  asm("cvt.ftz.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float ftz_sat_f32_f32(float x) {
  float y;
  asm("cvt.ftz.sat.f32.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ h rn_f16_f32(float x) {
  h y;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rz_f16_f32(float x) {
  h y;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rm_f16_f32(float x) {
  h y;
  asm("cvt.rm.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rp_f16_f32(float x) {
  h y;
  asm("cvt.rp.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rn_bf16_f32(float x) {
  h y;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rz_bf16_f32(float x) {
  h y;
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ h rn_relu_bf16_f32(float x) {
  h y;
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(y) : "f"(x));
  return y;
}
__device__ u rzi_u32_f32(float x) {
  u y;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ ll rni_s64_f64(double x) {
  ll y;
  asm("cvt.rni.s64.f64 %0, %1;" : "=l"(y) : "d"(x));
  return y;
}
__device__ u u32_u8(u x) {
  u y;
  asm("cvt.u32.u8 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ int s32_s8(int x) {
  int y;
  asm("cvt.s32.s8 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ int s32_s16(int x) {
  int y;
  asm("cvt.s32.s16 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ int s8_s32(int x) {
  int y;
  asm("cvt.s8.s32 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ int sat_s8_s32(int x) {
  int y;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ u sat_u8_s32(int x) {
  u y;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}
__device__ ll s64_s32(int x) {
  ll y;
  asm("cvt.s64.s32 %0, %1;" : "=l"(y) : "r"(x));
  return y;
}
__device__ ull u64_u32(u x) {
  ull y;
  asm("cvt.u64.u32 %0, %1;" : "=l"(y) : "r"(x));
  return y;
}
__device__ double f64_f32(float x) {
  double y;
  asm("cvt.f64.f32 %0, %1;" : "=d"(y) : "f"(x));
  return y;
}
__device__ float f32_f16(h x) {
  float y;
  asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
__device__ float f32_bf16(h x) {
  float y;
  asm("cvt.f32.bf16 %0, %1;" : "=f"(y) : "h"(x));
  return y;
}
__device__ h rn_f16_s32(int x) {
  h y;
  asm("cvt.rn.f16.s32 %0, %1;" : "=h"(y) : "r"(x));
  return y;
}
__device__ int rni_s32_f16(h x) {
  int y;
  asm("cvt.rni.s32.f16 %0, %1;" : "=r"(y) : "h"(x));
  return y;
}

__global__ void integers() {
  printf("to int %d %d %d %d, beyond %d %d\n", rni_s32_f32(2.5f), rzi_s32_f32(-2.5f), rmi_s32_f32(-2.5f),
         rpi_s32_f32(2.1f), rzi_s32_f32(1e20f), rzi_s32_f32(-1e20f));
  printf("unsigned %u, 64 bits %lld, byte %u\n", rzi_u32_f32(-3.f),
         rni_s64_f64(1e15 + 0.5), u32_u8(0x1ffu));
  printf("signs %d %d, wrap %d, saturate %d %u\n", s32_s8(0x80),
         s32_s16(0x12345), s8_s32(200),
         sat_s8_s32(200), sat_u8_s32(-5));
  printf("wide %lld %llu\n", s64_s32(-7),
         u64_u32(0xffffffffu));
}

__global__ void reals() {
  const int odd = 0x1000001;  // needs 25 bits
  printf("of int %.1f %.1f %.1f %.1f\n", rn_f32_s32(odd), rz_f32_s32(odd), rm_f32_s32(-odd), rp_f32_s32(odd));
  printf("of double %a %a %a %a\n", rn_f32_f64(0.1), rz_f32_f64(0.1), rm_f32_f64(-0.1),
         rp_f32_f64(0.1));
  printf("whole %g %g %g %g, unit %g %g %g\n", rni_f32_f32(2.5f), rzi_f32_f32(-2.5f), rmi_f32_f32(-2.1f),
         rpi_f32_f32(2.1f), sat_f32_f32(3.f), sat_f32_f32(-3.f), sat_f32_f32(nanf("")));
  printf("flush %g %g, keep %d, double %g\n", ftz_f32_f32(1e-40f), ftz_sat_f32_f32(0.25f),
         rn_f32_f64(1e-40) > 0, f64_f32(0.5f));
}

__global__ void narrow() {
  printf("half %04x %04x %04x, beyond %04x %04x\n", rn_f16_f32(1.0006f), rz_f16_f32(-1.0006f),
         rn_f16_f32(1e-7f), rn_f16_f32(1e6f), rz_f16_f32(1e6f));
  printf("half down %04x %04x, up %04x %04x\n", rm_f16_f32(-1e-9f), rm_f16_f32(1.0001f), rp_f16_f32(1e-9f),
         rp_f16_f32(-1.0001f));
  printf("bfloat16 %04x %04x %04x\n", rn_bf16_f32(3.14159f), rz_bf16_f32(3.14159f), rn_relu_bf16_f32(-2.f));
  u halves, brains, tensor;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(1.f), "f"(-2.f));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(brains) : "f"(1.f), "f"(-2.f));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tensor) : "f"(0.1f));
  printf("pairs %08x %08x, tf32 %08x\n", halves, brains, tensor & 0xffffe000u);
  printf("back %g %g, of int %04x, to int %d\n", f32_f16(h(0x3c01)),
         f32_bf16(h(0xc049)), rn_f16_s32(-2049),
         rni_s32_f16(h(0x4300)));
}

int main() {
  integers<<<1, 1>>>();
  cudaDeviceSynchronize();
  reals<<<1, 1>>>();
  cudaDeviceSynchronize();
  narrow<<<1, 1>>>();
  cudaDeviceSynchronize();
}
