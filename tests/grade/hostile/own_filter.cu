// expect: exited_early | protocol_violation
// Installs a system call filter so that the runner believes it received a request. The runner then reads old bytes.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>

#include "lab.hpp"

void vector_add(const int* a, const int* b, int* out, int n) {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_recvmsg, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{4, code};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

void vector_add_host(const int* a, const int* b, int* out, int n) {}
