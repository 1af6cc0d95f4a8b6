#include <fftw3.h>

#include <cstring>
#include <mutex>

#include "sim/libraries/cufft/plans.hpp"
#include "sim/runtime/api/library_work.hpp"

// The transforms, by FFTW. In place, the rows of real numbers are padded to those of the complex numbers.

namespace fft = lab::sim::cufft;

namespace {

// FFTW's functions that make plans are not safe for several threads.
std::mutex planning;

template <class Plan, class Make, class Execute, class Destroy>
void transform(Make make, Execute execute, Destroy destroy) {
  Plan made;
  {
    const std::lock_guard lock{planning};
    made = make();
  }
  execute(made);
  const std::lock_guard lock{planning};
  destroy(made);
}

// The real side of a transform in place: its rows have room for the complex ones.
fft::plan::layout padded(const fft::plan& p, const fft::plan::layout& real) {
  auto sizes = p.sizes;
  sizes.back() = 2 * (sizes.back() / 2 + 1);
  int all = 1;
  for (const int n : sizes) all *= n;
  const bool dense = real.sizes == p.sizes && real.stride == 1;
  return dense ? fft::plan::layout{sizes, 1, all} : real;
}

struct arguments {
  int rank;
  const int* n;
  int batch;
  const int *in_sizes, *out_sizes;
  int in_stride, in_distance, out_stride, out_distance;
  std::size_t in_extent;  // elements
};

template <class In, class Out, class Work>
cufftResult execute(cufftHandle handle, cufftType type, In* in, Out* out, const lab::sim::library_call& call,
                    Work work) {
  const fft::plan* const found = fft::find(handle);
  if (!found || !found->made()) return CUFFT_INVALID_PLAN;
  if (found->type != type) return CUFFT_INVALID_TYPE;
  fft::plan p = *found;
  if (static_cast<void*>(in) == static_cast<void*>(out)) {
    if (p.is_half(p.out)) p.in = padded(p, p.in);
    if (p.is_half(p.in)) p.out = padded(p, p.out);
  }
  const auto action = [=] {
    const arguments a{static_cast<int>(p.sizes.size()),
                      p.sizes.data(),
                      p.batch,
                      p.in.sizes.data(),
                      p.out.sizes.data(),
                      p.in.stride,
                      p.in.distance,
                      p.out.stride,
                      p.out.distance,
                      p.extent(p.in)};
    work(a, in, out);
  };
  const auto status = lab::sim::do_library_work(
      call, p.stream, {{in, p.extent(p.in) * sizeof(In), false}, {out, p.extent(p.out) * sizeof(Out), true}}, action);
  return status == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// FFTW may destroy the input of a transform from complex to real numbers; a program may rely on cuFFT, which keeps it.
template <class Complex>
std::vector<Complex> copy_of(const arguments& a, const Complex* in) {
  std::vector<Complex> copy(a.in_extent);
  std::memcpy(copy.data(), in, a.in_extent * sizeof(Complex));
  return copy;
}

}  // namespace

#define LAB_CALL \
  lab::sim::library_call { __func__, __builtin_return_address(0) }
#define LAB_COMPLEX(c) reinterpret_cast<fftw##c##_complex*>
#define LAB_LAYOUT(in, out) in, a.in_sizes, a.in_stride, a.in_distance, out, a.out_sizes, a.out_stride, a.out_distance
#define LAB_TRANSFORMS(c, Real, Complex, C2C, R2C, C2R)                                                               \
  cufftResult cufftExec##C2C(cufftHandle plan, Complex* from, Complex* to, int direction) {                           \
    return execute(plan, CUFFT_##C2C, from, to, LAB_CALL, [=](const arguments& a, Complex* in, Complex* out) {        \
      transform<fftw##c##_plan>(                                                                                      \
          [&] {                                                                                                       \
            return fftw##c##_plan_many_dft(a.rank, a.n, a.batch, LAB_LAYOUT(LAB_COMPLEX(c)(in), LAB_COMPLEX(c)(out)), \
                                           direction, FFTW_ESTIMATE);                                                 \
          },                                                                                                          \
          fftw##c##_execute, fftw##c##_destroy_plan);                                                                 \
    });                                                                                                               \
  }                                                                                                                   \
  cufftResult cufftExec##R2C(cufftHandle plan, Real* from, Complex* to) {                                             \
    return execute(plan, CUFFT_##R2C, from, to, LAB_CALL, [=](const arguments& a, Real* in, Complex* out) {           \
      transform<fftw##c##_plan>(                                                                                      \
          [&] {                                                                                                       \
            return fftw##c##_plan_many_dft_r2c(a.rank, a.n, a.batch, LAB_LAYOUT(in, LAB_COMPLEX(c)(out)),             \
                                               FFTW_ESTIMATE);                                                        \
          },                                                                                                          \
          fftw##c##_execute, fftw##c##_destroy_plan);                                                                 \
    });                                                                                                               \
  }                                                                                                                   \
  cufftResult cufftExec##C2R(cufftHandle plan, Complex* from, Real* to) {                                             \
    return execute(plan, CUFFT_##C2R, from, to, LAB_CALL, [=](const arguments& a, Complex* in, Real* out) {           \
      auto copy = static_cast<void*>(in) == static_cast<void*>(out) ? std::vector<Complex>{} : copy_of(a, in);        \
      Complex* const source = copy.empty() ? in : copy.data();                                                        \
      transform<fftw##c##_plan>(                                                                                      \
          [&] {                                                                                                       \
            return fftw##c##_plan_many_dft_c2r(a.rank, a.n, a.batch, LAB_LAYOUT(LAB_COMPLEX(c)(source), out),         \
                                               FFTW_ESTIMATE);                                                        \
          },                                                                                                          \
          fftw##c##_execute, fftw##c##_destroy_plan);                                                                 \
    });                                                                                                               \
  }
LAB_TRANSFORMS(f, cufftReal, cufftComplex, C2C, R2C, C2R)
LAB_TRANSFORMS(, cufftDoubleReal, cufftDoubleComplex, Z2Z, D2Z, Z2D)
