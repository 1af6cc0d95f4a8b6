// counts: returns 13 load global 2 8 8 0 0
// counts: returns 15 store global 1 1 1 0 0
// counts: returns 18 store global 1 4 4 0 0
// counts: by_block 22 load global 2 8 8 0 0
// counts: by_block 23 load global 1 1 1 0 0
// counts: by_block 24 store global 2 8 8 0 0
// A jump back is no loop for the tracer, so a lane executes line 13 twice with the same path. Only the first lane stores in
// between. In the second kernel the blocks differ in what their first lane executes.
__global__ void returns(const int* a, int* out) {
  const int t = threadIdx.x;
  int s = 0, i = 0;
again:
  s += a[i * 32 + t];
  if (i == 0 && t == 0)
    out[32] = 1;
  if (++i < 2)
    goto again;
  out[t] = s;
}
__global__ void by_block(const int* a, int* out) {
  const int t = threadIdx.x, b = blockIdx.x;
  int s = a[t];
  if (b == 1 && t == 0) s += a[64];
  out[b * 32 + t] = s;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 4096);
  returns<<<1, 32>>>(in, out);
  by_block<<<2, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
