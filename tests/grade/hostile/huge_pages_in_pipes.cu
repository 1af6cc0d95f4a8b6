// expect: wrong_answer
// Allocates memory that no limit counts: unmapped huge pages, each kept by a part of it in a pipe.
// Its answer is right if the attack works.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "lab.hpp"

static bool keeps_memory() {
  constexpr std::size_t huge = 2 << 20;
  int ends[2];
  char* const at = static_cast<char*>(mmap(nullptr, huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (at == MAP_FAILED || pipe(ends) != 0) return false;
  madvise(at, huge, MADV_HUGEPAGE);
  std::memset(at, 1, huge);
  const iovec corner{at, 4096};
  const bool kept = vmsplice(ends[1], &corner, 1, SPLICE_F_NONBLOCK) > 0;
  munmap(at, huge);
  return kept;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (keeps_memory()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool kept = keeps_memory();
  for (int i = 0; kept && i < n; ++i) out[i] = a[i] + b[i];
}
