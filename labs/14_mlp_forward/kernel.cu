#include "lab.hpp"

constexpr int pixels = 784, hidden = 100, classes = 10;

// Weights and biases of one layer: `w` has inputs x outputs elements, `b` has outputs.
struct layer {
  const float *w, *b;
  int inputs, outputs;
  bool relu;
};

// What every layer does with a finished sum while it is still in a register; a kernel of its own for this would carry
// the whole layer to memory and back.
__device__ float activated(float sum, float bias, bool relu) {
  return sum;  // TODO: add the bias; with `relu`, whatever is below 0 then becomes 0.
}

// Element (row, col) of a rows x cols matrix; beyond its edges 0, which adds nothing to a sum.
__device__ float element(const float* matrix, int row, int col, int rows, int cols) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// Thread (x, y) owns one output of one image. A warp has 32 neighbouring outputs: it reads one pixel and 32 weights for
// 32 products.
__global__ void naive_kernel(layer l, const float* x, float* y, int batch) {
  const int output = blockIdx.x * blockDim.x + threadIdx.x;
  const int image = blockIdx.y * blockDim.y + threadIdx.y;
  if (image >= batch || output >= l.outputs) return;  // 100 and 10 are no multiples of a block

  float sum = 0;
  for (int k = 0; k < l.inputs; ++k) sum += x[image * l.inputs + k] * l.w[k * l.outputs + output];
  y[image * l.outputs + output] = activated(sum, l.b[output], l.relu);
}

constexpr int small = 16;

// A block owns 16 images x 16 outputs, each thread one of them, and moves along the inputs in steps of 16: a tile of x
// and a tile of w are staged in shared memory, and every element of them is used 16 times.
__global__ void tiled_kernel(layer l, const float* x, float* y, int batch) {
  __shared__ float x_tile[small][small], w_tile[small][small];
  const int output = blockIdx.x * small + threadIdx.x;
  const int image = blockIdx.y * small + threadIdx.y;

  float sum = 0;
  for (int first = 0; first < l.inputs; first += small) {
    x_tile[threadIdx.y][threadIdx.x] = element(x, image, first + threadIdx.x, batch, l.inputs);
    w_tile[threadIdx.y][threadIdx.x] = element(l.w, first + threadIdx.y, output, l.inputs, l.outputs);
    __syncthreads();  // both tiles are complete before a thread reads them ...
    for (int k = 0; k < small; ++k) sum += x_tile[threadIdx.y][k] * w_tile[k][threadIdx.x];
    __syncthreads();  // ... and no thread overwrites them before all have read
  }
  if (image < batch && output < l.outputs) y[image * l.outputs + output] = activated(sum, l.b[output], l.relu);
}

constexpr int side = 32;                       // a block owns 32 images x 32 outputs ...
constexpr int block_rows = 8;                  // ... with 32 x 8 threads ...
constexpr int per_thread = side / block_rows;  // ... so each thread has four sums

// Thread (x, y) owns output x of the images y, y + 8, y + 16 and y + 24. The four share the weight: once read, it
// serves four products.
__global__ void several_kernel(layer l, const float* x, float* y, int batch) {
  __shared__ float x_tile[side][side], w_tile[side][side];
  const int output = blockIdx.x * side + threadIdx.x;
  const int first_image = blockIdx.y * side;

  float sums[per_thread] = {};
  for (int first = 0; first < l.inputs; first += side) {
    for (int row = threadIdx.y; row < side; row += block_rows) {
      x_tile[row][threadIdx.x] = element(x, first_image + row, first + threadIdx.x, batch, l.inputs);
      w_tile[row][threadIdx.x] = element(l.w, first + row, output, l.inputs, l.outputs);
    }
    __syncthreads();
    for (int k = 0; k < side; ++k) {
      // TODO: read the weight for input k once, and add its product with input k of each of the four images.
    }
    __syncthreads();
  }
  for (int i = 0; i < per_thread; ++i) {
    const int image = first_image + threadIdx.y + i * block_rows;
    if (image < batch && output < l.outputs) y[image * l.outputs + output] = activated(sums[i], l.b[output], l.relu);
  }
}

constexpr int lanes = 16;  // half a warp has an image: each of the lanes 0 to 9 owns a class, 10 to 15 own nothing

// Turns the ten scores of each image into probabilities: exp(score) over the sum of all exp(score). exp() of a float
// overflows beyond 88; with the largest score subtracted from all, every exponent is at most 0. All 32 lanes of a warp
// take part in a shuffle, so lanes without an image or a class read a valid score and store nothing.
__global__ void softmax_kernel(const float* scores, float* probabilities, int batch) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int image = thread / lanes, c = thread % lanes;
  const bool owns = image < batch && c < classes;
  const float score = scores[min(image, batch - 1) * classes + min(c, classes - 1)];
  // TODO: the largest score and the sum of the powers, each by a butterfly of __shfl_xor_sync(); then the store.
}

static void run_naive(layer l, const float* x, float* y, int batch) {
  const dim3 block(32, 8);
  naive_kernel<<<dim3((l.outputs + 31) / 32, (batch + 7) / 8), block>>>(l, x, y, batch);
}

static void run_tiled(layer l, const float* x, float* y, int batch) {
  const dim3 grid((l.outputs + small - 1) / small, (batch + small - 1) / small);
  tiled_kernel<<<grid, dim3(small, small)>>>(l, x, y, batch);
}

static void run_several(layer l, const float* x, float* y, int batch) {
  const dim3 grid((l.outputs + side - 1) / side, (batch + side - 1) / side);
  several_kernel<<<grid, dim3(side, block_rows)>>>(l, x, y, batch);
}

// Device memory for the values between the layers. cudaFree() waits until the device has finished, so the memory is kept
// from call to call until a larger batch comes.
static float* scratch(size_t elements) {
  static float* kept = nullptr;
  static size_t size = 0;
  if (elements > size) {
    cudaFree(kept);
    size = cudaMalloc(&kept, elements * sizeof(float)) == cudaSuccess ? elements : 0;
  }
  return kept;
}

using runner = void(layer l, const float* x, float* y, int batch);

// Four kernels one after the other: each reads what the one before has written. Kernels in one stream run in order.
static void network(runner run, const float* images, layer l1, layer l2, layer l3, float* probabilities, int batch) {
  float* first = scratch(size_t(batch) * (hidden + hidden + classes));
  float* second = first + size_t(batch) * hidden;
  float* scores = second + size_t(batch) * hidden;
  run(l1, images, first, batch);
  run(l2, first, second, batch);
  run(l3, second, scores, batch);
  softmax_kernel<<<(batch * lanes + 127) / 128, 128>>>(scores, probabilities, batch);
}

void forward_naive(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  network(run_naive, images, {w1, b1, pixels, hidden, true}, {w2, b2, hidden, hidden, true},
          {w3, b3, hidden, classes, false}, probabilities, batch);
}

void forward_tiled(const float* images, const float* w1, const float* b1, const float* w2, const float* b2,
                   const float* w3, const float* b3, float* probabilities, int batch) {
  network(run_tiled, images, {w1, b1, pixels, hidden, true}, {w2, b2, hidden, hidden, true},
          {w3, b3, hidden, classes, false}, probabilities, batch);
}

void forward(const float* images, const float* w1, const float* b1, const float* w2, const float* b2, const float* w3,
             const float* b3, float* probabilities, int batch) {
  network(run_several, images, {w1, b1, pixels, hidden, true}, {w2, b2, hidden, hidden, true},
          {w3, b3, hidden, classes, false}, probabilities, batch);
}
