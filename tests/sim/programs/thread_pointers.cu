#include <cstdio>

// Pointers and references to what belongs to a thread: its variables, its parameters, arrays in structures. Barriers
// stand between their uses, so that loops over threads must keep what they point at.
// prints: pointer_to_local 191 218 245 272 299 326 353 380
// prints: pointer_to_parameter 80 89 98 107 116 125 134 143
// prints: pointer_into_parameter 10.5 10.5 10.5 10.5 10.5 10.5 10.5 10.5
// prints: pointer_into_copy 10.5 10.5 10.5 10.5 10.5 10.5 10.5 10.5
// prints: pointer_to_member 68 68 68 68 68 68 68 68
// prints: pointer_into_array 65 56 47 38 29 20 11 2
// prints: one_of_two 63 324 747 1692 2727 4356 6003 8316
// prints: reference_to_member 6 15 24 33 42 51 60 69
// prints: array_as_argument 1.5 10.5 19.5 28.5 37.5 46.5 55.5 64.5
// prints: array_changed_by_function 21 31 86 51 57 67 86 87
// prints: pointer_changes_parameter 9.5 4.5 4.5 4.5 4.5 6.5 4.5 4.5
// prints: element_changed 9.5 18.5 27.5 36.5 45.5 54.5 63.5 72.5
// prints: array_read_by_block 4252.5 3654 3055.5 2457 1858.5 1260 661.5 63
// prints: inner_reference 8 23 41 59 77 95 113 131
// prints: inner_references 135 144 477 162 1467 180 3105 198
// prints: stepped_elements 89 80 69 60 53 44 33 24
// prints: range_of_array 3 12 21 30 39 48 57 66

struct inner {
  float w[4];
  float x;
};
struct block {
  float w[16];
  int n;
  inner in;
};

__device__ void twice(float& x) { x *= 2; }
__device__ float sum(float* w) { return w[0] + w[1]; }
__device__ void add_to(float* w, int k) { w[k & 3] += k; }

