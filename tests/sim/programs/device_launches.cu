// strict: clang accepts no launch of a template by a kernel
// Kernels that launch kernels. A child sees what its parent wrote; the next launch and the host see what all wrote.
// prints: sums 1 2 4 8 16
// prints: order 1 3 2
// prints: tree 63
// prints: refused
#include <cstdio>

__global__ void add(int* sum, int depth) {
  atomicAdd(&sum[depth], 1);
  if (depth < 4 && threadIdx.x == 0) add<<<2, 1>>>(sum, depth + 1);
}

// The tail launch runs after the child, although it was launched first.
__global__ void note(int* order, int* count, int value) { order[(*count)++] = value; }
__global__ void parent(int* order, int* count) {
  order[(*count)++] = 1;
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, count, 2);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  note<<<1, 1, 0, stream>>>(order, count, 3);
  cudaStreamDestroy(stream);
}

struct node {
  int left, right, value;
};
template <int Threads>
__global__ void grow(node* nodes, int at, int most) {
  __shared__ int children[2];
  if (threadIdx.x < 2) children[threadIdx.x] = 2 * at + 1 + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) nodes[at] = {children[0], children[1], 1};
  if (threadIdx.x == Threads - 1 && children[1] < most) {
    grow<Threads><<<1, Threads>>>(nodes, children[0], most);
    grow<Threads><<<1, Threads>>>(nodes, children[1], most);
  }
}
__global__ void total(const node* nodes, int n, int* sum) {
  for (int i = 0; i < n; ++i) *sum += nodes[i].value;
}

__global__ void launch_too_large(int* error) {
  note<<<1, 2048>>>(nullptr, nullptr, 0);
  *error = cudaGetLastError();
}

int main() {
  int *numbers, host[8];
  node* nodes;
  cudaMalloc(&numbers, sizeof host);
  cudaMalloc(&nodes, 63 * sizeof(node));
  const auto clear = [&] { cudaMemset(numbers, 0, sizeof host); };
  const auto fetch = [&] { cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost); };
  clear();
  add<<<1, 1>>>(numbers, 0);
  fetch();
  printf("sums %d %d %d %d %d\n", host[0], host[1], host[2], host[3], host[4]);
  clear();
  parent<<<1, 1>>>(numbers, numbers + 7);
  fetch();
  printf("order %d %d %d\n", host[0], host[1], host[2]);
  clear();
  grow<32><<<1, 32>>>(nodes, 0, 63);
  total<<<1, 1>>>(nodes, 63, numbers);
  fetch();
  printf("tree %d\n", host[0]);
  launch_too_large<<<1, 1>>>(numbers);
  fetch();
  printf("%s\n", host[0] == cudaErrorInvalidConfiguration ? "refused" : "not refused");
  return cudaDeviceSynchronize();
}
