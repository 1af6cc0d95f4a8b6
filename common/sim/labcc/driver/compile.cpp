#include "sim/labcc/driver/compile.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sim/labcc/driver/clang_check.hpp"
#include "sim/labcc/driver/held_messages.hpp"
#include "sim/labcc/driver/rewritten_sources.hpp"
#include "sim/labcc/driver/shared_memory_limit.hpp"
#include "sim/labcc/driver/toolchain.hpp"
#include "sim/labcc/driver/uncountable.hpp"

namespace lab::sim {

namespace {

using strings = std::vector<std::string>;

constexpr std::string_view main_header = "cuda_runtime.h";

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

// The optimization level is fixed for traces: others move, merge or multiply the counted accesses. Only the passes that
// follow the instrumentation can be left out, for it has made calls of the accesses by then. That saves a quarter of
// the time that large kernels take. Nor does a trace need the places of local variables, so -g1 is enough.
strings trace_flags() {
  return {"-DLAB_SIM_TRACE=1",
          "-O2",
          "-g1",
          "-fsanitize=thread",
          "-fsanitize=bounds,alignment",
          "--param=tsan-distinguish-volatile=1",
          "-Wno-tsan",
          "-fno-plt",           // each access is a call
          "-U_FORTIFY_SOURCE",  // its functions have other names on some systems
          "-fno-optimize-sibling-calls",
          "-fno-thread-jumps",
          "-fno-unswitch-loops",
          "-fno-split-loops",
          "-fno-ipa-icf",
          "-fno-ipa-cp-clone",
          "-fno-tree-tail-merge",
          "-fno-tree-vectorize",
          "-fno-ivopts",
          "-fno-gcse",
          "-fno-gcse-after-reload",
          "-fno-rerun-cse-after-loop",
          "-fno-if-conversion2",
          "-fno-cprop-registers",
          "-fno-schedule-insns2"};
}

// CUDA programs access arrays of floats as float4, so strict aliasing is off. An access to a null pointer is a fault,
// so the compiler must not take it for impossible.
strings language_flags(const options& wanted, bool cuda) {
  strings flags = {wanted.standard, "-isystem", include_folder().string()};
  if (cuda)
    for (const char* f : {"-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
                          "-D__CUDACC_VER_BUILD__=0", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks",
                          "-Wno-unknown-pragmas", "-Wno-psabi"})
      flags.push_back(f);
  if (cuda && wanted.architecture > 0) flags.push_back("-DLAB_SIM_CUDA_ARCH=" + std::to_string(wanted.architecture));
  if (wanted.trace && cuda) {
    const auto more = trace_flags();
    flags.insert(flags.end(), more.begin(), more.end());
    if (wanted.schedules > 0) flags.push_back("-DLAB_SIM_SCHEDULES=" + std::to_string(wanted.schedules));
  } else {
    flags.push_back(wanted.level);
    // What a GPU does not have: errno, traps of arithmetic. They keep loops over threads from being vectorized.
    if (cuda)
      for (const char* f : {"-fno-math-errno", "-fno-trapping-math", "-ftree-vectorize"}) flags.push_back(f);
    // Clang does not know this option and needs none: vectors also where the compiler must compare addresses first.
    if (cuda && host_compiler(wanted).find("clang") == std::string::npos) flags.push_back("-fvect-cost-model=dynamic");
  }
  if (wanted.shared || wanted.compile_only) flags.push_back("-fPIC");
#ifdef __x86_64__
  if (wanted.shared) flags.push_back("-mtls-dialect=gnu2");
#endif
  return flags;
}

void append(strings& to, const strings& more) { to.insert(to.end(), more.begin(), more.end()); }

// Kernels are linked more often than anything else, and these linkers take a third of the usual one's time.
strings fast_linker() {
  for (const std::string name : {"gold", "lld"})
    if (!program_in_path("ld." + name).empty()) return {"-fuse-ld=" + name};
  return {};
}

strings link_flags(const options& wanted) {
  const std::string folder = library_folder().string();
  strings flags = wanted.link;
  if (wanted.shared) flags.push_back("-shared");
  if (wanted.shared && !*LAB_SIM_SANITIZE) append(flags, fast_linker());
  if (!wanted.shared) flags.push_back("-rdynamic");
  // The C library's functions report no access, so the tracer has its own.
  if (wanted.trace)
    for (const char* name : {"memcpy", "memmove", "memset"}) flags.push_back(std::string{"-Wl,--wrap="} + name);
  if (wanted.trace && wanted.countable)
    for (const auto name : watched_functions) flags.push_back("-Wl,--wrap=" + std::string{name});
  // A sanitized runtime library needs the sanitizer's own library in front of it.
  if (*LAB_SIM_SANITIZE) flags.push_back("-fsanitize=" LAB_SIM_SANITIZE);
  for (const auto& f : {"-L" + folder, std::string{"-llab-sim"}, "-Wl,-rpath," + folder}) flags.push_back(f);
  return flags;
}

// The simulator's headers are C++, so C that includes them is compiled as C++.
bool is_c(const fs::path& source) {
  if (source.extension() != ".c") return false;
  std::ifstream in{source};
  for (std::string line; std::getline(in, line);)
    if (line.find("#") != line.npos && line.find("include") != line.npos &&
        (line.find("<cu") != line.npos || line.find("\"cu") != line.npos))
      return false;
  return true;
}

// Reading the simulator's headers takes half of a compilation unless they are precompiled. The compiler looks for the
// precompiled form first and uses it only if its flags match. A dependency list would name it, so it is left out there.
strings prelude(const options& wanted) {
  const bool lists = std::ranges::any_of(wanted.flags, [](const std::string& f) { return f.starts_with("-M"); });
  strings flags;
  if (const auto folder = precompiled_folder(); !folder.empty() && !lists) flags = {"-isystem", folder.string()};
  flags.insert(flags.end(), {"-include", std::string{main_header}});
  return flags;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream{file, std::ios::binary}.rdbuf();
  return std::move(text).str();
}

int refuse(const std::string& why) {
  if (why.empty()) return 0;
  std::cerr << why << "\n";
  return uncountable_status;
}

// Calls of the host compiler.
class builder {
 public:
  builder(const options& wanted, const rewritten_sources& sources, fs::path scratch)
      : wanted_{wanted}, sources_{sources}, scratch_{std::move(scratch)} {}

