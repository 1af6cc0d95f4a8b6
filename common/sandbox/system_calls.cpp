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

void check(int status, const char* message) {
  if (status < 0) throw std::system_error(-status, std::generic_category(), message);
}

// Skips names that this version of libseccomp or this processor does not have.
void refuse(const filter& rules, std::initializer_list<const char*> names, int error = EPERM) {
  for (const char* name : names) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) continue;
    const int status = seccomp_rule_add(rules.get(), SCMP_ACT_ERRNO(error), number, 0);
    if (status != -EDOM) check(status, name);
  }
}

void refuse_if(const filter& rules, const char* name, scmp_arg_cmp condition) {
  const int number = seccomp_syscall_resolve_name(name);
  const int status = seccomp_rule_add_array(rules.get(), SCMP_ACT_ERRNO(EPERM), number, 1, &condition);
  if (status != -EDOM) check(status, name);
}

void refuse_for_all(const filter& rules) {
  // Other processes and their memory and files.
  refuse(rules, {"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open",
                 "pidfd_getfd", "pidfd_send_signal", "migrate_pages", "move_pages"});
  // The network and all other communication between processes.
  refuse(
      rules,
      {"socket",  "socketpair", "bind",        "connect",     "listen",         "accept",         "accept4",
       "shmget",  "shmat",      "semget",      "msgget",      "mq_open",        "memfd_secret",   "memfd_create",
       "add_key", "keyctl",     "request_key", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"});
  // Namespaces, mounts and the machine.
  refuse(rules, {"unshare",
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
                 "inotify_init",
                 "inotify_init1",
                 "inotify_add_watch",
                 "lookup_dcookie",
                 "mknod",
                 "mknodat"});
  // Another identity.
  refuse(rules, {"setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid",
                 "setfsgid", "capset"});
  refuse_if(rules, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
  refuse(rules, {"clone3"}, ENOSYS);  // seccomp cannot read its flags; the C library then uses clone
}

// Jobs that may read the same file could signal to each other by locks on it. A GPU's driver may need locks.
void refuse_locks(const filter& rules) {
  for (const auto command : {F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW})
    refuse_if(rules, "fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
}

// A thread that could leave the cores of its job would slow other jobs.
void refuse_other_cores(const filter& rules, program_kind kind) {
  if (kind == program_kind::kernel)
    refuse(rules, {"sched_setaffinity"});
  else
    refuse_if(rules, "sched_setaffinity", SCMP_A0_32(SCMP_CMP_NE, 0));
}

void refuse_for_kernels(const filter& rules) {
  refuse(rules, {"fork", "vfork", "execve", "execveat"});
  refuse_if(rules, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  // Landlock does not cover these.
  refuse(rules, {"chmod",       "fchmod",       "fchmodat",     "chown",     "fchown",   "fchownat",  "lchown",
                 "utime",       "utimes",       "utimensat",    "futimesat", "setxattr", "lsetxattr", "fsetxattr",
                 "removexattr", "lremovexattr", "fremovexattr", "truncate",  "flock",    "mlockall",  "setpriority"});
  refuse(rules, {"setsid", "setpgid", "setrlimit", "tkill"});
  // A descriptor's owner receives any chosen signal, so a kernel must not choose the owner.
  // A lease or a notification tells of accesses by other processes, and a lease delays them.
  for (const auto command : {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY})
    refuse_if(rules, "fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
  for (const auto command : {FIOSETOWN, SIOCSPGRP}) refuse_if(rules, "ioctl", SCMP_A1_32(SCMP_CMP_EQ, command));
  // These could lower the priority of other processes.
  for (const char* name : {"sched_setparam", "sched_setscheduler", "sched_setattr"})
    refuse_if(rules, name, SCMP_A0_32(SCMP_CMP_NE, 0));
  refuse(rules, {"ioprio_set"});
  // A page in a pipe keeps its 2 MiB huge page allocated. No limit counts that page after it is unmapped.
  refuse(rules, {"vmsplice"});
  refuse_if(rules, "prlimit64", SCMP_A2(SCMP_CMP_NE, 0));
  refuse_if(rules, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG));
  refuse_if(rules, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE));
  const auto me = static_cast<scmp_datum_t>(getpid());
  for (const char* name : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
    refuse_if(rules, name, SCMP_A0_32(SCMP_CMP_NE, me));
}

}  // namespace

void restrict_system_calls(program_kind kind) {
  const filter rules{seccomp_init(SCMP_ACT_ALLOW)};
  if (!rules) throw std::system_error(ENOSYS, std::generic_category(), "this version of Linux has no seccomp");
  check(seccomp_attr_set(rules.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
        "cannot refuse other system call interfaces");
  check(seccomp_attr_set(rules.get(), SCMP_FLTATR_CTL_TSYNC, 1), "cannot restrict all threads");
  refuse_for_all(rules);
  if (kind != program_kind::compiler) refuse_for_kernels(rules);
  if (kind != program_kind::compiler) refuse_other_cores(rules, kind);
  if (kind == program_kind::kernel) refuse_locks(rules);
  check(seccomp_load(rules.get()), "cannot load a seccomp filter");
}

}  // namespace lab::lockdown
