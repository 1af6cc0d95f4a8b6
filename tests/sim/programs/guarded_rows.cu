#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

// Kernels without loops, behind guards: `labcc` leaves a guard out where all threads of a row pass it. Each is launched
// with whole and with partial blocks, and must leave the elements behind its guard alone.
// prints: guarded 208
// prints: returns 872
// prints: two guards 56
// prints: in place 584
// prints: backwards 688
// prints: by value 264
// prints: pairs 63
// prints: shared 152
// prints: divides 40
// prints: divides last 512
// prints: guarded 904
// prints: returns 864
// prints: two guards 952
// prints: in place 584
// prints: backwards 688
// prints: by value 592
// prints: pairs 240
// prints: shared 304
// prints: divides 552
// prints: divides last 672
// prints: guarded 552
// prints: returns 232
// prints: two guards 408
// prints: in place 328
// prints: backwards 312
// prints: by value 944
// prints: pairs 947
// prints: shared 448
// prints: divides 752
// prints: divides last 40
// prints: guarded 80
// prints: returns 752
// prints: two guards 752
// prints: in place 24
// prints: backwards 512
// prints: by value 192
// prints: pairs 557
// prints: shared 120
// prints: divides 752
// prints: divides last 440
// prints: exp within 1 ulp, log within 1 ulp

struct options {
  float scale[64];
  int shift;
};

__global__ void guarded(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + 1;
}
__global__ void returns(float* out, const float* in, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int i = y * w + x;
  if (in[i] < 3) return;
  out[i] = x > y ? in[i] : -in[i];
}
__global__ void two_guards(float* out, const float* in, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < h) {
    out[y * w + x] = in[x * h + y];
  }
}
__global__ void in_place(float* p, int n) {  // each thread reads what the next one writes
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) p[i] = p[i + 1] + 1;
}
__global__ void backwards(float* p, int n) {  // each thread reads what the one before it wrote
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i < n) p[i] = p[i - 1] + 1;
}
__global__ void by_value(float* out, options o, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  n -= o.shift;
  if (i < n) out[i] = o.scale[i % 64] + n;
}
__global__ void pairs(float2* __restrict__ out, const float2* __restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_float2(in[i].x / 100, -in[i].y);
}
__global__ void shared(float* out, const float* in, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = i < n ? in[i] : 0;
  s[threadIdx.x] = v;
  __syncthreads();
  if (i < n) out[i] = s[63 - threadIdx.x] + v;
}
__global__ void divides(float* out, const float* in, int n) {  // by zero, if a thread ignores the first guard
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = n - i, share = 1000 / left;
  if (share > 3) return;
  out[i] = in[i] + share;
}
__global__ void divides_last(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int rest = 1000 % (n - i);
  if (i > rest) out[i] = in[i];
}
// A traced program calls the C library's functions, whose values differ in the last place.
__global__ void functions(float* exps, float* logs, unsigned step, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = __uint_as_float(i * step);
  exps[i] = __expf(x);
  logs[i] = __logf(x);
}

constexpr int most = 4096;
float *out, *in;

void printed(const char* what) {
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < most; ++i) {
    unsigned bits;
    std::memcpy(&bits, &out[i], 4);
    sum = sum * 31 + bits;
  }
  std::printf("%s %llu\n", what, sum % 1000);
  for (int i = 0; i < most; ++i) out[i] = -7;
}

// The distance in units in the last place of the correct value; 1e9 where only one of them is a NaN or infinite.
double distance(float is, double correct) {
  const float rounded = static_cast<float>(correct);
  if (std::isnan(rounded)) return std::isnan(is) ? 0 : 1e9;
  if (std::isinf(rounded) || !std::isfinite(is)) return is == rounded ? 0 : 1e9;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  return std::fabs(is - correct) / std::ldexp(1.0, exponent - 24 < -149 || rounded == 0 ? -149 : exponent - 24);
}

void errors() {
  constexpr unsigned n = 1U << 20;
  float *exps, *logs;
  cudaMallocManaged(&exps, n * sizeof(float));
  cudaMallocManaged(&logs, n * sizeof(float));
  functions<<<n / 256, 256>>>(exps, logs, 4097, n);  // of all 2^32 floats, every 4097th
  cudaDeviceSynchronize();
  double exp_error = 0, log_error = 0;
  for (unsigned i = 0; i < n; ++i) {
    float x;
    const unsigned bits = i * 4097;
    std::memcpy(&x, &bits, 4);
    exp_error = std::fmax(exp_error, distance(exps[i], std::exp(static_cast<double>(x))));
    log_error = std::fmax(log_error, distance(logs[i], std::log(static_cast<double>(x))));
  }
  std::printf("exp %s, log %s\n", exp_error < 1 ? "within 1 ulp" : "wrong", log_error < 1 ? "within 1 ulp" : "wrong");
}

int main() {
  cudaMallocManaged(&out, most * sizeof(float));
  cudaMallocManaged(&in, most * sizeof(float));
  for (int i = 0; i < most; ++i) in[i] = static_cast<float>(i * 7919 % 1000) / 8, out[i] = -7;
  for (const int n : {4096, 3001, 64, 5}) {
    const int threads = n < 1024 ? n : 1024;
    guarded<<<(n + 63) / 64, 64>>>(out, in, n);
    printed("guarded");
    returns<<<dim3((n / 48 + 15) / 16 + 1, 4), dim3(16, 12)>>>(out, in, n / 48, 47);
    printed("returns");
    two_guards<<<dim3((n / 48 + 31) / 32 + 1, 12), dim3(32, 4)>>>(out, in, n / 48, 47);
    printed("two guards");
    in_place<<<1, threads>>>(out, n);
    printed("in place");
    backwards<<<1, threads>>>(out, n);
    printed("backwards");
    options o{{}, 3};
    for (int i = 0; i < 64; ++i) o.scale[i] = static_cast<float>(i);
    by_value<<<(n + 63) / 64, 64>>>(out, o, n);
    printed("by value");
    pairs<<<(n / 2 + 63) / 64, 64>>>(reinterpret_cast<float2*>(out), reinterpret_cast<const float2*>(in), n / 2);
    printed("pairs");
    shared<<<(n + 63) / 64, 64>>>(out, in, n);
    printed("shared");
    divides<<<(n + 63) / 64, 64>>>(out, in, n);
    printed("divides");
    divides_last<<<(n + 63) / 64, 64>>>(out, in, n);
    printed("divides last");
  }
  errors();
}
