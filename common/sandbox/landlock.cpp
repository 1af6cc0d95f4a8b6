#include "sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace lab::lockdown {

namespace {

// The headers of Debian 12 do not define these yet.
constexpr std::uint64_t truncate_files = 1ull << 14, control_devices = 1ull << 15;
constexpr std::uint64_t abstract_sockets = 1ull << 0, signals = 1ull << 1;

struct ruleset_attributes {
  std::uint64_t files, network, scopes;
};

constexpr std::uint64_t read_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files | control_devices;
// fopen(..., "w") truncates, also a file of /proc, which has no length.
constexpr std::uint64_t change_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files;
constexpr std::uint64_t device_rights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files | control_devices;

[[noreturn]] void fail(const char* message) { throw std::system_error(errno, std::generic_category(), message); }

// The rights that each version of Linux's interface can refuse.
ruleset_attributes rights_in(int version) {
  ruleset_attributes rights{LANDLOCK_ACCESS_FS_REFER - 1, 0, 0};
  if (version >= 2) rights.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights.files |= truncate_files;
  if (version >= 4) rights.network = 3;  // bind and connect over TCP
  if (version >= 5) rights.files |= control_devices;
  if (version >= 6) rights.scopes = abstract_sockets | signals;
  return rights;
}

// A rule applies to an inode. Linux recreates a process's folder in /proc if no program keeps it open, so this process
// and the program that it becomes keep it open.
bool must_stay_open(const std::string& path) { return path.starts_with("/proc/"); }

void allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const int file = open(path.c_str(), must_stay_open(path) ? O_PATH : O_PATH | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  fstat(file, &status);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & file_rights;
  rule.parent_fd = file;
  const auto failed = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  if (!must_stay_open(path)) close(file);
  if (failed != 0) fail(("cannot allow " + path).c_str());
}

}  // namespace

void restrict_files(const file_rules& rules) {
  const auto version =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version < 1) fail("this version of Linux has no Landlock");
  const auto all = rights_in(version);
  const std::size_t known = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, known, 0));
  if (ruleset < 0) fail("cannot make a Landlock ruleset");
  for (const auto& path : rules.readable) allow(ruleset, path, read_rights & all.files);
  for (const auto& path : rules.writable) allow(ruleset, path, all.files);
  for (const auto& path : rules.changeable) allow(ruleset, path, change_rights & all.files);
  for (const auto& path : rules.devices) allow(ruleset, path, device_rights & all.files);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("cannot give up new privileges");
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) fail("cannot apply a Landlock ruleset");
  close(ruleset);
}

}  // namespace lab::lockdown
