// hazard: error misaligned 3 0
__global__ void read(const char* p, double* out) {
  *out = *reinterpret_cast<const double*>(p + 4);
}
int main() {
  char* p;
  double* out;
  cudaMalloc(&p, 64);
  cudaMalloc(&out, 8);
  cudaMemset(p, 0, 64);
  read<<<1, 1>>>(p, out);
  return 0;
}
