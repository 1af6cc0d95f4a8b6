// expect: wrong_answer
// Attaches to the judge, reads its memory and opens its files. Its answer is right if any attack works.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "lab.hpp"

// Nothing need lie at the address: who may not read at all gets another error.
static bool moves_memory(decltype(process_vm_readv)* move, int process) {
  char bytes[64] = {};
  const iovec here{bytes, sizeof bytes}, there{reinterpret_cast<void*>(0x400000), sizeof bytes};
  return move(process, &here, 1, &there, 1, 0) > 0 || errno == EFAULT;
}

static bool attaches(int process) {
  if (ptrace(PTRACE_ATTACH, process, nullptr, nullptr) != 0) return false;
  waitpid(process, nullptr, __WALL);
  ptrace(PTRACE_DETACH, process, nullptr, nullptr);
  return true;
}

static bool reaches_the_judge() {
  const int judge = getppid();
  const auto file = [&](const char* name) { return "/proc/" + std::to_string(judge) + "/" + name; };
  return attaches(judge) || moves_memory(process_vm_readv, judge) || moves_memory(process_vm_writev, judge) ||
         open(file("mem").c_str(), O_RDWR) >= 0 || open(file("mem").c_str(), O_RDONLY) >= 0 ||
         open(file("environ").c_str(), O_RDONLY) >= 0;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (reaches_the_judge()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool worked = reaches_the_judge();
  for (int i = 0; worked && i < n; ++i) out[i] = a[i] + b[i];
}
