// hazard: none
// The streams begin after the fill, in the legacy stream, and end before the copy.
__global__ void add(float* sum, float part) { atomicAdd(&sum[threadIdx.x], part); }
__global__ void copy(const float* sum, float* out) { out[threadIdx.x] = sum[threadIdx.x]; }
int main() {
  float *sum, *out;
  cudaMalloc(&sum, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(sum, 0, 64 * sizeof(float));
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, 0);
  for (int k = 0; k < 3; ++k) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamWaitEvent(stream, begin);
    add<<<1, 64, 0, stream>>>(sum, k + 1.f);
    cudaEventRecord(end, stream);
    cudaStreamWaitEvent(0, end);
    cudaStreamDestroy(stream);
  }
  copy<<<1, 64>>>(sum, out);
  return cudaDeviceSynchronize();
}
