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

// Younger than the headers of Debian 12.
constexpr std::uint64_t truncate_files = 1ull << 14, control_devices = 1ull << 15;
constexpr std::uint64_t abstract_sockets = 1ull << 0, signals = 1ull << 1;

struct ruleset_attributes {
  std::uint64_t files, network, scopes;
};

constexpr std::uint64_t read_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t file_rights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files | control_devices;
// A file of /proc knows no length, but fopen(..., "w") asks for it to be cut all the same.
constexpr std::uint64_t change_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files;
constexpr std::uint64_t device_rights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files | control_devices;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// What each version of the kernel's interface can refuse.
ruleset_attributes all_that(int version) {
  ruleset_attributes a{LANDLOCK_ACCESS_FS_REFER - 1, 0, 0};
  if (version >= 2) a.files |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) a.files |= truncate_files;
  if (version >= 4) a.network = 3;  // bind and connect over TCP
  if (version >= 5) a.files |= control_devices;
  if (version >= 6) a.scopes = abstract_sockets | signals;
  return a;
}

// A rule holds for an inode, and /proc makes a process's folder anew when nobody has held it for a while: so it is kept
// open, by the program that follows as well.
bool comes_and_goes(const std::string& path) { return path.starts_with("/proc/"); }

void allow(int ruleset, const std::string& path, std::uint64_t rights) {
  const int at = open(path.c_str(), comes_and_goes(path) ? O_PATH : O_PATH | O_CLOEXEC);
  if (at < 0) return;
  struct stat s {};
  fstat(at, &s);
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(s.st_mode) ? rights : rights & file_rights;
  rule.parent_fd = at;
  const auto status = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  if (!comes_and_goes(path)) close(at);
  if (status != 0) fail(("allowing " + path).c_str());
}

}  // namespace

void restrict_files(const file_rules& rules) {
  const auto version =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version < 1) fail("this kernel has no Landlock");
  const auto all = all_that(version);
  const std::size_t known = version >= 6 ? sizeof all : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, known, 0));
  if (ruleset < 0) fail("making a Landlock ruleset");
  for (const auto& path : rules.readable) allow(ruleset, path, read_rights & all.files);
  for (const auto& path : rules.writable) allow(ruleset, path, all.files);
  for (const auto& path : rules.changeable) allow(ruleset, path, change_rights & all.files);
  for (const auto& path : rules.devices) allow(ruleset, path, device_rights & all.files);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("giving up new privileges");
  if (syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) fail("applying a Landlock ruleset");
  close(ruleset);
}

}  // namespace lab::lockdown
