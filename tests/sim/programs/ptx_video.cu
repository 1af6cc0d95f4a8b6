// prints: absdiff4 sum 15, signed 606, merged 01010203
// prints: add4 wraps 00000000 and saturates ffffffff, signed 7f80ff01
// prints: sub2 fffe0001 and saturated 80000001, avrg4 ff010100, max4 ff7f0201
// prints: selected bytes 04030201, masked aa22aa44, halves 0002
// prints: vadd of parts 130, signed byte -127, saturated 7fffffff 00000000, byte into c 11227f44
// prints: vabsdiff -1 1 is 4294967294, signed 2, with sum 12, vmin -3, vmax 3
// prints: vshl 0 clamped, 2 wrapped, vshr -1, vset 1 0, set4 00000101
// prints: dp4a 30 and -2, dp2a 11 39
#include <cstdio>

typedef unsigned u;

__device__ u absdiff_sum(u a, u b, u c) {
  u d;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u absdiff_signed(u a, u b, u c) {
  u d;
  asm("vabsdiff4.u32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u absdiff_merged(u a, u b, u c) {
  u d;
  asm("vabsdiff4.u32.u32.u32 %0.b210, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add4(u a, u b, u c) {
  u d;
  asm("vadd4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add4_sat(u a, u b, u c) {
  u d;
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add4_signed(u a, u b, u c) {
  u d;
  asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u sub2(u a, u b, u c) {
  u d;
  asm("vsub2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u sub2_sat(u a, u b, u c) {
  u d;
  asm("vsub2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u average(u a, u b, u c) {
  u d;
  asm("vavrg4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u max4(u a, u b, u c) {
  u d;
  asm("vmax4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u reversed(u a, u b, u c) {
  u d;
  asm("vadd4.u32.u32.u32 %0, %1.b0123, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u masked(u a, u b, u c) {
  u d;
  asm("vadd4.u32.u32.u32 %0.b20, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u low_halves(u a, u b, u c) {
  u d;
  asm("vadd2.u32.u32.u32 %0.h0, %1.h10, %2.h00, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u set4(u a, u b, u c) {
  u d;
  asm("vset4.u32.u32.lt %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add_parts(u a, u b, u c) {
  u d;
  asm("vadd.u32.u32.u32 %0, %1.b1, %2.h1;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add_signed_byte(u a, u b, u c) {
  u d;
  asm("vadd.s32.s32.u32 %0, %1.b0, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u add_saturated(u a, u b, u c) {
  u d;
  asm("vadd.s32.u32.u32.sat %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u sub_saturated(u a, u b, u c) {
  u d;
  asm("vsub.u32.u32.u32.sat %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u into_byte(u a, u b, u c) {
  u d;
  asm("vadd.s32.s32.s32.sat %0.b1, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u absdiff(u a, u b, u c) {
  u d;
  asm("vabsdiff.u32.u32.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u absdiff_s(u a, u b, u c) {
  u d;
  asm("vabsdiff.s32.s32.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u absdiff_plus(u a, u b, u c) {
  u d;
  asm("vabsdiff.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u least(u a, u b, u c) {
  u d;
  asm("vmin.s32.s32.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u most(u a, u b, u c) {
  u d;
  asm("vmax.s32.s32.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u shl_clamp(u a, u b, u c) {
  u d;
  asm("vshl.u32.u32.u32.clamp %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u shl_wrap(u a, u b, u c) {
  u d;
  asm("vshl.u32.u32.u32.wrap %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u shr_clamp(u a, u b, u c) {
  u d;
  asm("vshr.s32.s32.u32.clamp %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u set_lt(u a, u b, u c) {
  u d;
  asm("vset.s32.s32.lt %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u set_lt_u(u a, u b, u c) {
  u d;
  asm("vset.u32.u32.lt %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u dot4_u(u a, u b, u c) {
  u d;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u dot4_s(u a, u b, u c) {
  u d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u dot2_low(u a, u b, u c) {
  u d;
  asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ u dot2_high(u a, u b, u c) {
  u d;
  asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__global__ void lanes() {
  printf("absdiff4 sum %u, signed %u, merged %08x\n", absdiff_sum(0x01020304, 0x04030201, 7),
         absdiff_signed(0x7f80ff01, 0x80ff01ff, 220), absdiff_merged(0xff010203, 0, 0x01ffffff));
  printf("add4 wraps %08x and saturates %08x, signed %08x\n", add4(0xff80ff01, 0x018001ff, 9),
         add4_sat(0xff80ff01, 0x018001ff, 0), add4_signed(0x7f80fe00, 0x01ff0101, 0));
  printf("sub2 %08x and saturated %08x, avrg4 %08x, max4 %08x\n", sub2(0x7fff0002, 0x80010001, 0),
         sub2_sat(0x80000002, 0x00010001, 0), average(0xff010100, 0xff000100, 0), max4(0xff7f0001, 0x01000200, 0));
  printf("selected bytes %08x, masked %08x, halves %04x\n", reversed(0x01020304, 0, 0),
         masked(0x11111122, 0x11111122, 0xaaaaaaaa), low_halves(0x00070001, 0x00090002, 0));
}

__global__ void parts() {
  printf("vadd of parts %u, signed byte %d, saturated %08x %08x, byte into c %08x\n", add_parts(0x8000, 0x00020000, 0),
         (int)add_signed_byte(0x80, 1, 0), add_saturated(0xffffffffu, 1, 0), sub_saturated(1, 2, 0),
         into_byte(100, 100, 0x11223344));
  printf("vabsdiff -1 1 is %u, signed %u, with sum %u, vmin %d, vmax %d\n", absdiff(-1, 1, 0), absdiff_s(-1, 1, 0),
         absdiff_plus(-1, 1, 10), (int)least(-3, 3, 0), (int)most(-3, 3, 0));
  printf("vshl %u clamped, %u wrapped, vshr %d, vset %u %u, set4 %08x\n", shl_clamp(1, 33, 0), shl_wrap(1, 33, 0),
         (int)shr_clamp(0x80000000u, 99, 0), set_lt(-1, 1, 0), set_lt_u(-1, 1, 0), set4(0x05050000, 0x01050101, 0));
  printf("dp4a %u and %d, dp2a %u %u\n", dot4_u(0x01020304, 0x04030201, 10), (int)dot4_s(0xff000000, 0x02000000, 0),
         dot2_low(0x00010002, 0x04030201u, 7), dot2_high(0x00070008, 0x04030201u, -13));
}

int main() {
  lanes<<<1, 1>>>();
  cudaDeviceSynchronize();
  parts<<<1, 1>>>();
  cudaDeviceSynchronize();
}
