#include "sandbox/compiler_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace lab::sandbox {

namespace fs = std::filesystem;

namespace {

constexpr int most_links = 40;  // as in Linux

// Every sandbox contains these folders.
bool of_the_system(const fs::path& path) {
  constexpr std::array<std::string_view, 5> folders{"/usr/", "/bin/", "/lib/", "/lib64/", "/etc/alternatives/"};
  return std::ranges::any_of(folders, [&](auto folder) { return path.native().starts_with(folder); });
}

bool of_a_toolchain(const std::string& name) {
  constexpr std::array<std::string_view, 8> usual{"bin",     "lib",     "lib32", "lib64",
                                                  "libexec", "include", "nvvm",  "targets"};
  return std::ranges::find(usual, name) != usual.end() || name.ends_with("-linux-gnu");  // a cross compiler's folder
}

void add(const fs::path& compiler, std::set<fs::path>& all) {
  const auto folder = compiler.parent_path();
  if (of_the_system(compiler)) return;
  if (folder.filename() != "bin") {
    all.insert(compiler);
    return;
  }
  std::error_code none;
  for (const auto& part : fs::directory_iterator(folder.parent_path(), none))
    if (of_a_toolchain(part.path().filename().string()) && part.is_directory(none)) all.insert(part.path());
}

}  // namespace

std::set<fs::path> compiler_files(const fs::path& compiler) {
  std::set<fs::path> all;
  std::error_code none;
  const auto end = fs::canonical(compiler, none);
  if (none) return all;
  auto link = fs::absolute(compiler).lexically_normal();
  for (int links = 0; links < most_links; ++links) {
    add(link, all);
    const auto next = fs::read_symlink(link, none);
    if (none) break;
    link = (link.parent_path() / next).lexically_normal();
  }
  add(end, all);  // needed if a folder on the way is a link
  return all;
}

}  // namespace lab::sandbox
