// hazard: error host_pointer 3 0
__global__ void set(int* d) {
  d[threadIdx.x] = 1;
}
int main() {
  int* h = new int[32];
  set<<<1, 32>>>(h);
  delete[] h;
  return 0;
}
