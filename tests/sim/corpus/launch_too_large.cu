// hazard: error launch_error 6 0
__global__ void k() {}
int main() {
  const int threads = 1025;
  // One thread more than a block may have.
  k<<<1, threads>>>();
  return 0;
}
