// expect: wrong_answer
// Opens a network connection.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(80);
  there.sin_addr.s_addr = inet_addr("127.0.0.1");
  const bool reached = connect(s, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
  const int local = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{AF_UNIX, {}};
  std::memcpy(name.sun_path + 1, "lab", 3);
  const bool bound = bind(local, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0;
  if (s >= 0 || local >= 0 || reached || bound) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
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
