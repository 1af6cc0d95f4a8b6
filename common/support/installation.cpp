#include "support/installation.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace lab {

namespace fs = std::filesystem;

namespace {

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Other programs get these folders too, and may have another working directory.
fs::path folder_named_by(const char* name) {
  const auto named = from_environment(name);
  std::error_code ignored;
  return named.empty() ? named : fs::absolute(named, ignored);
}

fs::path first_of(const fs::path& wanted, const fs::path& otherwise) { return wanted.empty() ? otherwise : wanted; }

bool has(const fs::path& folder, std::string_view name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

// An installed tree holds labs/ beside bin/ and lib/; a build folder does not.
bool is_installed(const fs::path& build) { return has(build, "labs"); }

fs::path tree_of_this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

// The nearest folder of a course that contains the working directory; empty if there is none.
fs::path course_above() {
  std::error_code ignored;
  for (auto folder = fs::current_path(ignored); !folder.empty(); folder = folder.parent_path()) {
    if (has(folder, course_mark)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

// The kernels that root builds run as other users, who cannot enter root's own folder.
fs::path cache_of_user() {
  if (geteuid() == 0) return "/var/cache/kernel_lab";
  if (const auto cache = from_environment("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "kernel_lab";
  const auto* user = getpwuid(geteuid());
  return first_of(from_environment("HOME"), user ? user->pw_dir : "/nonexistent") / ".cache/kernel_lab";
}

installation find() {
  const auto tree = tree_of_this_program();
  installation found;
  found.build = first_of(folder_named_by("LAB_BUILD"), is_installed(tree) ? tree : fs::path{LAB_CONFIGURED_BUILD});
  const bool installed = is_installed(found.build);
  const auto home = installed ? found.build : first_of(folder_named_by("LAB_HOME"), LAB_CONFIGURED_ROOT);
  found.root = first_of(folder_named_by("LAB_ROOT"), first_of(course_above(), home));
  found.home = has(found.root, "common") ? found.root : home;  // LAB_ROOT may name another checkout
  found.cache = first_of(folder_named_by("LAB_CACHE"), installed ? cache_of_user() : found.build);
  return found;
}

}  // namespace

bool installation::in_course() const { return root != home || !is_installed(build); }

bool installation::is_checkout() const { return has(home, "CMakeLists.txt"); }

fs::path installation::solutions() const { return (has(root, "solutions") ? root : home) / "solutions"; }

std::vector<std::string> installation::variables() const {
  return {"LAB_HOME=" + home.string(), "LAB_ROOT=" + root.string(), "LAB_BUILD=" + build.string(),
          "LAB_CACHE=" + cache.string()};
}

const installation& here() {
  static const installation found = find();
  return found;
}

std::string_view version() { return LAB_CONFIGURED_VERSION; }

}  // namespace lab
