// 8-bit floating point: every code and the nearest code of every half, by the definition of the formats.
// The hashes are those of NVIDIA's header for the codes of all halves and all bfloat16, without and with saturation.
// prints: codes 0 wrong, rounded 0 wrong
// prints: hash e4m3 ae19f800 7b10bf00 9bf39000 d20a7200
// prints: hash e5m2 bee3c842 e6134842 1361c084 981cee84
// prints: to half 0 wrong, kernel 0 wrong
// prints: e4m3 76 7e ff 7e 80 integers 448 -448 127 0, e5m2 5c 7b, bytes 1 1 2 4
// prints: double once 74 75, nan 7f ff fe 7f, infinite 7f 7c
// prints: pair c038 1 -2, bfloat16 1 -2, four 40003830 0.5 1 0 2, double 40003830
// prints: bits 3c00 c000, 3f80
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>

namespace {

// The value of a code: e4m3 has one NaN of each sign and no infinity, e5m2 is the upper byte of a half.
double defined(int code, __nv_fp8_interpretation_t kind) {
  const int fraction_bits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const int exponent = (code & 0x7f) >> fraction_bits, fraction = code & ((1 << fraction_bits) - 1);
  const double sign = code & 0x80 ? -1 : 1;
  if (kind == __NV_E4M3 && (code & 0x7f) == 0x7f) return NAN;
  if (kind == __NV_E5M2 && exponent == 31) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

// The nearest code of a finite number, found by trying all of this sign. Of two the even one.
int nearest(double v, __nv_fp8_interpretation_t kind) {
  const int sign = std::signbit(v) ? 0x80 : 0, last = kind == __NV_E4M3 ? 0x7e : 0x7b;
  int best = sign;
  for (int code = sign; code <= sign + last; ++code) {
    const double now = std::fabs(defined(code, kind) - v), before = std::fabs(defined(best, kind) - v);
    if (now < before || (now == before && code % 2 == 0)) best = code;
  }
  return best;
}

unsigned hash(bool of_half, __nv_saturation_t how, __nv_fp8_interpretation_t kind) {
  unsigned h = 0;
  for (int u = 0; u < 65536; ++u) {
    const auto bits = static_cast<unsigned short>(u);
    h = h * 31 + (of_half ? __nv_cvt_halfraw_to_fp8(__half_raw{bits}, how, kind)
                          : __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{bits}, how, kind));
  }
  return h;
}

int wrong_codes() {
  int wrong = 0;
  for (int code = 0; code < 256; ++code)
    for (const auto kind : {__NV_E4M3, __NV_E5M2}) {
      __nv_fp8_e4m3 a;
      __nv_fp8_e5m2 b;
      a.__x = b.__x = static_cast<__nv_fp8_storage_t>(code);
      const double is = kind == __NV_E4M3 ? double(a) : double(b), must = defined(code, kind);
      wrong += std::isnan(must) ? !std::isnan(is) : is != must || std::signbit(is) != std::signbit(must);
    }
  return wrong;
}

int wrong_roundings() {
  int wrong = 0;
  for (int u = 0; u < 65536; ++u) {
    const __half_raw raw{static_cast<unsigned short>(u)};
    const float v = __half2float(raw);
    if (!std::isfinite(v)) continue;
    for (const auto kind : {__NV_E4M3, __NV_E5M2})
      wrong += __nv_cvt_halfraw_to_fp8(raw, __NV_SATFINITE, kind) != nearest(double(v), kind);
  }
  return wrong;
}

int wrong_halves() {
  int wrong = 0;
  for (int code = 0; code < 256; ++code)
    for (const auto kind : {__NV_E4M3, __NV_E5M2}) {
      const float is = __half2float(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(code), kind));
      const double must = defined(code, kind);
      wrong += std::isnan(must) ? !std::isnan(is) : double(is) != must;
    }
  return wrong;
}

}  // namespace

