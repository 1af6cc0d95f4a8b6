#include "run.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "catch.hpp"

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

std::string copies_of(const std::string& messages) {
  const std::string kept = "the rewritten sources are in ";
  const auto at = messages.rfind(kept) + kept.size();
  return messages.substr(at, messages.find('\n', at) - at);
}

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  return text.str();
}

traced_program::traced_program(const std::filesystem::path& source) {
  const auto built = run(std::string{LABCC} + " --trace " + source.string() + " -o " + binary_);
  INFO(source << "\n" << built.out);
  REQUIRE(built.status == 0);
}

std::string traced_program::report(const std::string& settings) const {
  run(settings + " LAB_SIM_JSON=" + report_ + " timeout 60 " + binary_);
  const auto text = contents(report_);
  REQUIRE_FALSE(text.empty());
  std::filesystem::remove(report_);
  return text;
}

std::vector<std::filesystem::path> sources(const std::string& folder) {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == ".cu") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

std::vector<std::filesystem::path> quarter(const std::string& folder, std::size_t first) {
  const auto all = sources(folder);
  std::vector<std::filesystem::path> some;
  for (std::size_t i = first; i < all.size(); i += 4) some.push_back(all[i]);
  return some;
}

}  // namespace lab::test
