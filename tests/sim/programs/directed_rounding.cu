// prints: sums 1.00000000 1.00000012 1.00000000 -1.00000012 -1.00000000 -1.00000000
// prints: parts 1 1 1 1 1 1
// prints: doubles 1 1 1 1 1 1
// prints: integers 16777216 16777218 16777216 -16777218 -16777216 -16777216
// prints: wide 9007199254740992 9007199254740994 18446744073709549568
// prints: double 0.09999999 0.10000000 max 3.40282347e+38 inf
// prints: fused 1 nearest 1.00000000
#include <cstdio>
__global__ void sums(float one, float small) {
  printf("sums %.8f %.8f %.8f %.8f %.8f %.8f\n", __fadd_rd(one, small), __fadd_ru(one, small), __fadd_rz(one, small),
         __fsub_rd(-one, small), __fsub_ru(-one, small), __fsub_rz(-one, small));
}
// Three times a third: below one if rounded down, above if up.
__global__ void parts(float three, double two) {
  printf("parts %d %d %d %d %d %d\n", __frcp_rd(three) < __frcp_ru(three), __fdiv_rz(-1, three) == -__frcp_rd(three),
         __fmul_ru(three, 0.1f) > __fmul_rd(three, 0.1f), __fmul_rz(three, 0.1f) == __fmul_rd(three, 0.1f),
         __fsqrt_ru(2) > __fsqrt_rd(2), __fsqrt_rz(2) == __fsqrt_rd(2));
  printf("doubles %d %d %d %d %d %d\n", __drcp_rd(3) < __drcp_ru(3), __ddiv_rz(-1, 3) == -__ddiv_rd(1, 3),
         __dmul_ru(0.1, 3) > __dmul_rd(0.1, 3), __dadd_ru(1, 1e-30) > 1, __dsub_rz(1, 1e-30) < 1,
         __dsqrt_ru(two) > __dsqrt_rd(two));
}
__global__ void integers(int i, long long l, double d, float f) {
  printf("integers %.0f %.0f %.0f %.0f %.0f %.0f\n", __int2float_rd(i), __int2float_ru(i), __int2float_rz(i),
         __ll2float_rd(-i), __ll2float_ru(-i), __ll2float_rz(-i));
  printf("wide %.0f %.0f %.0f\n", __ll2double_rd(l), __ll2double_ru(l), __ull2double_rz(~0ull));
  printf("double %.8f %.8f max %.8e %f\n", __double2float_rd(d), __double2float_ru(d), __double2float_rz(1e300),
         __double2float_ru(1e300));
  printf("fused %d nearest %.8f\n", __fmaf_rd(f, f, -1) < __fmaf_ru(f, f, -1), __fadd_rn(1, 1e-8f));
}
int main() {
  sums<<<1, 1>>>(1, 1e-8f);
  parts<<<1, 1>>>(3, 2);
  integers<<<1, 1>>>(16777217, (1ll << 53) + 1, 0.1, 1.1f);
  cudaDeviceSynchronize();
}
