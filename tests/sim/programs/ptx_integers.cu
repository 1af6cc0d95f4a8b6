// prints: add wraps 0, saturates 7fffffff and 80000000
// prints: mul.hi fffffffe, signed ffffffff, wide 18446744065119617025 -2147483648, mad.wide 18446744065119617026
// prints: mul24 fffe0001 and 0000fffe, sad 13 4294967295
// prints: shl 0 80000000, shr ffffffff 0 1
// prints: popc 32 33, clz 32 0 63, bfind ffffffff 31 30 ffffffff, shiftamt 31
// prints: brev 80000000 1
// prints: bfe 0 ff fffffff0 ffffffff 0, 64 bits 8000000000000000 as 1
// prints: bfi fff0ffff ff ffffffff, beyond f0000000
// prints: lop3 96 80 fe, shf 12345678 34567890 9abcdef0 9abcdef0 f0123456
// prints: prmt 33221100 77665544 ff00ff00 00ffffff
// prints: f4e 55443322, b4e 77001122, rc8 22222222, ecl 33222222, ecr 22221100, rc16 33223322
// prints: bmsk 000000f0 ffffff00 00000000
// prints: mov 3f800000 1.5, pairs 89abcdef01234567 89abcdef 1234567, halves beef dead
// prints: signed -1 < 1 is 1, unsigned 0, selp 5, and of predicates 0
// prints: not fffffff0, cnot 1, neg 2147483648, abs 2147483648, rem -1, div -2
// prints: sm of blocks 0 1 0 differ 1, nwarpid 3, within 1
#include <cstdio>

typedef unsigned u;
typedef unsigned long long ull;

