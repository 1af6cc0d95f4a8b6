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

struct orders {
  file_rules files;
  rlim_t processes = RLIM_INFINITY, open_files = 256;
  uid_t user = 0;
  bool change_user = false, compiler = false;
  std::vector<char*> program;
};

orders read_command_line(int argc, char** argv) {
  orders o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      o.program.assign(argv + i + 1, argv + argc + 1);
      break;
    }
    if (word == "--compiler") {
      o.compiler = true;
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(word + " needs a value");
    const std::string value = argv[++i];
    if (word == "--read")
      o.files.readable.push_back(value);
    else if (word == "--write")
      o.files.writable.push_back(value);
    else if (word == "--change")
      o.files.changeable.push_back(value);
    else if (word == "--device")
      o.files.devices.push_back(value);
    else if (word == "--processes")
      o.processes = std::stoul(value);
    else if (word == "--open-files")
      o.open_files = std::stoul(value);
    else if (word == "--user")
      o.user = static_cast<uid_t>(std::stoul(value)), o.change_user = true;
    else
      throw std::runtime_error("unknown option " + word);
  }
  if (o.program.size() < 2) throw std::runtime_error("usage: lab-confine [OPTION VALUE ...] -- PROGRAM [ARGUMENT ...]");
  return o;
}

// Threads that this user has now, for RLIMIT_NPROC counts them all.
rlim_t threads_of_this_user() {
  rlim_t count = 0;
  std::error_code ignored;
  for (const auto& e : fs::directory_iterator("/proc", ignored)) {
    struct stat s {};
    if (!std::isdigit(static_cast<unsigned char>(e.path().filename().string()[0]))) continue;
    if (stat(e.path().c_str(), &s) != 0 || s.st_uid != getuid()) continue;
    for ([[maybe_unused]] const auto& thread : fs::directory_iterator(e.path() / "task", ignored)) ++count;
  }
  return count;
}

// What this machine allows may be less already; only root could take more.
void limit(int number, rlim_t most) {
  const auto what = static_cast<__rlimit_resource>(number);
  rlimit both{};
  getrlimit(what, &both);
  both.rlim_cur = both.rlim_max = std::min(most, both.rlim_max);
  if (setrlimit(what, &both) != 0) throw std::system_error(errno, std::generic_category(), "setting a limit");
}

void become_user(uid_t user) {
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0)
    throw std::system_error(errno, std::generic_category(), "becoming another user");
  // The kernel has forgotten it with the change.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

/// Gives up what an untrusted program must not have, then becomes that program.
int main(int argc, char** argv) {
  try {
    const auto o = read_command_line(argc, argv);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_MEMLOCK, 1 << 20);
    limit(RLIMIT_MSGQUEUE, 0);
    limit(RLIMIT_NOFILE, o.open_files);
    if (o.change_user) become_user(o.user);
    if (o.processes != RLIM_INFINITY) limit(RLIMIT_NPROC, o.processes + threads_of_this_user());
    restrict_files(o.files);
    if (o.compiler) restrict_system_calls(trade::compiler);
    execv(o.program[0], o.program.data());
    throw std::system_error(errno, std::generic_category(), o.program[0]);
  } catch (const std::exception& e) {
    std::cerr << "lab-confine: " << e.what() << '\n';
    return 125;
  }
}
