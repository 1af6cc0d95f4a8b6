// hazard: error constant_write 4 0
__constant__ int limit = 3;
__global__ void change(int* p) {
  *p = 5;
}
int main() {
  int* p;
  cudaGetSymbolAddress(&p, limit);
  change<<<1, 1>>>(p);
  return cudaDeviceSynchronize() == cudaSuccess;
}
