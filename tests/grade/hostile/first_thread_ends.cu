// expect: memory_limit
// Allocates memory after its first thread has ended. Linux reports a process's memory by that thread.
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "lab.hpp"

static void take() {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (int i = 0; i < 96; ++i) {  // 1.5 GiB
    if (void* const some = std::malloc(16 << 20)) std::memset(some, 1, 16 << 20);
  }
  pause();
}

void vector_add(const int* a, const int* b, int* out, int n) {
  std::thread{take}.detach();
  syscall(SYS_exit, 0);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {}
