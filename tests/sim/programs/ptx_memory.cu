// Loads, stores, atomics, addresses and barriers in inline PTX.
// prints: loads 7 -2 65534 2.5 40 300, vectors 1 2 3 4, 1.5 2.5
// prints: stores 11 12 13 14, byte 204, half 43981, float 0.5
// prints: shared 0 5 10 15 through 31 * 5 = 155
// prints: atomics add 96, last old 1, max 31, cas 1, float 48, exch 9, wide 32
// prints: barrier 64, any 1, all 0, warp sum ready 1
// prints: flag from a block to another 42
// prints: local 7 9 from an array, 11 through its address, shared 13
// prints: reals 7 0.5 8 3 2 1 -3, flush 0, constant 1.5 -2
#include <cstdio>

__global__ void loads(const int* from, const unsigned short* halves, const float4* fours, const double2* twos, int* i,
                      float* f) {
  int plain, offset, half_signed;
  unsigned half, by_address;
  float single;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(plain) : "l"(from) : "memory");
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.s32 %0, [%1+4];" : "=r"(offset) : "l"(from));
  asm volatile("ld.global.cg.u16 %0, [%1];" : "=r"(half) : "l"(halves));
  asm volatile("ld.ca.s16 %0, [%1];" : "=r"(half_signed) : "l"(halves));
  asm volatile("ld.relaxed.gpu.global.f32 %0, [%1 + 8];" : "=f"(single) : "l"(fours + 1));
  asm volatile("{ .reg .u64 a; cvta.to.global.u64 a, %1; ld.volatile.global.u32 %0, [a]; }"
               : "=r"(by_address)
               : "l"(from + 2));
  i[0] = plain, i[1] = half_signed, i[2] = half, i[3] = by_address, i[4] = offset;
  f[0] = single;
  asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(f[1]), "=f"(f[2]), "=f"(f[3]), "=f"(f[4])
               : "l"(fours));
  double x, y;
  asm volatile("ld.global.v2.f64 {%0, %1}, [%2];" : "=d"(x), "=d"(y) : "l"(twos));
  f[5] = x, f[6] = y;
}

__global__ void stores(int* to, unsigned char* byte, unsigned short* half, float* f) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(11), "r"(12) : "memory");
  asm volatile("st.global.cs.u32 [%0 + 8], %1;\n\tst.release.gpu.global.u32 [%0 + 12], %2;" ::"l"(to), "r"(13),
               "r"(14));
  asm volatile("st.global.u8 [%0], %1;" ::"l"(byte), "r"(0x1cc));
  asm volatile("st.volatile.u16 [%0], %1;" ::"l"(half), "h"((unsigned short)0xabcd));
  asm volatile("prefetch.global.L2 [%0]; st.f32 [%0], %1;" ::"l"(f), "f"(0.5f));
}

__global__ void shared(int* out) {
  __shared__ int tile[32];
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(threadIdx.x * 5) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned long long generic;
  unsigned again;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(again) : "l"(&tile[31 - threadIdx.x]));
  asm("cvta.shared.u64 %0, %1;" : "=l"(generic) : "l"((unsigned long long)again));
  int mine;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(mine) : "r"(again) : "memory");
  out[31 - threadIdx.x] = generic == (unsigned long long)&tile[31 - threadIdx.x] ? mine : -1;
}

__global__ void atomics(unsigned* sums, unsigned long long* wide, float* f) {
  __shared__ unsigned one;
  if (threadIdx.x == 0) one = 0;
  __syncthreads();
  unsigned old;
  const auto shared_one = static_cast<unsigned>(__cvta_generic_to_shared(&one));
  asm volatile("atom.global.add.u32 %0, [%1], 3;" : "=r"(old) : "l"(sums) : "memory");
  if (old == 93) sums[1] = 1;
  asm volatile("red.relaxed.gpu.global.max.u32 [%0 + 8], %1;" ::"l"(sums), "r"(threadIdx.x) : "memory");
  asm volatile("atom.shared.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "r"(shared_one) : "memory");
  if (old == 0) asm volatile("red.global.add.u32 [%0 + 12], 1;" ::"l"(sums) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(1.5f) : "memory");
  asm volatile("atom.acq_rel.sys.global.exch.b32 %0, [%1 + 16], 9;" : "=r"(old) : "l"(sums) : "memory");
  asm volatile("atom.add.u64 _, [%0], %1;" ::"l"(wide), "l"(1ull) : "memory");
}

__global__ void barriers(int* out) {
  __shared__ int ready;
  int count, any, all;
  if (threadIdx.x == 0) ready = 1;
  asm volatile("membar.cta; bar.warp.sync %0;" ::"r"(~0u) : "memory");
  const bool seen = threadIdx.x == 1 && ready == 1;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 64; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(threadIdx.x));
  any = __syncthreads_or(threadIdx.x == 3), all = __syncthreads_and(threadIdx.x == 3);
  if (threadIdx.x == 1) out[0] = count, out[1] = any, out[2] = all, out[3] = seen;
}

