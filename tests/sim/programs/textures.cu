// Fetches by every address mode, with and without filtering, from arrays and from linear and pitched memory.
// prints: point 0 0 1 3 3
// prints: linear 0.00 0.50 1.25 3.00
// prints: wrap 3 0 1 0, mirror 0 3 2 3, border 9 0 3 9
// prints: nine bits 0.0039 0.5000 0.5000
// prints: far places: 0 differ
// prints: plane 2.50 7.00, gather 4 5 1 0
// prints: volume 3.50 7.00
// prints: layers 20 21, clamped to 31
// prints: cube 10 11 12 13 14 15
// prints: normalized 1.000 0.200 -1.000 0.50
// prints: integers 200 -5 70000 1 2 3 4
// prints: linear memory 1 7 0 0, pitched 8 11
// prints: settings 26 26 27 20 0 0 400
#include <cmath>
#include <cstdio>
#include <cstring>

__device__ float out[64];

__global__ void at1(cudaTextureObject_t t, const float* x, int n) {
  for (int i = 0; i < n; ++i) out[i] = tex1D<float>(t, x[i]);
}
__global__ void plane(cudaTextureObject_t t) {
  tex2D(&out[0], t, 1.0f, 1.0f);
  out[1] = tex2DLod<float>(t, 3.5f, 1.5f, 0.0f);
  const float4 four = tex2Dgather<float4>(t, 1.0f, 1.0f);
  out[2] = four.x, out[3] = four.y, out[4] = four.z, out[5] = four.w;
}
__global__ void volume(cudaTextureObject_t t) {
  out[0] = tex3D<float>(t, 1, 1, 1);
  out[1] = tex3D<float>(t, 1.5f, 1.5f, 1.5f);
}
__global__ void layers(cudaTextureObject_t t) {
  out[0] = tex1DLayered<float>(t, 0.5f, 2);
  out[1] = tex1DLayered<float>(t, 1.5f, 2);
  out[2] = tex1DLayered<float>(t, 9, 9);
}
__global__ void cube(cudaTextureObject_t t) {
  const float d[6][3] = {{2, 1, 0}, {-2, 1, 0}, {0, 2, 1}, {0, -2, 1}, {1, 0, 2}, {1, 0, -2}};
  for (int i = 0; i < 6; ++i) out[i] = texCubemap<float>(t, d[i][0], d[i][1], d[i][2]);
}
__global__ void normalized(cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t halves) {
  const uchar4 unused = {1, 2, 3, 4};
  const float4 four = tex1D<float4>(bytes, 0.5f);
  out[0] = four.x, out[1] = four.y + static_cast<float>(unused.x - 1);
  out[2] = tex1D<float>(shorts, 0.5f);
  out[3] = tex1D<float>(halves, 0.5f);
}
__global__ void integers(cudaTextureObject_t bytes, cudaTextureObject_t shorts, cudaTextureObject_t words,
                         cudaTextureObject_t fours) {
  out[0] = tex1D<unsigned char>(bytes, 0);
  out[1] = tex1D<short>(shorts, 0);
  out[2] = static_cast<float>(tex1D<unsigned>(words, 0));
  const int4 four = tex1D<int4>(fours, 0);
  out[3] = static_cast<float>(four.x), out[4] = static_cast<float>(four.y);
  out[5] = static_cast<float>(four.z), out[6] = static_cast<float>(four.w);
}
__global__ void by_index(cudaTextureObject_t linear, cudaTextureObject_t pitched) {
  out[0] = tex1Dfetch<float>(linear, 1), out[1] = tex1Dfetch<float>(linear, 7);
  out[2] = tex1Dfetch<float>(linear, 8), out[3] = tex1Dfetch<float>(linear, -1);
  out[4] = tex2D<float>(pitched, 0, 2), out[5] = tex2D<float>(pitched, 99, 99);
}

const float* results() {
  static float host[64];
  cudaMemcpyFromSymbol(host, out, sizeof host);
  return host;
}

template <class T>
cudaArray_t array_of(const T* values, cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  if (cudaMalloc3DArray(&array, &format, extent, flags) != cudaSuccess) return nullptr;
  cudaMemcpy3DParms copy = {};
  const size_t height = extent.height ? extent.height : 1;
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(values), extent.width * sizeof(T), extent.width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent.width, height, extent.depth ? extent.depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  return cudaMemcpy3D(&copy) == cudaSuccess ? array : nullptr;
}

cudaTextureDesc settings(cudaTextureAddressMode mode, bool linear, bool normalized) {
  cudaTextureDesc t = {};
  t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = mode;
  t.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.normalizedCoords = normalized;
  return t;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureDesc t) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &t, nullptr);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return texture;
}

