// expect: wrong_answer
// Leaves data for a later run wherever data could outlive a process. Its answer is right if the attack works.
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lab.hpp"

static bool file_can_be_left() {
  for (const char* path : {"/tmp/lab-note", "/var/tmp/lab-note", "/dev/shm/lab-note", "/dev/lab-note", "/run/lab-note",
                           "/lab-note", "lab-note"})
    if (open(path, O_CREAT | O_RDWR, 0666) >= 0) return unlink(path) == 0;
  return false;
}

static bool leaves_a_note() {
  return file_can_be_left() || shmget(4711, 4096, IPC_CREAT | 0666) >= 0 || semget(4711, 1, IPC_CREAT | 0666) >= 0 ||
         syscall(SYS_add_key, "user", "lab-note", "x", 1ul, -4) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
         setxattr("/proc/self/exe", "user.lab-note", "x", 1, 0) == 0;
}

__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

void vector_add(const int* a, const int* b, int* out, int n) {
  if (leaves_a_note()) add<<<(n + 255) / 256, 256>>>(a, b, out, n);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {
  const bool left = leaves_a_note();
  for (int i = 0; left && i < n; ++i) out[i] = a[i] + b[i];
}
