// link: cublas cublasLt
#include <cublasLt.h>

#include <array>
#include <map>

#include "lab.hpp"

// The network through cublasLt, in float and not in TF32, with bias and ReLU fused into the products; then a softmax of
// ours. The four launches are captured once for each set of pointers and replayed as a graph.

constexpr int pixels = 784, hidden = 100, classes = 10;
constexpr size_t workspace_bytes = 32 << 20;

template <class T>
static T* allocate(size_t elements) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, elements * sizeof(T));
  return pointer;
}

// cuBLAS counts down the columns: to it, our y = x w is y^T = w^T x^T, and w^T is what lies in memory.
struct layer {
  int inputs, outputs, batch;
  bool relu;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t w_layout = nullptr, x_layout = nullptr, y_layout = nullptr;
  cublasLtMatmulHeuristicResult_t chosen{};

  void plan(cublasLtHandle_t handle) {
    cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const cublasLtEpilogue_t epilogue = relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
    cublasLtMatrixLayoutCreate(&w_layout, CUDA_R_32F, outputs, inputs, outputs);
    cublasLtMatrixLayoutCreate(&x_layout, CUDA_R_32F, inputs, batch, inputs);
    cublasLtMatrixLayoutCreate(&y_layout, CUDA_R_32F, outputs, batch, outputs);
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                         sizeof workspace_bytes);
    int found = 0;
    cublasLtMatmulAlgoGetHeuristic(handle, product, w_layout, x_layout, y_layout, y_layout, preference, 1, &chosen,
                                   &found);
    cublasLtMatmulPreferenceDestroy(preference);
  }

  void run(cublasLtHandle_t handle, const float* x, const float* w, const float* b, float* y, void* workspace,
           cudaStream_t stream) const {
    const float one = 1, zero = 0;
    cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &b, sizeof b);
    cublasLtMatmul(handle, product, &one, w, w_layout, x, x_layout, &zero, y, y_layout, y, y_layout, &chosen.algo,
                   workspace, workspace_bytes, stream);
  }
};

__global__ void softmax_kernel(const float* scores, float* probabilities, int batch) {
  const int image = blockIdx.x * blockDim.x + threadIdx.x;
  if (image >= batch) return;
  const float* row = scores + image * classes;
  float largest = row[0], sum = 0, powers[classes];
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, row[c]);
  for (int c = 0; c < classes; ++c) sum += powers[c] = expf(row[c] - largest);
  for (int c = 0; c < classes; ++c) probabilities[image * classes + c] = powers[c] / sum;
}

using pointers = std::array<const float*, 8>;  // images, w1, b1, w2, b2, w3, b3, probabilities

// Everything that a batch size needs, planned and allocated once.
struct network {
  explicit network(int batch)
      : batch{batch},
        layers{layer{pixels, hidden, batch, true}, layer{hidden, hidden, batch, true},
               layer{hidden, classes, batch, false}} {
    cublasLtCreate(&handle);
    cudaStreamCreate(&stream);  // one that waits for stream 0: else nobody's times were free of the host's launches
    for (layer& l : layers) l.plan(handle);
    for (int i = 0; i < 3; ++i) outputs[i] = allocate<float>(size_t(batch) * layers[i].outputs);
    workspace = allocate<char>(workspace_bytes);
  }

  cudaGraphExec_t capture(const pointers& p) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    const float* x = p[0];
    for (int i = 0; i < 3; ++i) {
      layers[i].run(handle, x, p[1 + 2 * i], p[2 + 2 * i], outputs[i], workspace, stream);
      x = outputs[i];
    }
    softmax_kernel<<<(batch + 127) / 128, 128, 0, stream>>>(x, const_cast<float*>(p[7]), batch);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphDestroy(graph);
    return ready;
  }

  int batch;
  std::array<layer, 3> layers;
  cublasLtHandle_t handle = nullptr;
  cudaStream_t stream = nullptr;
  float* outputs[3] = {};
  char* workspace = nullptr;
  std::map<pointers, cudaGraphExec_t> graphs;
};

static void run(const pointers& p, int batch) {
  static std::map<int, network> networks;
  network& n = networks.try_emplace(batch, batch).first->second;
  const auto at = n.graphs.try_emplace(p, nullptr).first;
  if (!at->second) at->second = n.capture(p);
  cudaGraphLaunch(at->second, nullptr);
}

void forward_naive(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  run({images, w1, b1, w2, b2, w3, b3, probabilities}, batch);
}

void forward_tiled(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  run({images, w1, b1, w2, b2, w3, b3, probabilities}, batch);
}

void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch) {
  run({images, w1, b1, w2, b2, w3, b3, probabilities}, batch);
}