  int object(const std::string& source, bool cuda, const std::string& output) const {
    if (!cuda && is_c(source)) return object_of_c(source, output);
    strings command{host_compiler(wanted_)};
    if (cuda) append(command, prelude(wanted_));
    append(command, language_flags(wanted_, cuda));
    append(command, sources_.include_flags(cuda));
    if (cuda && sources_.refuse())
      if (const int refused = preprocess(command, source); refused != 0) return refused;
    if (cuda && wanted_.countable)
      if (const int refused = refuse_uncountable(command, source); refused != 0) return refused;
    append(command, wanted_.flags);
    append(command, {"-pipe", "-c", "-o", output, source});  // the assembler begins meanwhile
    const int status = run(command, wanted_.verbose);
    if (status == 0) sources_.correct_dependencies(dependency_file(output));
    return status;
  }

  int objects(const strings& rewritten) const {
    strings all = rewritten;
    append(all, wanted_.others);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool cuda = i < rewritten.size();
      const fs::path source = cuda ? wanted_.sources[i] : fs::path{all[i]};
      const std::string output = all.size() == 1 && !wanted_.output.empty()
                                     ? wanted_.output
                                     : source.filename().replace_extension(".o").string();
      if (const int status = object(all[i], cuda, output); status != 0) return status;
    }
    return 0;
  }

  // -cuda: the sources as the host compiler sees them.
  int preprocessed(const strings& rewritten) const {
    for (std::size_t i = 0; i < rewritten.size(); ++i) {
      strings command{host_compiler(wanted_)};
      append(command, prelude(wanted_));
      append(command, language_flags(wanted_, true));
      append(command, sources_.include_flags(true));
      append(command, wanted_.flags);
      const std::string output = wanted_.sources[i].filename().string() + ".cpp.ii";
      append(command, {"-E", "-o", wanted_.output.empty() ? output : wanted_.output, rewritten[i]});
      if (const int status = run(command, wanted_.verbose); status != 0) return status;
    }
    return 0;
  }

