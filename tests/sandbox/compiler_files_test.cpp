#include "sandbox/compiler_files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "build/kernel_cache.hpp"
#include "catch.hpp"
#include "sandbox/sandbox.hpp"
#include "support/temporary_folder.hpp"

using namespace lab;
using namespace lab::sandbox;
namespace fs = std::filesystem;
using files = std::set<fs::path>;

namespace {

// A user's home with a compiler and a private file.
struct home {
  temporary_folder folder{"home"};
  fs::path path = folder.path();
  home() {
    fs::permissions(path, fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
    for (const auto* name : {"bin", "lib", "documents"}) fs::create_directory(path / name);
    std::ofstream{path / "documents/private.h"} << "#error private_text\n";
    std::ofstream{path / "harmless.cu"} << "__global__ void k(int* out) { *out = 1; }\n";
    std::ofstream{path / "includes_private.cu"} << "#include \"" << (path / "documents/private.h").string() << "\"\n";
  }
  lab::judge::build_result build(const std::string& source, level chosen) const {
    return lab::judge::build({.source = path / source, .confine = confinement_of(chosen, 901)});
  }
};

const std::vector<level>& levels_here() {
  static const auto found = [] {
    std::vector<level> all;
    for (const auto chosen : {level::lockdown, level::other_user, level::namespaces})
      if (probe_level(chosen, backend_kind::sim).holds()) all.push_back(chosen);
    return all;
  }();
  return found;
}

struct chosen_compiler {
  explicit chosen_compiler(const fs::path& program) { setenv("LAB_CXX", program.c_str(), 1); }
  ~chosen_compiler() { unsetenv("LAB_CXX"); }
};

}  // namespace

TEST_CASE("from a compiler's prefix the sandbox takes only the toolchain's folders") {
  const home user;
  fs::create_symlink("/usr/bin/g++", user.path / "bin/g++");
  CHECK(compiler_files(user.path / "bin/g++") == files{user.path / "bin", user.path / "lib"});
}

TEST_CASE("every link to a compiler is followed, also a link in a home") {
  const home user, other;
  std::ofstream{other.path / "bin/g++"} << "#!/bin/sh\n";
  fs::create_symlink(other.path / "bin/g++", user.path / "my-g++");
  CHECK(compiler_files(user.path / "my-g++") == files{user.path / "my-g++", other.path / "bin", other.path / "lib"});
}

TEST_CASE("a system compiler and a missing compiler need no further files") {
  CHECK(compiler_files("/usr/bin/g++").empty());
  CHECK(compiler_files("/nonexistent/bin/g++").empty());
}

TEST_CASE("a compiler outside the system's folders works at every level and reads no private file") {
  const home user;
  const auto compiler = user.path / "bin/g++";
  SECTION("through a link") { fs::create_symlink("/usr/bin/g++", compiler); }
  SECTION("as a program with its toolchain's folders") {
    fs::copy_file("/usr/bin/g++", compiler);
    for (const fs::path parts : {"lib/gcc", "libexec/gcc"}) {
      if (!fs::exists("/usr" / parts)) continue;
      fs::create_directories((user.path / parts).parent_path());
      fs::create_directory_symlink("/usr" / parts, user.path / parts);
    }
  }
  SECTION("through a link in a home") {
    fs::rename(user.path / "bin", user.path / "tools");
    fs::create_symlink("/usr/bin/g++", user.path / "tools/g++");
  }
  const auto& levels = levels_here();  // probed before LAB_CXX is set, because the probe compiles too
  const chosen_compiler chosen{fs::exists(compiler) ? compiler : user.path / "tools/g++"};
  for (const auto at : levels) {
    INFO(describe(at));
    const auto harmless = user.build("harmless.cu", at), stolen = user.build("includes_private.cu", at);
    INFO(harmless.log);
    CHECK(harmless.verdict == lab::verdict_kind::pass);
    CHECK_FALSE(harmless.from_cache);
    fs::remove(harmless.library);
    CHECK(stolen.verdict == lab::verdict_kind::compile_error);
    CHECK(stolen.log.find("private_text") == std::string::npos);
  }
}
