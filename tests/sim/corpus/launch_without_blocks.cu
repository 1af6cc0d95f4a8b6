// hazard: error launch_error 5 0
__global__ void k() {}
int main() {
  const int n = 10;
  k<<<n / 256, 256>>>();
  return 0;
}
