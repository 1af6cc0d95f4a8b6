// expect: wrong_answer | nondeterministic | protocol_violation
// Finds the request in the runner's stack and replies before there is a result.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "lab.hpp"

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  // The request begins with its nonce, then command 0 and one library; the reply is the nonce and status done.
  struct {
    std::uint64_t nonce;
    std::uint32_t what;
    char rest[3076];
  } reply{};
  const auto* at = reinterpret_cast<const std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 4096; ++i)
    if (at[i + 1] == (std::uint64_t{1} << 32) && at[i] != 0) {
      reply.nonce = at[i];
      break;
    }
  send(3, &reply, sizeof reply, MSG_NOSIGNAL);
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
