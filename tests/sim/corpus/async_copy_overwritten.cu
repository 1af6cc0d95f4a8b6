// hazard: error missing_synchronization 10 0
int main() {
  int *d, *h;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&d, 128);
  cudaMallocHost(&h, 128);
  for (int i = 0; i < 32; ++i) h[i] = i;
  cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, s);
  h[3] = 5;
  cudaStreamSynchronize(s);
  return 0;
}
