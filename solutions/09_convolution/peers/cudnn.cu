// link: cudnn
#include <cudnn.h>

#include <map>
#include <tuple>

#include "lab.hpp"

// One image of one channel. Looking for the fastest algorithm takes much longer than any of them, so it is done once
// for each shape; full float precision, without TF32.
namespace {

struct plan {
  cudnnTensorDescriptor_t in, out;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t convolution;
  cudnnConvolutionFwdAlgo_t algorithm;
  size_t bytes;
  void* workspace;
};

cudnnHandle_t handle() {
  static const cudnnHandle_t one = [] {
    cudnnHandle_t made = nullptr;
    cudnnCreate(&made);
    return made;
  }();
  return one;
}

plan describe(int n, int m, int p, int q, int stride) {
  plan made{};
  cudnnCreateTensorDescriptor(&made.in);
  cudnnSetTensor4dDescriptor(made.in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, n, m);
  cudnnCreateTensorDescriptor(&made.out);
  cudnnSetTensor4dDescriptor(made.out, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, (n - p) / stride + 1,
                             (m - q) / stride + 1);
  cudnnCreateFilterDescriptor(&made.filter);
  cudnnSetFilter4dDescriptor(made.filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, p, q);
  cudnnCreateConvolutionDescriptor(&made.convolution);
  cudnnSetConvolution2dDescriptor(made.convolution, 0, 0, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                  CUDNN_DATA_FLOAT);
  cudnnSetConvolutionMathType(made.convolution, CUDNN_FMA_MATH);
  return made;
}

void choose(plan& for_it, const float* in, const float* filter, float* out) {
  constexpr size_t most = size_t(1) << 30;
  void* room = nullptr;
  cudaMalloc(&room, most);
  cudnnConvolutionFwdAlgoPerf_t fastest{};
  int found = 0;
  cudnnFindConvolutionForwardAlgorithmEx(handle(), for_it.in, in, for_it.filter, filter, for_it.convolution, for_it.out,
                                         out, 1, &found, &fastest, room, most);
  cudaFree(room);
  for_it.algorithm = fastest.algo;
  for_it.bytes = fastest.memory;
  if (fastest.memory > 0) cudaMalloc(&for_it.workspace, fastest.memory);
}

}  // namespace

void convolve(const float* in, const float* filter, float* out, int n, int m, int p, int q, int stride) {
  static std::map<std::tuple<int, int, int, int, int>, plan> plans;
  const auto [at, is_new] = plans.try_emplace({n, m, p, q, stride});
  plan& how = at->second;
  if (is_new) {
    how = describe(n, m, p, q, stride);
    choose(how, in, filter, out);
  }
  const float one = 1, zero = 0;
  cudnnConvolutionForward(handle(), &one, how.in, in, how.filter, filter, how.convolution, how.algorithm, how.workspace,
                          how.bytes, &zero, how.out, out);
}