__global__ void pointer_to_local(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  int v = i * 3;
  int* q = &v;
  s[i] = *q;
  __syncthreads();
  *q += 1;
  out[i] = s[63 - i] + *q + v;
}
__global__ void pointer_to_parameter(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  int* q = &n;
  *q += i;
  s[i] = *q;
  __syncthreads();
  *q += 1;
  out[i] = s[63 - i] + *q + n;
}
__global__ void pointer_into_parameter(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  const float* w = b.w;
  w += i & 7;
  s[i] = *w;
  __syncthreads();
  out[i] = s[63 - i] + *w;
}
__global__ void pointer_into_copy(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  block c = b;
  const float* w = c.w;
  w += i & 7;
  s[i] = *w;
  __syncthreads();
  out[i] = s[63 - i] + *w;
}
__global__ void pointer_to_member(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  block c;
  c = b;
  c.n = i;
  const int* w = &c.n;
  s[i] = *w;
  __syncthreads();
  c.n += 5;
  out[i] = s[63 - i] + *w;
}
__global__ void pointer_into_array(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  int v[2] = {i, 2};
  int* q = v;
  s[i] = q[0];
  __syncthreads();
  q += 1;
  out[i] = s[63 - i] + q[0];
}
__global__ void one_of_two(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  float x = i, y = 2 * i;
  float* q = i & 1 ? &x : &y;
  s[i] = *q;
  __syncthreads();
  *q += 3;
  out[i] = s[63 - i] + x * y;
}
__global__ void reference_to_member(float* out, block b, int n) {
  int i = threadIdx.x;
  twice(b.in.x);
  out[i] = b.in.x + i;
}
__global__ void array_as_argument(float* out, block b, int n) {
  int i = threadIdx.x;
  out[i] = sum(b.w) + i;
}
__global__ void array_changed_by_function(float* out, block b, int n) {
  int i = threadIdx.x;
  __shared__ float s[64];
  add_to(b.in.w, i);
  s[i] = b.in.w[1];
  __syncthreads();
  out[i] = b.in.w[i & 3] + s[63 - i];
}
__global__ void pointer_changes_parameter(float* out, block b, int n) {
  int i = threadIdx.x;
  __shared__ float s[64];
  float* w = b.w;
  w[i & 15] = 5;
  s[i] = w[2];
  __syncthreads();
  out[i] = w[0] + b.w[1] + s[63 - i];
}
__global__ void element_changed(float* out, block b, int n) {
  int i = threadIdx.x;
  b.w[i & 15] = 9;
  n += i;
  __syncthreads();
  out[i] = b.w[3] + n;
}
__global__ void array_read_by_block(float* out, block b, int n) {
  int i = threadIdx.x;
  __shared__ float s[64];
  for (int k = 0; k < n; ++k) {
    float f = b.w[k];
    s[i] = f * i;
    __syncthreads();
    out[i] += s[63 - i] * f;
    __syncthreads();
  }
}
__global__ void inner_reference(float* out, block b, int n) {
  int i = threadIdx.x;
  if (i > 3) {
    int& r = n;
    r += i;
    float& f = b.w[2];
    f = i;
  }
  out[i] = n + b.w[2];
}
__global__ void inner_references(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  int v = i, w = 3;
  if (i > 3) {
    int& r = i & 1 ? v : w;
    r += i;
  }
  s[i] = v + w;
  __syncthreads();
  {
    int& r = v;
    r++;
    float* q = b.w;
    q[1] = i;
    auto& z = w;
    z -= 2;
  }
  __syncthreads();
  out[i] = n + s[63 - i] + v * w + b.w[1];
}
__global__ void stepped_elements(float* out, block b, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  b.in.w[i & 3] += 2;
  s[i] = i;
  __syncthreads();
  b.in.w[1]--;
  ++b.w[2];
  out[i] = b.in.w[0] + b.in.w[1] + b.w[2] + s[63 - i];
}
__global__ void range_of_array(float* out, block b, int n) {
  int i = threadIdx.x;
  for (float& w : b.w) w += i;
  out[i] = b.w[2];
}
int main() {
  float* p;
  cudaMallocManaged(&p, 64 * sizeof(float));
  block b;
  for (int i = 0; i < 16; ++i) b.w[i] = i * 1.5f;
  for (int i = 0; i < 4; ++i) b.in.w[i] = i + 10;
  b.n = 7;
  b.in.x = 3;
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    std::printf("%s", name);
    for (int i = 0; i < 64; i += 9) std::printf(" %g", p[i]);
    std::printf("\n");
    for (int i = 0; i < 64; ++i) p[i] = i;
  };
  for (int i = 0; i < 64; ++i) p[i] = i;
  pointer_to_local<<<1, 64>>>(p, b, 5);
  show("pointer_to_local");
  pointer_to_parameter<<<1, 64>>>(p, b, 5);
  show("pointer_to_parameter");
  pointer_into_parameter<<<1, 64>>>(p, b, 5);
  show("pointer_into_parameter");
  pointer_into_copy<<<1, 64>>>(p, b, 5);
  show("pointer_into_copy");
  pointer_to_member<<<1, 64>>>(p, b, 5);
  show("pointer_to_member");
  pointer_into_array<<<1, 64>>>(p, b, 5);
  show("pointer_into_array");
  one_of_two<<<1, 64>>>(p, b, 5);
  show("one_of_two");
  reference_to_member<<<1, 64>>>(p, b, 5);
  show("reference_to_member");
  array_as_argument<<<1, 64>>>(p, b, 5);
  show("array_as_argument");
  array_changed_by_function<<<1, 64>>>(p, b, 5);
  show("array_changed_by_function");
  pointer_changes_parameter<<<1, 64>>>(p, b, 5);
  show("pointer_changes_parameter");
  element_changed<<<1, 64>>>(p, b, 5);
  show("element_changed");
  array_read_by_block<<<1, 64>>>(p, b, 5);
  show("array_read_by_block");
  inner_reference<<<1, 64>>>(p, b, 5);
  show("inner_reference");
  inner_references<<<1, 64>>>(p, b, 5);
  show("inner_references");
  stepped_elements<<<1, 64>>>(p, b, 5);
  show("stepped_elements");
  range_of_array<<<1, 64>>>(p, b, 5);
  show("range_of_array");
}
