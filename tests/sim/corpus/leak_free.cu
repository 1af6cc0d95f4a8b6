// hazard: none
int main() {
  int* d;
  cudaMalloc(&d, 16);
  cudaFree(d);
}