__global__ void flag(unsigned* flags, int* out) {
  unsigned is = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *out = 42;
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags), "r"(1) : "memory");
  } else if (threadIdx.x == 0) {
    while (is == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(is) : "l"(flags) : "memory");
    out[1] = out[0];
  }
}

__device__ float reals_[10];
__global__ void reals() {
  float* r = reals_;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r[0]) : "f"(2.f), "f"(3.f), "f"(1.f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r[1]) : "f"(2.f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r[2]) : "f"(3.f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(r[3]) : "f"(8.f));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r[4]) : "f"(4.f));
  asm("min.f32 %0, %1, %2;" : "=f"(r[5]) : "f"(1.f), "f"(nanf("")));
  asm("copysign.f32 %0, %1, %2;" : "=f"(r[6]) : "f"(-1.f), "f"(3.f));
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(r[7]) : "f"(1e-40f), "f"(0.f));
  asm("mov.f32 %0, 0f3FC00000;" : "=f"(r[8]));
  double d;
  asm("mov.f64 %0, 0dC000000000000000;" : "=d"(d));
  r[9] = d;
}

template <class T>
T* values(int count) {
  T* p;
  cudaMallocManaged(&p, count * sizeof(T));
  for (int i = 0; i < count; ++i) p[i] = T{};
  return p;
}

// An array as an operand is its address.
__global__ void arrays(int* to) {
  __shared__ int tile[2];
  int own[4] = {5, 7, 9, 0}, a, b, c, d;
  tile[1] = 13;
  asm volatile("ld.local.s32 %0, [%1+4];" : "=r"(a) : "l"(__cvta_generic_to_local(own)) : "memory");
  asm volatile("ld.s32 %0, [%1 + 8];" : "=r"(b) : "l"(own) : "memory");
  asm volatile("{ .reg .u64 at; cvta.to.local.u64 at, %0; st.local.u32 [at+12], %1; }" ::"l"(own), "r"(11) : "memory");
  c = own[3];
  asm volatile("ld.s32 %0, [%1 + 4];" : "=r"(d) : "l"(tile) : "memory");
  to[0] = a, to[1] = b, to[2] = c, to[3] = d;
}

int main() {
  int *from = values<int>(4), *i = values<int>(32);
  auto* halves = values<unsigned short>(2);
  auto* fours = values<float4>(2);
  auto* twos = values<double2>(1);
  float* f = values<float>(8);
  from[0] = 7, from[1] = 300, from[2] = 40, halves[0] = 0xfffe;
  fours[0] = make_float4(1, 2, 3, 4), fours[1].z = 2.5f, twos[0] = make_double2(1.5, 2.5);
  loads<<<1, 1>>>(from, halves, fours, twos, i, f);
  cudaDeviceSynchronize();
  std::printf("loads %d %d %d %g %d %d, vectors %g %g %g %g, %g %g\n", i[0], i[1], i[2], f[0], i[3], i[4], f[1], f[2],
              f[3], f[4], f[5], f[6]);

  auto* byte = values<unsigned char>(1);
  stores<<<1, 1>>>(i, byte, halves, f);
  cudaDeviceSynchronize();
  std::printf("stores %d %d %d %d, byte %d, half %d, float %g\n", i[0], i[1], i[2], i[3], *byte, halves[0], f[0]);

  shared<<<1, 32>>>(i);
  cudaDeviceSynchronize();
  std::printf("shared %d %d %d %d through 31 * 5 = %d\n", i[0], i[1], i[2], i[3], i[31]);

  auto* sums = values<unsigned>(8);
  auto* wide = values<unsigned long long>(1);
  f[0] = 0;
  atomics<<<1, 32>>>(sums, wide, f);
  cudaDeviceSynchronize();
  std::printf("atomics add %u, last old %u, max %u, cas %u, float %g, exch %u, wide %llu\n", sums[0], sums[1], sums[2],
              sums[3], f[0], sums[4], *wide);

  barriers<<<1, 96>>>(i);
  cudaDeviceSynchronize();
  std::printf("barrier %d, any %d, all %d, warp sum ready %d\n", i[0], i[1], i[2], i[3]);

  auto* flags = values<unsigned>(1);
  flag<<<2, 32>>>(flags, i);
  cudaDeviceSynchronize();
  std::printf("flag from a block to another %d\n", i[1]);

  arrays<<<1, 1>>>(i);
  cudaDeviceSynchronize();
  std::printf("local %d %d from an array, %d through its address, shared %d\n", i[0], i[1], i[2], i[3]);

  reals<<<1, 1>>>();
  float r[10];
  cudaMemcpyFromSymbol(r, reals_, sizeof r);
  std::printf("reals %g %g %g %g %g %g %g, flush %g, constant %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7],
              r[8], r[9]);
}
