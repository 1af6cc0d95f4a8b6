// hazard: none
struct pixel {
  unsigned char r, g, b, a;
};
__global__ void clears_own(bool* flags) {
  if (flags[threadIdx.x]) flags[threadIdx.x] = false;
}
__global__ void halves_own(short* values) { values[threadIdx.x] /= 2; }
__global__ void in_shared(int* sums) {
  __shared__ unsigned char level[96];
  level[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  level[threadIdx.x] += 2;
  __syncthreads();
  sums[threadIdx.x] = level[threadIdx.x] + level[95 - threadIdx.x];
}
__global__ void one_of_each_warp(char* counts) {
  if (threadIdx.x % 32 == 5) counts[threadIdx.x / 32] += 1;
}
__global__ void one_of_each_block(signed char* counts) {
  if (threadIdx.x == 3) counts[blockIdx.x] += 1;
}
__global__ void channels(pixel* image) {
  unsigned char* const channel = &image[threadIdx.x / 4].r + threadIdx.x % 4;
  *channel = static_cast<unsigned char>(255 - *channel);
}
__global__ void words_then_bytes(unsigned* words) {
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(words);
  for (unsigned i = threadIdx.x; i < blockDim.x * 4; i += blockDim.x) bytes[i] ^= 1;
  __syncthreads();
  words[threadIdx.x] += 1;
}
int main() {
  void* memory;
  int* sums;
  cudaMalloc(&memory, 512);
  cudaMalloc(&sums, 96 * sizeof(int));
  cudaMemset(memory, 1, 512);
  clears_own<<<1, 128>>>(static_cast<bool*>(memory));
  halves_own<<<1, 128>>>(static_cast<short*>(memory));
  in_shared<<<1, 96>>>(sums);
  in_shared<<<1, 96>>>(sums);
  one_of_each_warp<<<1, 128>>>(static_cast<char*>(memory));
  one_of_each_block<<<8, 32>>>(static_cast<signed char*>(memory));
  channels<<<1, 64>>>(static_cast<pixel*>(memory));
  words_then_bytes<<<1, 64>>>(static_cast<unsigned*>(memory));
  return cudaDeviceSynchronize();
}