// Each thread of 256 converts its code to a float and back, alone, in a pair and in a four.
__global__ void round_trip(const __nv_fp8_e4m3* in, __nv_fp8_e4m3* out, int* wrong) {
  const unsigned t = threadIdx.x;
  const float v = static_cast<float>(in[t]);
  out[t] = static_cast<__nv_fp8_e4m3>(v);
  const __nv_fp8x2_e4m3 two{make_float2(v, -v)};
  const __nv_fp8x4_e5m2 four{make_float4(v, v, 0, v)};
  if (v == v && (out[t].__x != t || two.__x != ((t ^ 0x80) << 8 | t))) atomicAdd(wrong, 1);
  if (v == v && static_cast<float4>(four).w != static_cast<float>(__nv_fp8_e5m2{v})) atomicAdd(wrong, 1);
}

int main() {
  std::printf("codes %d wrong, rounded %d wrong\n", wrong_codes(), wrong_roundings());
  for (const auto kind : {__NV_E4M3, __NV_E5M2})
    std::printf("hash %s %08x %08x %08x %08x\n", kind == __NV_E4M3 ? "e4m3" : "e5m2", hash(true, __NV_NOSAT, kind),
                hash(false, __NV_NOSAT, kind), hash(true, __NV_SATFINITE, kind), hash(false, __NV_SATFINITE, kind));
  __nv_fp8_e4m3 *in, *out;
  int* wrong;
  cudaMallocManaged(&in, 256), cudaMallocManaged(&out, 256), cudaMallocManaged(&wrong, sizeof *wrong);
  for (int i = 0; i < 256; ++i) in[i].__x = static_cast<__nv_fp8_storage_t>(i);
  *wrong = 0;
  round_trip<<<1, 256>>>(in, out, wrong);
  cudaDeviceSynchronize();
  std::printf("to half %d wrong, kernel %d wrong\n", wrong_halves(), *wrong);

  const __nv_fp8_e4m3 a{220.f}, most{1e9f}, nan{NAN}, of_int{1000}, minus{-0.f};
  const __nv_fp8_e5m2 b{__float2half(256.f)}, c{1e30};
  std::printf("e4m3 %x %x %x %x %x integers %d %d %d %u, e5m2 %x %x, bytes %zu %zu %zu %zu\n", a.__x, most.__x,
              nan.__x | 0x80, of_int.__x, minus.__x, int(most), int(__nv_fp8_e4m3{-1000LL}),
              static_cast<signed char>(most), static_cast<unsigned>(__nv_fp8_e4m3{-2}), b.__x, c.__x, sizeof a,
              sizeof b, sizeof(__nv_fp8x2_e4m3), sizeof(__nv_fp8x4_e5m2));
  std::printf("double once %x %x, nan %x %x %x %x, infinite %x %x\n", __nv_fp8_e4m3{200.0}.__x,
              __nv_fp8_e4m3{200.0000000001}.__x, __nv_cvt_float_to_fp8(-NAN, __NV_NOSAT, __NV_E5M2),
              __nv_cvt_double_to_fp8(-std::fabs(NAN), __NV_NOSAT, __NV_E4M3),
              __nv_cvt_double_to_fp8(-std::fabs(NAN), __NV_NOSAT, __NV_E5M2),
              __nv_cvt_halfraw_to_fp8(__half_raw{0xffff}, __NV_NOSAT, __NV_E4M3),
              __nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E4M3),
              __nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E5M2));
  const __nv_fp8x2_e4m3 pair{make_float2(1, -2)};
  const __nv_fp8x2_e4m3 brains{__floats2bfloat162_rn(1, -2)};
  const __nv_fp8x4_e4m3 four{make_float4(0.5f, 1, 0, 2)}, doubles{make_double4(0.5, 1, 0, 2)};
  const float2 two = static_cast<float2>(pair), other = static_cast<float2>(brains);
  const float4 all = static_cast<float4>(four);
  std::printf("pair %x %g %g, bfloat16 %g %g, four %x %g %g %g %g, double %x\n", pair.__x, double(two.x), double(two.y),
              double(other.x), double(other.y), four.__x, double(all.x), double(all.y), double(all.z), double(all.w),
              doubles.__x);
  const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(pair.__x, __NV_E4M3);
  std::printf("bits %x %x, %x\n", raw.x, raw.y, __nv_bfloat16_raw(__nv_bfloat16(__nv_fp8_e4m3{1.f})).x);
}
