#include "sandbox/system_calls.hpp"

#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <system_error>

namespace lab::lockdown {

namespace {

struct release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
using filter = std::unique_ptr<void, release>;

void check(int status, const char* what) {
  if (status < 0) throw std::system_error(-status, std::generic_category(), what);
}

// A name that this version of libseccomp or this processor does not know has nothing to refuse.
void refuse(const filter& f, std::initializer_list<const char*> names, int error = EPERM) {
  for (const char* name : names) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) continue;
    const int status = seccomp_rule_add(f.get(), SCMP_ACT_ERRNO(error), number, 0);
    if (status != -EDOM) check(status, name);
  }
}

void refuse_if(const filter& f, const char* name, scmp_arg_cmp condition) {
  const int number = seccomp_syscall_resolve_name(name);
  const int status = seccomp_rule_add_array(f.get(), SCMP_ACT_ERRNO(EPERM), number, 1, &condition);
  if (status != -EDOM) check(status, name);
}

void refuse_for_all(const filter& f) {
  // Other processes, and what they hold.
  refuse(f, {"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open", "pidfd_getfd",
             "pidfd_send_signal", "migrate_pages", "move_pages"});
  // The network and every other channel between processes.
  refuse(
      f,
      {"socket",  "socketpair", "bind",        "connect",     "listen",         "accept",         "accept4",
       "shmget",  "shmat",      "semget",      "msgget",      "mq_open",        "memfd_secret",   "memfd_create",
       "add_key", "keyctl",     "request_key", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"});
  // Namespaces, mounts and the machine.
  refuse(f, {"unshare",
             "setns",
             "mount",
             "umount2",
             "pivot_root",
             "chroot",
             "open_tree",
             "move_mount",
             "fsopen",
             "fsconfig",
             "fsmount",
             "fspick",
             "mount_setattr",
             "bpf",
             "perf_event_open",
             "kexec_load",
             "kexec_file_load",
             "init_module",
             "finit_module",
             "delete_module",
             "reboot",
             "swapon",
             "swapoff",
             "syslog",
             "acct",
             "quotactl",
             "quotactl_fd",
             "settimeofday",
             "clock_settime",
             "clock_adjtime",
             "adjtimex",
             "iopl",
             "ioperm",
             "sethostname",
             "setdomainname",
             "vhangup",
             "personality",
             "name_to_handle_at",
             "open_by_handle_at",
             "fanotify_init",
             "lookup_dcookie",
             "mknod",
             "mknodat"});
  // Another identity.
  refuse(f, {"setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid",
             "capset"});
  refuse_if(f, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  refuse(f, {"clone3"}, ENOSYS);  // its flags cannot be seen; the C library then uses clone
}

void refuse_for_kernels(const filter& f) {
  refuse(f, {"fork", "vfork", "execve", "execveat"});
  refuse_if(f, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  // Landlock does not see these.
  refuse(f, {"chmod",       "fchmod",       "fchmodat",     "chown",     "fchown",   "fchownat",  "lchown",
             "utime",       "utimes",       "utimensat",    "futimesat", "setxattr", "lsetxattr", "fsetxattr",
             "removexattr", "lremovexattr", "fremovexattr", "truncate",  "flock",    "mlockall",  "setpriority"});
  refuse(f, {"setsid", "setpgid", "setrlimit", "tkill"});
  // Whoever owns a descriptor gets any signal that is asked for; other processes' priorities can be lowered.
  for (const auto order : {F_SETOWN, F_SETOWN_EX, F_SETSIG}) refuse_if(f, "fcntl", SCMP_A1_32(SCMP_CMP_EQ, order));
  for (const auto order : {FIOSETOWN, SIOCSPGRP}) refuse_if(f, "ioctl", SCMP_A1_32(SCMP_CMP_EQ, order));
  for (const char* name : {"sched_setparam", "sched_setscheduler", "sched_setattr"})
    refuse_if(f, name, SCMP_A0_32(SCMP_CMP_NE, 0));
  refuse(f, {"ioprio_set"});
  // A page that lies in a pipe keeps the 2 MiB around it, and counts nowhere once it is unmapped.
  refuse(f, {"vmsplice"});
  refuse_if(f, "prlimit64", SCMP_A2(SCMP_CMP_NE, 0));
  refuse_if(f, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG));
  refuse_if(f, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE));
  const auto me = static_cast<scmp_datum_t>(getpid());
  for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    refuse_if(f, name, SCMP_A0_32(SCMP_CMP_NE, me));
}

}  // namespace

void restrict_system_calls(trade t) {
  const filter f{seccomp_init(SCMP_ACT_ALLOW)};
  if (!f) throw std::system_error(ENOSYS, std::generic_category(), "this kernel has no seccomp");
  check(seccomp_attr_set(f.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "refusing other call interfaces");
  check(seccomp_attr_set(f.get(), SCMP_FLTATR_CTL_TSYNC, 1), "reaching all threads");
  refuse_for_all(f);
  if (t == trade::kernel) refuse_for_kernels(f);
  check(seccomp_load(f.get()), "loading a seccomp filter");
}

}  // namespace lab::lockdown
