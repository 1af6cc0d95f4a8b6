// hazard: none
__global__ void square(int* d, const int* n) { d[threadIdx.x] = *n * threadIdx.x; }
int main() {
  int *d, *n, *other;
  cudaStream_t s, t;
  cudaEvent_t done;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaMallocManaged(&d, 128);
  cudaMallocManaged(&n, 4);
  cudaMallocManaged(&other, 4);
  *n = 3;
  square<<<1, 32>>>(d, n);
  *other = *n;  // both only read
  cudaDeviceSynchronize();
  *n = d[1];
  square<<<1, 16, 0, s>>>(d, n);
  d[20] = 1;  // the kernel does not touch it
  cudaStreamSynchronize(s);
  *n = d[1];
  square<<<1, 32, 0, s>>>(d, n);
  cudaEventRecord(done, s);
  cudaStreamWaitEvent(t, done);
  square<<<1, 32, 0, t>>>(d, n);
  cudaStreamSynchronize(t);
  *n = d[1];
  square<<<1, 32>>>(d, n);
  int h;
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  return *n + d[1] + h == 0;
}
