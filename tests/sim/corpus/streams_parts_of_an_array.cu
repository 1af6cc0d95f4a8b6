// hazard: none
// Every stream writes its own bytes, and all read the same.
__global__ void fill(const char* in, char* out, int first) { out[2 * threadIdx.x + first] = in[threadIdx.x]; }
int main() {
  char *in, *out;
  cudaMalloc(&in, 64);
  cudaMalloc(&out, 128);
  cudaMemset(in, 1, 64);
  cudaDeviceSynchronize();
  for (int k = 0; k < 2; ++k) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 64, 0, stream>>>(in, out, k);
  }
  return cudaDeviceSynchronize();
}
