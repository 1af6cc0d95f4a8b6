#include "build/patched_kernel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "build/kernel_variant.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

// With --unified a patch cannot hold a script for `ed`; with --force nothing is asked or applied in reverse.
spawn_request patch_command(const fs::path& solution, const fs::path& patch, const fs::path& output) {
  spawn_request r;
  r.arguments = {"patch",           "--unified", "--force", "--fuzz=0", "--silent",
                 "--reject-file=-", "--output",  output,    solution,   patch};
  r.environment = clean_environment({});
  return r;
}

}  // namespace

fs::path patched_kernel(const entry& lab, const fs::path& patch) {
  const auto solution = solution_of(lab).source;
  const auto kernel = here().cache / "patched" / lab.name / patch.stem().concat(".cu");
  // Another process may apply the same patch at this moment, so the kernel appears in one step.
  const fs::path part = fmt::format("{}.{}.part", kernel.string(), getpid());
  fs::create_directories(kernel.parent_path());
  const auto end = run_program(patch_command(solution, patch, part), 10);
  if (!end.well()) {
    fs::remove(part);
    throw usage_error(fmt::format("{} cannot be applied to {}; the program `patch` says:\n{}", patch.string(),
                                  solution.string(), end.output));
  }
  fs::rename(part, kernel);
  return kernel;
}

}  // namespace lab::judge
