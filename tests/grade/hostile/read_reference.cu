// expect: wrong_answer
// Searches for the solution and runs it.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  for (const std::string folder : {"../", "../../", "/autograder/source/", "/work/", "/root/", "/home/", "/tmp/"}) {
    std::error_code none;
    for (const auto& e : std::filesystem::directory_iterator(folder, none)) {
      void* other = e.path().extension() == ".so" ? dlopen(e.path().c_str(), RTLD_NOW) : nullptr;
      using launcher = void(const int*, const int*, int*, int);
      if (auto* f = other ? reinterpret_cast<launcher*>(dlsym(other, "_Z10vector_addPKiS0_Pii")) : nullptr)
        f(a, b, out, n);
    }
  }
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  int *da, *db, *dout;
  const size_t bytes = n * sizeof(int);
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&dout, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  vector_add(da, db, dout, n);
  cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dout);
}
