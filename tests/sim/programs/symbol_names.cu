// A text in place of a variable is refused. Variables of characters are none.
// prints: by name: cudaErrorInvalidSymbol cudaErrorInvalidSymbol cudaErrorInvalidSymbol cudaErrorInvalidSymbol
// prints: told: 1
// prints: texts abc def, pointer cudaSuccess
#include <cstdio>
#include <cstring>

__constant__ float factors[2];
__constant__ char letters[4];
__device__ char words[4];
__device__ const char* pointer;

__global__ void move() {
  for (int i = 0; i < 4; ++i) words[i] = letters[i] ? letters[i] + 3 : 0;
}

int main() {
  const float two[2] = {1, 2};
  float back[2];
  void* address;
  const char* name = "factors";
  const cudaError_t first = cudaMemcpyToSymbol("factors", two, sizeof two);
  const bool told = std::strstr(cudaGetErrorString(cudaPeekAtLastError()), "invalid device symbol") != nullptr;
  const cudaError_t second = cudaMemcpyFromSymbol(back, "factors", sizeof back);
  const cudaError_t third = cudaGetSymbolAddress(&address, "factors");
  const cudaError_t fourth = cudaMemcpyToSymbol(name, two, sizeof two);
  std::printf("by name: %s %s %s %s\n", cudaGetErrorName(first), cudaGetErrorName(second), cudaGetErrorName(third),
              cudaGetErrorName(fourth));
  std::printf("told: %d\n", told);

  char a[4] = "abc", b[4];
  cudaMemcpyToSymbol(letters, a, sizeof a);
  move<<<1, 1>>>();
  cudaMemcpyFromSymbol(a, letters, sizeof a);
  cudaMemcpyFromSymbol(b, words, sizeof b);
  std::printf("texts %s %s, pointer %s\n", a, b, cudaGetErrorName(cudaMemcpyToSymbol(pointer, &name, sizeof name)));
}
