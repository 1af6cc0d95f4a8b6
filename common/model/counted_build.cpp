#include "model/counted_build.hpp"

#include "build/toolchain.hpp"
#include "support/installation.hpp"
#include "support/process.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double longest_compilation_s = 60;

// The headers are precompiled with some of these options (common/sim/CMakeLists.txt).
// nvcc contracts multiply-adds, unrolls loops of known length and inlines all functions. Vectors of the host are no
// instructions of a warp. The length of an array says nothing of how often a loop runs.
const std::vector<std::string> device_like{"-DLAB_SIM_COUNTED",
                                           "-O3",
                                           "-g1",
                                           "-w",
#ifdef __x86_64__
                                           "-mfma",
                                           "-mtls-dialect=gnu2",
#endif
                                           "-ffp-contract=fast",
                                           "-fno-math-errno",
                                           "-fno-tree-loop-vectorize",
                                           "-fno-tree-slp-vectorize",
                                           "-fno-peel-loops",
                                           "-fno-aggressive-loop-optimizations",
                                           "-fno-ipa-icf",
                                           "-fno-version-loops-for-strides",
                                           "-fno-unswitch-loops",
                                           "-fno-split-loops",
                                           "--param=max-inline-insns-single=100000",
                                           "--param=max-inline-insns-auto=100000",
                                           "--param=large-function-growth=100000",
                                           "--param=inline-min-speedup=0",
                                           "--param=inline-unit-growth=100000",
                                           "--param=max-completely-peel-times=64",
                                           "--param=max-completely-peeled-insns=4000"};

// Passes that follow the counters: they take a third of the compilation, and save less in a run of a few blocks.
const std::vector<std::string> quickly{
    "-fno-tree-pre",          "-fno-ivopts",          "-fno-gcse",
    "-fno-gcse-after-reload", "-fno-schedule-insns2", "-fno-rerun-cse-after-loop",
    "-fno-crossjumping",      "-fno-cprop-registers", "-fno-predictive-commoning",
    "-fno-tree-slsr",         "-fno-split-paths",     "-fno-tree-loop-distribute-patterns",
    "-fno-if-conversion",     "-fno-if-conversion2"};

finished compile(std::vector<std::string> command, const fs::path& folder) {
  spawn_request request{.arguments = std::move(command), .environment = clean_environment({"HOME", "LAB_CXX"})};
  std::erase_if(request.environment, [](const auto& variable) { return variable.starts_with("TMPDIR="); });
  request.environment.push_back("TMPDIR=" + folder.string());
  return run_program(request, longest_compilation_s);
}

fs::path counts_in(const fs::path& folder) {
  if (!fs::is_directory(folder)) return {};
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.path().extension() == ".gcda") return file.path();
  return {};
}

}  // namespace

counted_build::counted_build(const entry& lab, fs::path source, fs::path folder)
    : lab_{lab}, source_{std::move(source)}, folder_{std::move(folder)}, library_{folder_ / "counted.so"} {
  std::vector<std::string> more{
      "--shared", "-fprofile-generate", "-fprofile-update=atomic", "-fprofile-dir=" + (folder_ / "counts").string(),
      "-o",       library_.string()};
  more.insert(more.end(), quickly.begin(), quickly.end());
  const auto made = compile(command(more), folder_);
  if (!made.well()) problem_ = made.output.empty() ? "the compiler failed" : made.output;
}

std::vector<std::string> counted_build::command(const std::vector<std::string>& more) const {
  std::vector<std::string> all{labcc().string(), "--fast", "-std=c++20",
                               "-I" + (here().root / "labs" / lab_.name).string()};
  all.insert(all.end(), device_like.begin(), device_like.end());
  all.insert(all.end(), more.begin(), more.end());
  all.push_back(source_.string());
  return all;
}

const std::vector<std::string>& counted_build::flags() { return device_like; }

fs::path counted_build::take_counts() {
  const auto counts = counts_in(folder_ / "counts");
  if (counts.empty()) return {};
  const auto own = folder_ / std::to_string(++taken_);
  fs::create_directories(own);
  fs::rename(counts, own / "kernel.gcda");
  return own / "kernel.gcda";
}

// The dump holds the last form before machine code, of which -dx makes none. That halves the time.
std::string counted_build::dump_with(const fs::path& counts) const {
  if (counts.empty()) return "";
  const auto folder = counts.parent_path(), dump = folder / "dump";
  const auto made = compile(
      command({"-c", "-fPIC", "-fprofile-use", "-Xcompiler", "-dx",
               "-fdump-tree-optimized-blocks-details-lineno=" + dump.string(), "-o", (folder / "kernel.o").string()}),
      folder);
  return made.well() ? read_if_there(dump) : "";
}

}  // namespace lab::judge
