// hazard: error device_pointer 6 0
int main() {
  int* d;
  cudaMalloc(&d, 128);
  cudaMemset(d, 0, 128);
  return d[5];
}