  // A separate link call gives a traced program the simulator's tracer instead of the compiler's library.
  int program(const strings& rewritten) const {
    strings inputs;
    const auto compiled = [&](const std::string& source, bool cuda) {
      inputs.push_back((scratch_ / (std::to_string(inputs.size()) + ".o")).string());
      return object(source, cuda, inputs.back());
    };
    for (const auto& source : rewritten)
      if (const int status = compiled(source, true); status != 0) return status;
    for (const auto& other : wanted_.others) {
      if (!is_source(other))
        inputs.push_back(other);
      else if (const int status = compiled(other, false); status != 0)
        return status;
    }
    return link(inputs);
  }

 private:
  int object_of_c(const std::string& source, const std::string& output) const {
    strings command{host_compiler(wanted_), wanted_.level};
    if (wanted_.shared || wanted_.compile_only) command.push_back("-fPIC");
    for (const auto& folder : wanted_.include) command.push_back("-I" + folder.string());
    append(command, wanted_.flags);
    append(command, {"-c", "-o", output, "-x", "c", source});
    return run(command, wanted_.verbose);
  }

  // Stops at the first unsupported construct, before the compiler reports errors that follow from it.
  int preprocess(strings command, const std::string& source) const {
    for (const auto& flag : wanted_.flags)
      if (flag.starts_with("-D") || flag.starts_with("-U")) command.push_back(flag);
    append(command, {"-Wfatal-errors", "-E", "-o", "/dev/null", source});
    return run(command, wanted_.verbose);
  }

  // Precompiled headers leave a line in place of their text. It is the first of its kind: the forced include comes
  // before the source.
  static std::string without_precompiled(std::string expanded) {
    const std::string line = "\n#pragma GCC pch_preprocess \"" + (precompiled_folder() / main_header).string();
    if (const auto at = expanded.find("\n#pragma"); at != expanded.npos && expanded.compare(at, line.size(), line) == 0)
      expanded.erase(at, expanded.find('\n', at + 1) - at);
    return expanded;
  }

  // An error of the preprocessor is the compiler's, too, which reports it.
  int refuse_uncountable(strings command, const std::string& source) const {
    const auto expanded = scratch_ / "expanded.ii";
    append(command, wanted_.flags);
    append(command, {"-w", "-E", "-fpch-preprocess", "-o", expanded.string(), source});
    if (run(command, wanted_.verbose) != 0) return 0;
    return refuse(uncountable_expansion(without_precompiled(text_of(expanded))));
  }

  int link(const strings& inputs) const {
    strings command{host_compiler(wanted_)};
    append(command, wanted_.flags);
    append(command, {"-o", output()});
    append(command, inputs);
    command.insert(command.end(), sources_.libraries().begin(), sources_.libraries().end());
    append(command, link_flags(wanted_));
    const int status = run(command, wanted_.verbose);
    return status == 0 ? within_limits() : status;
  }

  std::string output() const { return wanted_.output.empty() ? "a.out" : wanted_.output; }

  int within_limits() const {
    const auto excess = shared_memory_excess(output());
    if (excess.empty()) return countable();
    const std::string where = wanted_.sources.empty() ? output() : wanted_.sources.front().string();
    std::cerr << where << ": " << excess << "\n";
    fs::remove(output());
    return 1;
  }

  int countable() const {
    const int refused = wanted_.countable ? refuse(uncountable_library(output())) : 0;
    if (refused != 0) fs::remove(output());
    return refused;
  }

  // The dependency file that -MD and similar options write; empty without them.
  fs::path dependency_file(const std::string& object) const {
    bool wanted = false;
    for (std::size_t i = 0; i < wanted_.flags.size(); ++i) {
      if (wanted_.flags[i] == "-MF" && i + 1 < wanted_.flags.size()) return wanted_.flags[i + 1];
      wanted = wanted || wanted_.flags[i] == "-MD" || wanted_.flags[i] == "-MMD";
    }
    return wanted ? fs::path{object}.replace_extension(".d") : fs::path{};
  }

