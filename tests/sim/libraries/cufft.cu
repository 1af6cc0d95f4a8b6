// cuFFT: transforms against sums by the definition, in place and apart, in batches and in two dimensions.
// prints: forward (10,0) (-2,2) (-2,0) (-2,-2)
// prints: back 4 8 12 16
// prints: real (10,0) (-2,2) (-2,0)
// prints: in place (10,0) (-2,2) (-2,0)
// prints: real back 4 8 12 16 input kept 1
// prints: 30 points 1
// prints: batch of columns 1
// prints: two dimensions 1
// prints: doubles 1
// prints: after a kernel in a stream 32
// prints: wrong type 3 wrong plan 1
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using complex = std::complex<double>;

template <class T>
T* on_device(const std::vector<T>& values) {
  T* d;
  cudaMalloc(&d, values.size() * sizeof(T));
  cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

template <class T>
std::vector<T> back(const T* d, int n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

// Element (p, q) of the transform of rows x columns numbers, by the definition.
template <class Vector>
complex by_definition(const Vector& x, int rows, int columns, int p, int q) {
  complex sum = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const double angle = -2 * M_PI * (double(p) * i / rows + double(q) * j / columns);
      sum += complex(x[i * columns + j].x, x[i * columns + j].y) * complex(std::cos(angle), std::sin(angle));
    }
  return sum;
}

bool equal(complex a, double x, double y, double tolerance) { return std::abs(a - complex(x, y)) < tolerance; }

template <class Complex>
std::vector<Complex> numbers(int n) {
  std::vector<Complex> all(n);
  for (int i = 0; i < n; ++i) all[i].x = (i * 7) % 11 - 5, all[i].y = (i * 3) % 7 - 3;
  return all;
}

__global__ void fill(cufftComplex* p) { p[threadIdx.x] = make_cuComplex(1, 0); }

void print(const char* name, const std::vector<cufftComplex>& all) {
  std::printf("%s", name);
  for (const auto& z : all) std::printf(" (%g,%g)", z.x, z.y);
  std::printf("\n");
}

int main() {
  cufftHandle plan;
  cufftComplex* z = on_device<cufftComplex>({{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  cufftPlan1d(&plan, 4, CUFFT_C2C, 1);
  cufftExecC2C(plan, z, z, CUFFT_FORWARD);
  print("forward", back(z, 4));
  cufftExecC2C(plan, z, z, CUFFT_INVERSE);
  const auto four = back(z, 4);
  std::printf("back %g %g %g %g\n", four[0].x, four[1].x, four[2].x, four[3].x);
  cufftDestroy(plan);

  cufftReal* r = on_device<cufftReal>({1, 2, 3, 4, 0, 0});
  cufftPlan1d(&plan, 4, CUFFT_R2C, 1);
  cufftExecR2C(plan, r, z);
  const auto half = back(z, 3);
  print("real", half);
  cufftExecR2C(plan, r, reinterpret_cast<cufftComplex*>(r));
  print("in place", back(reinterpret_cast<cufftComplex*>(r), 3));
  cufftDestroy(plan);
  cufftPlan1d(&plan, 4, CUFFT_C2R, 1);
  cufftExecC2R(plan, z, r);
  const auto real = back(r, 4);
  const auto kept = back(z, 3);
  std::printf("real back %g %g %g %g input kept %d\n", real[0], real[1], real[2], real[3],
              kept[0].x == half[0].x && kept[1].y == half[1].y && kept[2].x == half[2].x);
  const int wrong_type = cufftExecC2C(plan, z, z, CUFFT_FORWARD);
  cufftDestroy(plan);
  const int wrong_plan = cufftExecC2R(plan, z, r);

  const auto thirty = numbers<cufftComplex>(30);
  cufftComplex *in = on_device(thirty), *out = on_device(thirty);
  cufftPlan1d(&plan, 30, CUFFT_C2C, 1);
  cufftExecC2C(plan, in, out, CUFFT_FORWARD);
  auto found = back(out, 30);
  bool right = true;
  for (int k = 0; k < 30; ++k) right = right && equal(by_definition(thirty, 1, 30, 0, k), found[k].x, found[k].y, 1e-4);
  std::printf("30 points %d\n", right);
  cufftDestroy(plan);

  // Five columns of six numbers: elements are five apart, transforms one apart.
  int six[] = {6}, embedded[] = {6};
  cufftPlanMany(&plan, 1, six, embedded, 5, 1, embedded, 5, 1, CUFFT_C2C, 5);
  cufftExecC2C(plan, in, out, CUFFT_FORWARD);
  found = back(out, 30);
  right = true;
  for (int c = 0; c < 5; ++c) {
    std::vector<cufftComplex> column;
    for (int i = 0; i < 6; ++i) column.push_back(thirty[i * 5 + c]);
    for (int k = 0; k < 6; ++k)
      right = right && equal(by_definition(column, 1, 6, 0, k), found[k * 5 + c].x, found[k * 5 + c].y, 1e-4);
  }
  std::printf("batch of columns %d\n", right);
  cufftDestroy(plan);

  cufftPlan2d(&plan, 5, 6, CUFFT_C2C);
  cufftExecC2C(plan, in, out, CUFFT_FORWARD);
  found = back(out, 30);
  right = true;
  for (int k = 0; k < 30; ++k)
    right = right && equal(by_definition(thirty, 5, 6, k / 6, k % 6), found[k].x, found[k].y, 1e-4);
  std::printf("two dimensions %d\n", right);
  cufftDestroy(plan);

  const auto doubles = numbers<cufftDoubleComplex>(24);
  cufftDoubleComplex* d = on_device(doubles);
  size_t work;
  cufftCreate(&plan);
  cufftMakePlan2d(plan, 4, 6, CUFFT_Z2Z, &work);
  cufftExecZ2Z(plan, d, d, CUFFT_FORWARD);
  const auto exact = back(d, 24);
  right = true;
  for (int k = 0; k < 24; ++k)
    right = right && equal(by_definition(doubles, 4, 6, k / 6, k % 6), exact[k].x, exact[k].y, 1e-11);
  std::printf("doubles %d\n", right);
  cufftDestroy(plan);

  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cufftComplex* ones;
  cudaMalloc(&ones, 32 * sizeof(cufftComplex));
  cufftPlan1d(&plan, 32, CUFFT_C2C, 1);
  cufftSetStream(plan, stream);
  fill<<<1, 32, 0, stream>>>(ones);
  cufftExecC2C(plan, ones, ones, CUFFT_FORWARD);
  cudaStreamSynchronize(stream);
  std::printf("after a kernel in a stream %g\n", back(ones, 1)[0].x);
  cufftDestroy(plan);
  cudaStreamDestroy(stream);
  std::printf("wrong type %d wrong plan %d\n", wrong_type, wrong_plan);
  for (void* p : std::initializer_list<void*>{z, r, in, out, d, ones}) cudaFree(p);
}