template <int n>
const float* line(cudaArray_t array, cudaTextureDesc t, const float (&x)[n]) {
  float* d = nullptr;
  cudaMalloc(&d, sizeof x);
  cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
  const cudaTextureObject_t texture = texture_of(array, t);
  at1<<<1, 1>>>(texture, d, n);
  const float* const found = results();
  cudaDestroyTextureObject(texture);
  cudaFree(d);
  return found;
}

void one_dimension() {
  const float values[4] = {0, 1, 2, 3}, large[2] = {0, 1};
  const cudaArray_t four = array_of(values, make_cudaExtent(4, 0, 0));
  const float* r = line(four, settings(cudaAddressModeClamp, false, false), {-7, 0.9f, 1, 3.99f, 100});
  std::printf("point %g %g %g %g %g\n", r[0], r[1], r[2], r[3], r[4]);
  r = line(four, settings(cudaAddressModeClamp, true, false), {-5, 1, 1.75f, 9});
  std::printf("linear %.2f %.2f %.2f %.2f\n", r[0], r[1], r[2], r[3]);
  r = line(four, settings(cudaAddressModeWrap, false, true), {-0.1f, 1, 1.25f, 0.2f});
  std::printf("wrap %g %g %g %g, ", r[0], r[1], r[2], r[3]);
  r = line(four, settings(cudaAddressModeMirror, false, true), {-0.1f, 1.1f, 1.3f, -1.1f});
  std::printf("mirror %g %g %g %g, ", r[0], r[1], r[2], r[3]);
  cudaTextureDesc border = settings(cudaAddressModeBorder, false, false);
  border.borderColor[0] = 9;
  r = line(four, border, {-0.5f, 0, 3.5f, 4});
  std::printf("border %g %g %g %g\n", r[0], r[1], r[2], r[3]);
  const cudaArray_t two = array_of(large, make_cudaExtent(2, 0, 0));
  r = line(two, settings(cudaAddressModeClamp, true, false), {0.503f, 1.0f, 1.0005f});
  std::printf("nine bits %.4f %.4f %.4f\n", r[0], r[1], r[2]);
  cudaFreeArray(two);
  cudaFreeArray(four);
}

// The element of a row of four that a place outside of it shows.
float element(int i, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeBorder && (i < 0 || i > 3)) return 9;
  if (mode == cudaAddressModeWrap) i = (i + 4) % 4;
  if (mode == cudaAddressModeMirror) i = i < 0 ? -1 - i : i > 3 ? 7 - i : i;
  return static_cast<float>(i < 0 ? 0 : i > 3 ? 3 : i);
}

void far_places() {
  const float values[4] = {0, 1, 2, 3};
  const cudaArray_t four = array_of(values, make_cudaExtent(4, 0, 0));
  float x[60];
  int differ = 0;
  for (int i = 0; i < 60; ++i) x[i] = static_cast<float>(i) * 0.1015625f - 3;  // multiples of 1/128
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    cudaTextureDesc how = settings(mode, true, true);
    how.borderColor[0] = 9;
    const float* const r = line(four, how, x);
    for (int i = 0; i < 60; ++i) {
      double at = x[i];
      const double turns = std::floor(at);
      if (mode == cudaAddressModeWrap) at -= turns;
      if (mode == cudaAddressModeMirror) at = std::fmod(turns, 2) == 0 ? at - turns : 1 - (at - turns);
      at = std::fmax(-2, std::fmin(6, at * 4)) - 0.5;
      const double part = at - std::floor(at);
      const int first = static_cast<int>(std::floor(at));
      differ += r[i] != static_cast<float>((1 - part) * element(first, mode) + part * element(first + 1, mode));
    }
  }
  std::printf("far places: %d differ\n", differ);
  cudaFreeArray(four);
}

