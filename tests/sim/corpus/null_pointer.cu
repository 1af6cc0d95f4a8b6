// hazard: error out_of_bounds 2 0
__global__ void set(int* d) { d[threadIdx.x] = 1; }
int main() {
  set<<<1, 32>>>(nullptr);
  return 0;
}
