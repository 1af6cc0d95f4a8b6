#include "sandbox/compiler_files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "build/build.hpp"
#include "catch.hpp"
#include "sandbox/sandbox.hpp"
#include "support/temporary_folder.hpp"

using namespace lab;
using namespace lab::grade;
namespace fs = std::filesystem;
using files = std::set<fs::path>;

namespace {

// Somebody's home: their own compiler, and a file that is nobody else's business.
struct home {
  temporary_folder folder{"home"};
  fs::path path = folder.path();
  home() {
    fs::permissions(path, fs::perms::owner_all | fs::perms::others_exec | fs::perms::others_read);
    for (const auto* name : {"bin", "lib", "letters"}) fs::create_directory(path / name);
    std::ofstream{path / "letters/private.h"} << "#error dear_diary\n";
    std::ofstream{path / "fine.cu"} << "__global__ void k(int* out) { *out = 1; }\n";
    std::ofstream{path / "peeks.cu"} << "#include \"" << (path / "letters/private.h").string() << "\"\n";
  }
  lab::judge::build_result build(const std::string& source, level l) const {
    return lab::judge::build({.source = path / source, .confine = confinement_of(l, 901)});
  }
};

const std::vector<level>& levels_here() {
  static const auto found = [] {
    std::vector<level> all;
    for (const auto l : {level::lockdown, level::other_user, level::namespaces})
      if (try_level(l, backend_kind::sim).holes.empty()) all.push_back(l);
    return all;
  }();
  return found;
}

struct chosen_compiler {
  explicit chosen_compiler(const fs::path& p) { setenv("LAB_CXX", p.c_str(), 1); }
  ~chosen_compiler() { unsetenv("LAB_CXX"); }
};

}  // namespace

TEST_CASE("of a compiler's prefix the sandbox shows the parts of the toolchain and nothing else") {
  const home h;
  fs::create_symlink("/usr/bin/g++", h.path / "bin/g++");
  CHECK(compiler_files(h.path / "bin/g++") == files{h.path / "bin", h.path / "lib"});
}

TEST_CASE("every link on the way to a compiler is followed, also one that lies in a home") {
  const home h, other;
  std::ofstream{other.path / "bin/g++"} << "#!/bin/sh\n";
  fs::create_symlink(other.path / "bin/g++", h.path / "my-g++");
  CHECK(compiler_files(h.path / "my-g++") == files{h.path / "my-g++", other.path / "bin", other.path / "lib"});
}

TEST_CASE("a compiler of the system and a missing one need nothing more") {
  CHECK(compiler_files("/usr/bin/g++").empty());
  CHECK(compiler_files("/nonexistent/bin/g++").empty());
}

TEST_CASE("a compiler outside the system's folders works in every sandbox, and reads nothing beside itself") {
  const home h;
  const auto compiler = h.path / "bin/g++";
  SECTION("through a link") { fs::create_symlink("/usr/bin/g++", compiler); }
  SECTION("as a program of its own, with its parts beside it") {
    fs::copy_file("/usr/bin/g++", compiler);
    for (const fs::path parts : {"lib/gcc", "libexec/gcc"}) {
      if (!fs::exists("/usr" / parts)) continue;
      fs::create_directories((h.path / parts).parent_path());
      fs::create_directory_symlink("/usr" / parts, h.path / parts);
    }
  }
  SECTION("through a link in a home") {
    fs::rename(h.path / "bin", h.path / "tools");
    fs::create_symlink("/usr/bin/g++", h.path / "tools/g++");
  }
  const auto& levels = levels_here();  // before that compiler is chosen, which they are tried with as well
  const chosen_compiler chosen{fs::exists(compiler) ? compiler : h.path / "tools/g++"};
  for (const auto l : levels) {
    INFO(describe(l));
    const auto fine = h.build("fine.cu", l), peeks = h.build("peeks.cu", l);
    INFO(fine.log);
    CHECK(fine.verdict == lab::verdict_kind::pass);
    CHECK_FALSE(fine.from_cache);
    fs::remove(fine.library);
    CHECK(peeks.verdict == lab::verdict_kind::compile_error);
    CHECK(peeks.log.find("dear_diary") == std::string::npos);
  }
}
