// Conversions between 8-bit floating point and floats or halves in inline PTX.
// prints: e4m3 of floats 38c0 7efe 2a01 387f, without negative numbers 3800
// prints: e5m2 of floats 3cc0 7bfb 3504 3c7f, without negative numbers 3c00
// prints: of halves 38c0 3cc0, without negative numbers 3800 3c00
// prints: to halves 3c00c000 3c00c000, without negative numbers 3c000000, least 1800 0100
#include <cstdio>

typedef unsigned u;
typedef unsigned short h;

__device__ h e4m3(float high, float low) {
  h y;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(high), "f"(low));
  return y;
}
__device__ h e4m3_relu(float high, float low) {
  h y;
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(high), "f"(low));
  return y;
}
__device__ h e5m2(float high, float low) {
  h y;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(y) : "f"(high), "f"(low));
  return y;
}
__device__ h e5m2_relu(float high, float low) {
  h y;
  asm("cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;" : "=h"(y) : "f"(high), "f"(low));
  return y;
}
__device__ h e4m3_halves(u x) {
  h y;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(y) : "r"(x));
  return y;
}
__device__ h e5m2_halves(u x) {
  h y;
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(y) : "r"(x));
  return y;
}
__device__ h e4m3_halves_relu(u x) {
  h y;
  asm("cvt.rn.satfinite.relu.e4m3x2.f16x2 %0, %1;" : "=h"(y) : "r"(x));
  return y;
}
__device__ h e5m2_halves_relu(u x) {
  h y;
  asm("cvt.rn.satfinite.relu.e5m2x2.f16x2 %0, %1;" : "=h"(y) : "r"(x));
  return y;
}
__device__ u halves_e4m3(h x) {
  u y;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(y) : "h"(x));
  return y;
}
__device__ u halves_e5m2(h x) {
  u y;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(y) : "h"(x));
  return y;
}
__device__ u halves_e4m3_relu(h x) {
  u y;
  asm("cvt.rn.relu.f16x2.e4m3x2 %0, %1;" : "=r"(y) : "h"(x));
  return y;
}

__device__ unsigned found[20];

__global__ void convert(float one, float nan) {
  unsigned* r = found;
  *r++ = e4m3(one, -2 * one), *r++ = e4m3(1e9f * one, -500 * one), *r++ = e4m3(0.3f * one, 0.0015f * one);
  *r++ = e4m3(one, nan), *r++ = e4m3_relu(one, -2 * one);
  *r++ = e5m2(one, -2 * one), *r++ = e5m2(1e9f * one, -6e4f * one), *r++ = e5m2(0.3f * one, 0.00006f * one);
  *r++ = e5m2(one, nan), *r++ = e5m2_relu(one, -2 * one);
  *r++ = e4m3_halves(0x3c00c000), *r++ = e5m2_halves(0x3c00c000);
  *r++ = e4m3_halves_relu(0x3c00c000), *r++ = e5m2_halves_relu(0x3c00c000);
  *r++ = halves_e4m3(0x38c0), *r++ = halves_e5m2(0x3cc0), *r++ = halves_e4m3_relu(0x38c0);
  *r++ = halves_e4m3(0x0001), *r++ = halves_e5m2(0x0001);
}

int main() {
  convert<<<1, 1>>>(1, nanf(""));
  unsigned r[20];
  cudaMemcpyFromSymbol(r, found, sizeof r);
  std::printf("e4m3 of floats %04x %04x %04x %04x, without negative numbers %04x\n", r[0], r[1], r[2], r[3], r[4]);
  std::printf("e5m2 of floats %04x %04x %04x %04x, without negative numbers %04x\n", r[5], r[6], r[7], r[8], r[9]);
  std::printf("of halves %04x %04x, without negative numbers %04x %04x\n", r[10], r[11], r[12], r[13]);
  std::printf("to halves %08x %08x, without negative numbers %08x, least %04x %04x\n", r[14], r[15], r[16], r[17],
              r[18]);
}