__device__ u add(u a, u b) {
  asm("add.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ int add_sat(int a, int b) {
  asm("add.sat.s32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mul_hi(u a, u b) {
  asm("mul.hi.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mul_hi_s(u a, u b) {
  asm("mul.hi.s32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mul24(u a, u b) {
  asm("mul24.lo.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mul24_hi(u a, u b) {
  asm("mul24.hi.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u shl(u a, u b) {
  asm("shl.b32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u shr_s(u a, u b) {
  asm("shr.s32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u shr_u(u a, u b) {
  asm("shr.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mask_clamp(u a, u b) {
  asm("bmsk.clamp.b32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u mask_wrap(u a, u b) {
  asm("bmsk.wrap.b32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ int rem(int a, int b) {
  asm("rem.s32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ int quotient(int a, int b) {
  asm("div.s32 %0, %0, %1;" : "+r"(a) : "r"(b));
  return a;
}
__device__ u sad(u a, u b, u c) {
  asm("sad.s32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u sad_u(u a, u b, u c) {
  asm("sad.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u bfe_u(u a, u b, u c) {
  asm("bfe.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u bfe_s(u a, u b, u c) {
  asm("bfe.s32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u left(u a, u b, u c) {
  asm("shf.l.clamp.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u right(u a, u b, u c) {
  asm("shf.r.clamp.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u right_wrap(u a, u b, u c) {
  asm("shf.r.wrap.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u permute(u a, u b, u c) {
  asm("prmt.b32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u f4e(u a, u b, u c) {
  asm("prmt.b32.f4e %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u b4e(u a, u b, u c) {
  asm("prmt.b32.b4e %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u rc8(u a, u b, u c) {
  asm("prmt.b32.rc8 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u ecl(u a, u b, u c) {
  asm("prmt.b32.ecl %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u ecr(u a, u b, u c) {
  asm("prmt.b32.ecr %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u rc16(u a, u b, u c) {
  asm("prmt.b32.rc16 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
}
__device__ u popc(u a) {
  asm("popc.b32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u clz(u a) {
  asm("clz.b32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u bfind(u a) {
  asm("bfind.u32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u bfind_s(u a) {
  asm("bfind.s32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u shiftamt(u a) {
  asm("bfind.shiftamt.u32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u brev(u a) {
  asm("brev.b32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u negated(u a) {
  asm("not.b32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u cnot(u a) {
  asm("cnot.b32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u minus(u a) {
  asm("neg.s32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u magnitude(u a) {
  asm("abs.s32 %0, %0;" : "+r"(a));
  return a;
}
__device__ u bfi(u a, u b, u c, u d) {
  u f;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(f) : "r"(a), "r"(b), "r"(c), "r"(d));
  return f;
}
template <int table>
__device__ u lop3(u a, u b, u c) {
  u d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(table));
  return d;
}

__global__ void arithmetic() {
  const u big = 0xffffffffu;
  printf("add wraps %x, saturates %x and %x\n", add(big, 1), (u)add_sat(0x7fffffff, 1), (u)add_sat(-0x7fffffff, -2));
  ull wide, sum;
  long long signed_wide;
  asm("mul.wide.u32 %0, %1, %1;" : "=l"(wide) : "r"(big));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(signed_wide) : "r"(0x80000000u), "r"(1));
  asm("mad.wide.u32 %0, %1, %1, %2;" : "=l"(sum) : "r"(big), "l"(1ull));
  printf("mul.hi %x, signed %x, wide %llu %lld, mad.wide %llu\n", mul_hi(big, big), mul_hi_s(big, 1), wide, signed_wide,
         sum);
  printf("mul24 %08x and %08x, sad %u %u\n", mul24(0xff00ffffu, 0xffffu), mul24_hi(0xffffu, 0xffffu), sad(-5, 5, 3),
         sad_u(0, big, 0));
  printf("shl %x %x, shr %x %x %x\n", shl(1, 32), shl(1, 31), shr_s(0x80000000u, 40), shr_u(big, 32), shr_u(big, 31));
  u of_64, zeros;
  asm("popc.b64 %0, %1;" : "=r"(of_64) : "l"(0x1ffffffffull));
  asm("clz.b64 %0, %1;" : "=r"(zeros) : "l"(1ull));
  printf("popc %u %u, clz %u %u %u, bfind %x %u %u %x, shiftamt %u\n", popc(big), of_64, clz(0), clz(big), zeros, bfind(0),
         bfind(big), bfind(0x40000000u), bfind_s(big), shiftamt(1));
  printf("brev %x %x\n", brev(1), brev(0x80000000u));
  long long high;
  asm("bfe.s64 %0, %1, 63, 1;" : "=l"(high) : "l"(0x8000000000000000ull));
  printf("bfe %x %x %x %x %x, 64 bits %llx as %d\n", bfe_u(big, 0, 0), bfe_u(0xff00u, 8, 8), bfe_s(0xf000u, 8, 8),
         bfe_s(0x80000000u, 40, 8), bfe_u(big, 40, 8), 0x8000000000000000ull, high == -1);
  printf("bfi %x %x %x, beyond %x\n", bfi(0, big, 16, 4), bfi(big, 0, 0, 8), bfi(0, big, 32, 4), bfi(big, 0, 28, 255));
  printf("lop3 %x %x %x, shf %x %x %x %x %x\n", lop3<0x96>(0xf0, 0xcc, 0xaa), lop3<0x80>(0xf0, 0xcc, 0xaa),
         lop3<0xfe>(0xf0, 0xcc, 0xaa), left(0x9abcdef0u, 0x12345678u, 0), left(0x90000000u, 0x12345678u, 8) & ~0xfu,
         left(0x9abcdef0u, 0x12345678u, 32), right(0x1234u, 0x9abcdef0u, 99), right_wrap(0x12345678u, 0x9abcdef0u, 40));
}

__global__ void bytes() {
  const u a = 0x33221100u, b = 0x77665544u;
  printf("prmt %08x %08x %08x %08x\n", permute(a, b, 0x3210), permute(a, b, 0x7654), permute(0x80007f00u, 0, 0xbabau),
         permute(0x80ffffffu, 0x7f, 0xc210));
  printf("f4e %08x, b4e %08x, rc8 %08x, ecl %08x, ecr %08x, rc16 %08x\n", f4e(a, b, 2), b4e(a, b, 2),
         rc8(a, b, 2), ecl(a, b, 2), ecr(a, b, 2), rc16(a, b, 1));
  printf("bmsk %08x %08x %08x\n", mask_clamp(4, 4), mask_clamp(8, 99), mask_wrap(8, 32));
  u of_float;
  float of_bits;
  ull pair;
  u low, high;
  unsigned short first, second;
  asm("mov.b32 %0, %1;" : "=r"(of_float) : "f"(1.0f));
  asm("mov.b32 %0, %1;" : "=f"(of_bits) : "r"(0x3fc00000u));
  asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "r"(0x01234567u), "r"(0x89abcdefu));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(pair));
  asm("mov.b32 {%0, %1}, %2;" : "=h"(first), "=h"(second) : "r"(0xdeadbeefu));
  printf("mov %x %g, pairs %llx %x %x, halves %x %x\n", of_float, of_bits, pair, high, low, first, second);
  int is_less, is_below, chosen, both;
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(is_less) : "r"(0xffffffffu), "r"(1u));
  asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(is_below) : "r"(-1), "r"(1));
  asm("{ .reg .pred p; setp.hs.u32 p, %1, 7; selp.b32 %0, 5, 6, p; }" : "=r"(chosen) : "r"(7));
  asm("{ .reg .pred p, q; setp.eq.s32 p, 1, 1; setp.ne.s32 q, 1, 1; and.pred p, p, q; selp.b32 %0, 1, 0, p; }" : "=r"(both));
  printf("signed -1 < 1 is %d, unsigned %d, selp %d, and of predicates %d\n", is_less, is_below, chosen, both);
  printf("not %x, cnot %x, neg %u, abs %u, rem %d, div %d\n", negated(15), cnot(0), minus(0x80000000u),
         magnitude(0x80000000u), rem(-7, 3), quotient(-7, 3));
}

__global__ void where(u* sm, u* warps) {
  u own, all, of_block;
  asm("mov.u32 %0, %smid;" : "=r"(own));
  asm("mov.u32 %0, %%nsmid;" : "=r"(all));
  asm("mov.u32 %0, %nwarpid;" : "=r"(of_block));
  sm[blockIdx.x] = own < all ? own : ~0u;
  *warps = of_block;
}

int main() {
  arithmetic<<<1, 1>>>();
  cudaDeviceSynchronize();
  bytes<<<1, 1>>>();
  cudaDeviceSynchronize();
  u *sm, *warps;
  cudaMallocManaged(&sm, 2 * sizeof(u));
  cudaMallocManaged(&warps, sizeof(u));
  where<<<2, 1>>>(sm, warps);
  cudaDeviceSynchronize();
  printf("sm of blocks %u %u %u differ %d", sm[0], sm[1], 0u, sm[0] != sm[1]);
  where<<<1, 65>>>(sm, warps);
  cudaDeviceSynchronize();
  printf(", nwarpid %u, within %d\n", *warps, sm[0] != ~0u);
}
