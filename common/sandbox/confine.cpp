#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "sandbox/landlock.hpp"
#include "sandbox/system_calls.hpp"

namespace {

using namespace lab::lockdown;
namespace fs = std::filesystem;

struct command_line {
  file_rules files;
  rlim_t processes = RLIM_INFINITY, open_files = 256;
  uid_t user = 0;
  bool change_user = false, compiler = false;
  std::vector<char*> program;
};

command_line read_command_line(int argc, char** argv) {
  command_line parsed;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--") {
      parsed.program.assign(argv + i + 1, argv + argc + 1);
      break;
    }
    if (option == "--compiler") {
      parsed.compiler = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(option + " needs a value");
    const std::string value = argv[++i];
    if (option == "--read")
      parsed.files.readable.push_back(value);
    else if (option == "--write")
      parsed.files.writable.push_back(value);
    else if (option == "--change")
      parsed.files.changeable.push_back(value);
    else if (option == "--device")
      parsed.files.devices.push_back(value);
    else if (option == "--processes")
      parsed.processes = std::stoul(value);
    else if (option == "--open-files")
      parsed.open_files = std::stoul(value);
    else if (option == "--user")
      parsed.user = static_cast<uid_t>(std::stoul(value)), parsed.change_user = true;
    else
      throw std::runtime_error("unknown option " + option);
  }
  if (parsed.program.size() < 2)
    throw std::runtime_error("usage: lab-confine [OPTION VALUE ...] -- PROGRAM [ARGUMENT ...]");
  return parsed;
}

// The threads that this user has now. RLIMIT_NPROC counts all of them.
rlim_t threads_of_this_user() {
  rlim_t count = 0;
  std::error_code ignored;
  for (const auto& process : fs::directory_iterator("/proc", ignored)) {
    struct stat status {};
    if (!std::isdigit(static_cast<unsigned char>(process.path().filename().string()[0]))) continue;
    if (stat(process.path().c_str(), &status) != 0 || status.st_uid != getuid()) continue;
    for ([[maybe_unused]] const auto& thread : fs::directory_iterator(process.path() / "task", ignored)) ++count;
  }
  return count;
}

// Never raises a limit: only root could.
void limit(int resource, rlim_t most) {
  const auto which = static_cast<__rlimit_resource>(resource);
  rlimit both{};
  getrlimit(which, &both);
  both.rlim_cur = both.rlim_max = std::min(most, both.rlim_max);
  if (setrlimit(which, &both) != 0) throw std::system_error(errno, std::generic_category(), "cannot set a limit");
}

void become_user(uid_t user) {
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot become another user");
  // Changing the user clears this setting.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

/// Drops the rights that an untrusted program must not have, then becomes that program.
int main(int argc, char** argv) {
  try {
    const auto line = read_command_line(argc, argv);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_MEMLOCK, 1 << 20);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_NOFILE, line.open_files);
    if (line.change_user) become_user(line.user);
    if (line.processes != RLIM_INFINITY) limit(RLIMIT_NPROC, line.processes + threads_of_this_user());
    restrict_files(line.files);
    if (line.compiler) restrict_system_calls(program_kind::compiler);
    execv(line.program[0], line.program.data());
    throw std::system_error(errno, std::generic_category(), line.program[0]);
  } catch (const std::exception& error) {
    std::cerr << "lab-confine: " << error.what() << '\n';
    return 125;
  }
}
