// prints: bits 8 10 b2a1 12345678 c0 5 63 40000000
// prints: bytes d9876543 84 80 100 -2
// prints: rounded 3 2 3 2 -3 4000000000 7 1.5 0.1
// prints: wide 4 -2 1 8000000000000000 12
// prints: clamped 2147483647 -2147483648 0 4294967295 9223372036854775807
// prints: math 1.0 0.0 -1.0 0.84 0.5 2.0 3.0 5.0 0.50 6
// prints: reals 3ff80000 0 1.5 2.5 3.75 1.500000
// prints: min -1 max 3 umax 4000000000 abs 3 5
// prints: vectors 1 2 3 4 5 10 int1 7
// prints: funnel 23456781 81234567
// prints: memory 7 8
#include <cstdio>
__global__ void integers(unsigned x, int y) {
  printf("bits %d %d %x %x %llx %d %d %x\n", __clz(x >> 5), __popc(0x3ff), __byte_perm(0x0000a1b2, 0, 0x4401), x,
         __brevll(3ull << 56), __ffs(16), __clzll(1), __brev(2));
  printf("bytes %x %d %u %u %d\n", __byte_perm(0x87654321, 0x000000d9, 0x4321) ^ 0u, __dp4a(0x01020304, 0x08080808, y + 1),
         __usad(100u, 20u, 0u), __umul24(10, 10), __hadd(-3, -1));
}
__global__ void conversions(double d, float f) {
  printf("rounded %d %d %d %d %d %u %lld %.1f %.1f\n", __float2int_rn(2.6f), __float2int_rz(2.6f), __float2int_ru(2.1f),
         __double2int_rd(2.9), __double2int_rn(-2.6), __float2uint_rn(4e9f), __double2ll_rn(6.9),
         static_cast<double>(__double2float_rn(1.5)), static_cast<double>(__int2float_rn(1)) * 0.1);
  printf("wide %lld %d %llu %llx %d\n", __mul64hi(1ll << 33, 1ll << 33), __mulhi(-(1 << 30), 8),
         __umul64hi(1ull << 32, 1ull << 32), __brevll(1), __float2int_rn(__saturatef(f) * 12));
  printf("clamped %d %d %u %u %lld\n", __float2int_rz(3e9f), __double2int_rz(-1e10), __float2uint_rz(-1.f),
         __double2uint_rz(1e10), __double2ll_rz(1e30));
}
__global__ void reals(float x, double y) {
  float s, c;
  sincospif(1.f, &s, &c);
  printf("math %.1f %.1f %.1f %.2f %.1f %.1f %.1f %.1f %.2f %.0f\n", static_cast<double>(cospif(0.f)),
         static_cast<double>(fabsf(s)), static_cast<double>(c), static_cast<double>(erff(1.f)),
         static_cast<double>(normcdff(0.f)), static_cast<double>(cbrtf(8.f)), static_cast<double>(__fsqrt_rn(9.f)),
         static_cast<double>(hypotf(3.f, 4.f)), static_cast<double>(rcbrtf(8.f)), static_cast<double>(tgammaf(4.f)));
  printf("reals %x %d %.1f %.1f %.2f %f\n", __double2hiint(y), __double2loint(y), __hiloint2double(0x3ff80000, 0),
         __dadd_rn(1, y), __fma_rn(y, y, y), __ddiv_rn(3, __dsqrt_rn(4)));
  printf("min %d max %d umax %u abs %d %lld\n", min(-1, 3), max(-1, 3), umax(1u, 4000000000u), abs(-3), llabs(-5ll));
}
__global__ void vectors(const float4* v, int1* p) {
  const float4 a = __ldg(v);
  const uint3 u = make_uint3(1, 2, 3);
  const longlong2 l = make_longlong2(5, 10);
  const ushort4 w = make_ushort4(1, 2, 3, 4);
  *p = make_int1(7);
  printf("vectors %g %u %u %u %lld %lld int1 %d\n", static_cast<double>(a.x), u.y, u.z, w.w + 0u, l.x, l.y, p->x);
  printf("funnel %x %x\n", __funnelshift_l(0x12345678, 0x12345678, 4), __funnelshift_r(0x12345678, 0x12345678, 4));
}
__global__ void memory() {
  int* mine = static_cast<int*>(malloc(8));
  int* other = new int[2];
  memset(mine, 0, 8);
  mine[0] = 7, other[1] = 8;
  memcpy(mine + 1, other + 1, 4);
  printf("memory %d %d\n", mine[0], mine[1]);
  free(mine);
  delete[] other;
}
int main() {
  integers<<<1, 1>>>(0x12345678, 3);
  conversions<<<1, 1>>>(1.5, 2.f);
  reals<<<1, 1>>>(1.f, 1.5);
  float4* v;
  int1* p;
  cudaMallocManaged(&v, 16);
  cudaMallocManaged(&p, 4);
  *v = make_float4(1, 2, 3, 4);
  vectors<<<1, 1>>>(v, p);
  memory<<<1, 1>>>();
  cudaDeviceSynchronize();
}
