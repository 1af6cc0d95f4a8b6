#include "compile.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <iostream>

#include "sources.hpp"

namespace lab::sim {

namespace {

using strings = std::vector<std::string>;

// The build tree or installation around this program, else where it was built.
fs::path beside_me(const strings& candidates, const char* built) {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& c : candidates)
    if (const fs::path found = here / c; fs::exists(found, ignored)) return found.lexically_normal();
  return built;
}

fs::path include_folder() { return beside_me({"../include/kernel_lab/sim"}, LAB_SIM_INCLUDE); }

fs::path library_folder() {
  const auto library = beside_me({"../lib/liblab-sim.so", "../lib/kernel_lab/sim/liblab-sim.so",
                                  "../lib/x86_64-linux-gnu/kernel_lab/sim/liblab-sim.so"},
                                 LAB_SIM_LIBRARY "/liblab-sim.so");
  return library.parent_path();
}

class scratch_folder {
 public:
  explicit scratch_folder(bool keep) : keep_{keep} {
    std::string name = (fs::temp_directory_path() / "labcc-XXXXXX").string();
    if (!mkdtemp(name.data())) throw usage_error{"cannot make a folder in " + fs::temp_directory_path().string()};
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    if (!keep_) fs::remove_all(path_, ignored);
    if (keep_) std::cerr << "labcc: the rewritten sources are in " << path_.string() << "\n";
  }
  const fs::path& path() const { return path_; }

 private:
  bool keep_;
  fs::path path_;
};

int run(const strings& command, bool show) {
  std::vector<char*> raw;
  for (const auto& word : command) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);
  if (show) {
    for (const auto& word : command) std::cerr << word << ' ';
    std::cerr << '\n';
  }
  pid_t child = 0;
  if (posix_spawnp(&child, raw[0], nullptr, nullptr, raw.data(), environ) != 0) {
    std::cerr << "labcc: cannot run the host compiler " << command[0] << "; install g++ or set LAB_CXX\n";
    return 3;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string host_compiler(const options& o) {
  if (const char* chosen = std::getenv("LAB_CXX"); chosen && *chosen) return chosen;
  return o.compiler.empty() ? LAB_SIM_CXX : o.compiler;
}

// The level is fixed for traces: others move, merge or multiply the accesses that are counted.
strings trace_flags() {
  return {"-DLAB_SIM_TRACE=1",
          "-O2",
          "-g",
          "-fsanitize=thread",
          "--param=tsan-distinguish-volatile=1",
          "-Wno-tsan",
          "-fno-optimize-sibling-calls",
          "-fno-thread-jumps",
          "-fno-unswitch-loops",
          "-fno-split-loops",
          "-fno-ipa-icf",
          "-fno-ipa-cp-clone",
          "-fno-tree-tail-merge",
          "-fno-tree-vectorize"};
}

// CUDA programs view arrays of floats as float4 as a matter of course.
strings language_flags(const options& o) {
  strings flags = {o.standard,
                   "-D__CUDACC__=1",
                   "-D__NVCC__=1",
                   "-D__CUDACC_VER_MAJOR__=13",
                   "-D__CUDACC_VER_MINOR__=0",
                   "-fno-strict-aliasing",
                   "-Wno-unknown-pragmas",
                   "-isystem",
                   include_folder().string(),
                   "-include",
                   "cuda_runtime.h"};
  if (o.trace) {
    const auto more = trace_flags();
    flags.insert(flags.end(), more.begin(), more.end());
  } else {
    flags.push_back(o.level);
  }
  if (o.shared || o.compile_only) flags.push_back("-fPIC");
#ifdef __x86_64__
  if (o.shared) flags.push_back("-mtls-dialect=gnu2");
#endif
  return flags;
}

strings link_flags(const options& o) {
  const std::string folder = library_folder().string();
  strings flags = o.link;
  if (o.shared) flags.push_back("-shared");
  if (!o.shared) flags.push_back("-rdynamic");
  for (const auto& f : {"-L" + folder, std::string{"-llab-sim"}, "-Wl,-rpath," + folder}) flags.push_back(f);
  return flags;
}

void append(strings& to, const strings& more) { to.insert(to.end(), more.begin(), more.end()); }

std::string default_output(const options& o) {
  if (o.compile_only && !o.sources.empty()) return o.sources[0].filename().replace_extension(".o").string();
  return "a.out";
}

}  // namespace

int compile(const options& wanted) {
  const scratch_folder scratch{wanted.keep};
  rewritten_sources sources{wanted, scratch.path()};
  strings inputs;
  for (const auto& s : wanted.sources) inputs.push_back(sources.add(s).string());
  strings command{host_compiler(wanted)};
  append(command, language_flags(wanted));
  append(command, sources.include_flags());
  append(command, wanted.flags);
  const auto build = [&](const strings& files, const std::string& output) {
    strings whole = command;
    if (wanted.compile_only) whole.push_back("-c");
    append(whole, {"-o", output});
    append(whole, files);
    if (!wanted.compile_only) append(whole, link_flags(wanted));
    return run(whole, wanted.verbose);
  };
  if (!wanted.compile_only || inputs.size() <= 1) {
    append(inputs, wanted.others);
    return build(inputs, wanted.output.empty() ? default_output(wanted) : wanted.output);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int status = build({inputs[i]}, wanted.sources[i].filename().replace_extension(".o").string());
    if (status != 0) return status;
  }
  return 0;
}

}  // namespace lab::sim