void more_dimensions() {
  float values[12];
  for (int i = 0; i < 12; ++i) values[i] = static_cast<float>(i);
  cudaArray_t a = array_of(values, make_cudaExtent(4, 2, 0));
  cudaTextureObject_t t = texture_of(a, settings(cudaAddressModeClamp, true, false));
  plane<<<1, 1>>>(t);
  const float* r = results();
  std::printf("plane %.2f %.2f, gather %g %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5]);
  cudaDestroyTextureObject(t), cudaFreeArray(a);
  a = array_of(values, make_cudaExtent(2, 2, 2));
  t = texture_of(a, settings(cudaAddressModeClamp, true, false));
  volume<<<1, 1>>>(t);
  r = results();
  std::printf("volume %.2f %.2f\n", r[0], r[1]);
  cudaDestroyTextureObject(t), cudaFreeArray(a);
  const float rows[8] = {0, 1, 10, 11, 20, 21, 30, 31};
  a = array_of(rows, make_cudaExtent(2, 0, 4), cudaArrayLayered);
  t = texture_of(a, settings(cudaAddressModeClamp, true, false));
  layers<<<1, 1>>>(t);
  r = results();
  std::printf("layers %g %g, clamped to %g\n", r[0], r[1], r[2]);
  cudaDestroyTextureObject(t), cudaFreeArray(a);
  const float faces[6] = {10, 11, 12, 13, 14, 15};
  a = array_of(faces, make_cudaExtent(1, 1, 6), cudaArrayCubemap);
  t = texture_of(a, settings(cudaAddressModeWrap, true, true));
  cube<<<1, 1>>>(t);
  r = results();
  std::printf("cube %g %g %g %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5]);
  cudaDestroyTextureObject(t), cudaFreeArray(a);
}

void formats() {
  cudaTextureDesc point = settings(cudaAddressModeClamp, false, false), fractions = point;
  fractions.readMode = cudaReadModeNormalizedFloat;
  const uchar4 color = {255, 51, 0, 0};
  const short low = -32768;
  const unsigned short half = 0x3800;
  const cudaArray_t colors = array_of(&color, make_cudaExtent(1, 0, 0)), lows = array_of(&low, make_cudaExtent(1, 0, 0));
  cudaArray_t halves = nullptr;
  const cudaChannelFormatDesc of_half = cudaCreateChannelDescHalf();
  cudaMallocArray(&halves, &of_half, 1);
  cudaMemcpyToArray(halves, 0, 0, &half, 2, cudaMemcpyHostToDevice);
  normalized<<<1, 1>>>(texture_of(colors, fractions), texture_of(lows, fractions), texture_of(halves, point));
  const float* r = results();
  std::printf("normalized %.3f %.3f %.3f %.2f\n", r[0], r[1], r[2], r[3]);
  const unsigned char byte = 200;
  const short minus = -5;
  const unsigned word = 70000;
  const int4 fours = {1, 2, 3, 4};
  const cudaExtent one = make_cudaExtent(1, 0, 0);
  integers<<<1, 1>>>(texture_of(array_of(&byte, one), point), texture_of(array_of(&minus, one), point),
                     texture_of(array_of(&word, one), point), texture_of(array_of(&fours, one), point));
  r = results();
  std::printf("integers %g %g %g %g %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
}

void memory() {
  float values[12], *d = nullptr, *pitched = nullptr;
  for (int i = 0; i < 12; ++i) values[i] = static_cast<float>(i);
  size_t pitch = 0;
  cudaMalloc(&d, 8 * sizeof(float));
  cudaMemcpy(d, values, 8 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMallocPitch(&pitched, &pitch, 4 * sizeof(float), 3);
  cudaMemcpy2D(pitched, pitch, values, 16, 16, 3, cudaMemcpyHostToDevice);
  cudaResourceDesc linear = {}, rows = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = d;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = 8 * sizeof(float);
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D.devPtr = pitched;
  rows.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  rows.res.pitch2D.width = 4, rows.res.pitch2D.height = 3, rows.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureDesc point = settings(cudaAddressModeClamp, false, false);
  cudaTextureObject_t a = 0, b = 0;
  cudaCreateTextureObject(&a, &linear, &point, nullptr);
  cudaCreateTextureObject(&b, &rows, &point, nullptr);
  by_index<<<1, 1>>>(a, b);
  const float* const r = results();
  std::printf("linear memory %g %g %g %g, pitched %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5]);
}

void refused_settings() {
  const int word = 1;
  const cudaArray_t words = array_of(&word, make_cudaExtent(1, 0, 0));
  cudaResourceDesc resource = {};
  resource.res.array.array = words;
  cudaTextureObject_t t = 0;
  cudaTextureDesc linear = settings(cudaAddressModeClamp, true, false), fractions = linear, srgb = {};
  fractions.readMode = cudaReadModeNormalizedFloat;
  srgb.sRGB = 1;
  const int filter = cudaCreateTextureObject(&t, &resource, &linear, nullptr),
            both = cudaCreateTextureObject(&t, &resource, &fractions, nullptr);
  fractions.filterMode = cudaFilterModePoint;
  const int reading = cudaCreateTextureObject(&t, &resource, &fractions, nullptr);
  cudaArray_t none = nullptr;
  const cudaChannelFormatDesc five_bits = {5, 0, 0, 0, cudaChannelFormatKindUnsigned};
  const int format = cudaMallocArray(&none, &five_bits, 8), color = cudaCreateTextureObject(&t, &resource, &srgb, nullptr);
  cudaSurfaceObject_t surface = 0;
  const int plain = cudaCreateSurfaceObject(&surface, &resource);
  resource.res.array.array = nullptr;
  const int missing = cudaCreateTextureObject(&t, &resource, &linear, nullptr);
  std::printf("settings %d %d %d %d %d %d %d\n", filter, both, reading, format, color, plain, missing);
}

int main() {
  one_dimension();
  far_places();
  more_dimensions();
  formats();
  memory();
  refused_settings();
}
