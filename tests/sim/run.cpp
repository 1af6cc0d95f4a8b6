#include "run.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace lab::test {

namespace {

// In a sanitized build, programs crash as in another, and what an abandoned kernel owned may leak.
constexpr const char* sanitizer_options =
    "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";

}  // namespace

outcome run(const std::string& command) {
  setenv("ASAN_OPTIONS", sanitizer_options, 0);
  FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  std::string out;
  char part[4096];
  while (const std::size_t n = fread(part, 1, sizeof part, pipe)) out.append(part, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out};
}

folder::folder() {
  std::string name = (std::filesystem::temp_directory_path() / "lab-sim-XXXXXX").string();
  path = mkdtemp(name.data());
}

std::filesystem::path folder::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((path / name).parent_path());
  std::ofstream{path / name} << text;
  return path / name;
}

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  return text.str();
}

}  // namespace lab::test
