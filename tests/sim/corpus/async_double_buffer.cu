// hazard: none
int main() {
  int *d, *h;
  cudaStream_t s[2];
  cudaMalloc(&d, 256);
  cudaMallocHost(&h, 256);
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&s[i]);
  for (int round = 0; round < 6; ++round) {
    const int half = round % 2 * 32;
    cudaStreamSynchronize(s[round % 2]);
    for (int i = 0; i < 32; ++i) h[half + i] = i;
    cudaMemcpyAsync(d + half, h + half, 128, cudaMemcpyHostToDevice, s[round % 2]);
  }
  return cudaDeviceSynchronize();
}