  const options& wanted_;
  const rewritten_sources& sources_;
  fs::path scratch_;
};

// A build precompiles several forms of the headers at the same time, so another compiler may be reading this file.
void write_at_once(const fs::path& file, const std::string& text) {
  std::string name = file.string() + ".XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw usage_error{"cannot write " + file.string() + ": " + std::strerror(errno)};
  close(descriptor);
  std::ofstream{name} << text;
  fs::permissions(name,
                  fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read);
  fs::rename(name, file);
}

int precompile(const options& wanted) {
  if (wanted.output.empty()) throw usage_error{"--precompile needs -o FOLDER/cuda_runtime.h.gch/NAME"};
  // Sources may include the header again, so one of that name must be beside it.
  const fs::path folder = fs::path{wanted.output}.parent_path(), header = folder.parent_path() / main_header;
  fs::create_directories(folder);
  write_at_once(header, "#include_next <" + std::string{main_header} + ">\n");
  strings command{host_compiler(wanted)};
  append(command, language_flags(wanted, true));
  append(command, wanted.flags);
  append(command, {"-w", "-x", "c++-header", "-o", wanted.output, header.string()});
  return run(command, wanted.verbose);
}

// What CMake reads from the output of `nvcc -v`, beside the command that links: which libraries it names, where the
// headers are, which device is the default.
void show_toolkit() {
  const char* const path = std::getenv("PATH");
  std::cerr << "#$ PATH=" << (path ? path : "") << "\n#$ INCLUDES=\"-I" << include_folder().string()
            << "\"\n#$ LIBRARIES=-L" << library_folder().string() << " -llab-sim\n#$ DEVICE=-arch compute_90\n";
}

// -dlink: there is nothing to link for a device, but the build expects an object.
int empty_object(const options& wanted) {
  const std::string output = wanted.output.empty() ? "a_dlink.o" : wanted.output;
  return run({host_compiler(wanted), "-x", "c++", "-c", "-o", output, "/dev/null"}, wanted.verbose);
}

}  // namespace

namespace {

// How kernels become loops in one compilation.
struct loops_over_threads {
  some_kernels left;  // these do not
  bool any = false;
  kernels_of_files kernels = {};
};

int compile_sources(const options& wanted, loops_over_threads& loops) {
  const scratch_folder scratch{wanted.keep};
  rewritten_sources sources{wanted, scratch.path(), loops.left};
  strings inputs;
  for (const auto& s : wanted.sources) inputs.push_back(sources.add(s).string());
  loops.any = sources.has_thread_loops();
  loops.kernels.insert(sources.kernels().begin(), sources.kernels().end());
  const builder build{wanted, sources, scratch.path()};
  if (wanted.preprocess) return build.preprocessed(inputs);
  return wanted.compile_only ? build.objects(inputs) : build.program(inputs);
}

// The analysis of kernels reads tokens and knows no types. What it turns into loops by mistake the compiler rejects,
// so an error counts only if the usual form has it, too. First the kernels that the errors name get their usual form,
// then all.
int compile_with_loops(options wanted) {
  loops_over_threads loops;
  const auto say = [&](const char* what) {
    if (wanted.verbose) std::cerr << "labcc: now without loops over threads" << what << "\n";
  };
  for (bool again = true; again && wants_thread_loops(wanted);) {
    held_messages messages;
    if (loops.left.empty() && isatty(messages.original())) wanted.flags.push_back("-fdiagnostics-color=always");
    const int status = compile_sources(wanted, loops);
    const auto text = status == 0 ? std::string{} : messages.text();
    if (status == 0 || !loops.any || all_errors_are_in(loops.left, text, loops.kernels)) return messages.show(), status;
    again = loops.left.empty();
    if (again) loops.left = blamed_kernels(text, loops.kernels);
    again = again && !loops.left.empty();
    if (wanted.verbose) messages.show();
    if (again) say(" in the kernels that these errors name");
  }
  if (wants_thread_loops(wanted)) say("");
  wanted.thread_loops = false;
  return compile_sources(wanted, loops);
}

}  // namespace

int compile(const options& wanted) {
  if (wanted.verbose) show_toolkit();
  if (wanted.precompile) return wanted.check_only ? precompile_for_check(wanted) : precompile(wanted);
  if (wanted.strict_command) return show_strict_command(wanted);
  if (wanted.device_link) return empty_object(wanted);
  if (wanted.check_only) return check_strictly(wanted);
  if (wanted.strict)
    if (const int status = check_strictly(wanted); status != 0) return status;
  for (const auto& source : wanted.countable ? wanted.sources : std::vector<fs::path>{})
    if (const int refused = refuse(uncountable_source(text_of(source), source.string())); refused != 0) return refused;
  return compile_with_loops(wanted);
}

}  // namespace lab::sim
