// expect: wrong_answer
// Sends signals without kill(): it makes other processes the owners of its descriptors. It also lowers their priority.
// Its answer is right if any attack works.
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab.hpp"

static bool reaches_others() {
  int parent = getppid();
  f_owner_ex owner{F_OWNER_PID, parent};
  const sched_param none{};
  return fcntl(3, F_SETOWN, parent) == 0 || fcntl(3, F_SETOWN_EX, &owner) == 0 || fcntl(3, F_SETSIG, SIGWINCH) == 0 ||
         ioctl(3, FIOSETOWN, &parent) == 0 || ioctl(3, SIOCSPGRP, &parent) == 0 ||
         sched_setscheduler(1, SCHED_IDLE, &none) == 0 || syscall(SYS_ioprio_set, 1, parent, 3 << 13) == 0;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (reaches_others()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool reached = reaches_others();
  for (int i = 0; reached && i < n; ++i) out[i] = a[i] + b[i];
}
