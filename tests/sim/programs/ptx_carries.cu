// prints: sum 00000001 00000000 00000000 00000000
// prints: difference 00000000 ffffffff ffffffff ffffffff
// prints: product ffffffff fffffffe 00000000 00000001
// prints: product 121fa00a d77d7422 236d88fe 5618cf00
// prints: 64 bits 6 1, borrow -1
#include <cstdio>

typedef unsigned u;
typedef unsigned long long ull;

// 128 bits, the lowest word first.
struct number {
  u w[4];
};

__device__ number sum(number a, number b) {
  asm("add.cc.u32 %0, %0, %4;\n\taddc.cc.u32 %1, %1, %5;\n\taddc.cc.u32 %2, %2, %6;\n\taddc.u32 %3, %3, %7;"
      : "+r"(a.w[0]), "+r"(a.w[1]), "+r"(a.w[2]), "+r"(a.w[3])
      : "r"(b.w[0]), "r"(b.w[1]), "r"(b.w[2]), "r"(b.w[3]));
  return a;
}

// The carry lasts from one statement to the next.
__device__ number difference(number a, number b) {
  asm volatile("sub.cc.u32 %0, %0, %1;" : "+r"(a.w[0]) : "r"(b.w[0]));
  asm volatile("subc.cc.u32 %0, %0, %1;" : "+r"(a.w[1]) : "r"(b.w[1]));
  asm volatile("subc.cc.u32 %0, %0, %1;" : "+r"(a.w[2]) : "r"(b.w[2]));
  asm volatile("subc.u32 %0, %0, %1;" : "+r"(a.w[3]) : "r"(b.w[3]));
  return a;
}

// 64 x 64 bits.
__device__ number product(ull x, ull y) {
  const u a = static_cast<u>(x), b = static_cast<u>(x >> 32), c = static_cast<u>(y), d = static_cast<u>(y >> 32);
  number p;
  asm("{\n\t"
      "mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.u32 %2, %4, %7, 0;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
      "addc.u32 %3, 0, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, %3;\n\t"
      "}"
      : "=&r"(p.w[0]), "=&r"(p.w[1]), "=&r"(p.w[2]), "=&r"(p.w[3])
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return p;
}

__device__ void show(const char* what, number n) { printf("%s %08x %08x %08x %08x\n", what, n.w[3], n.w[2], n.w[1], n.w[0]); }

__global__ void compute() {
  const number ones = {{~0u, ~0u, ~0u, 0}}, one = {{1, 0, 0, 0}}, top = {{0, 0, 0, 1}};
  show("sum", sum(ones, one));
  show("difference", difference(top, one));
  show("product", product(~0ull, ~0ull));
  show("product", product(0x123456789abcdef0ull, 0xfedcba9876543210ull));
  ull low = ~0ull, high = 5, rest;
  asm("add.cc.u64 %0, %0, %2;\n\taddc.u64 %1, %1, 0;" : "+l"(low), "+l"(high) : "l"(2ull));
  asm("sub.cc.s64 %0, 0, 1;\n\tsubc.s64 %0, 0, 0;" : "=l"(rest));
  printf("64 bits %llu %llu, borrow %lld\n", high, low, static_cast<long long>(rest));
}

int main() {
  compute<<<1, 1>>>();
  cudaDeviceSynchronize();
}
