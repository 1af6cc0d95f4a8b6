#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <future>
#include <thread>

#include "build/availability.hpp"
#include "build/kernel_cache.hpp"
#include "build/kernel_variant.hpp"
#include "build/lab_builds.hpp"
#include "build/launch_columns.hpp"
#include "build/source_texts.hpp"
#include "build/toolchain.hpp"
#include "catch.hpp"
#include "fixtures/twice_lab.hpp"
#include "skip.hpp"
#include "support/random_seed.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

using namespace lab;
using namespace lab::judge;
using namespace lab_test;

namespace {

// In sources that the cache must not have: an earlier run may have had this process's number.
const std::string own_number = std::to_string(random_bits() >> 34);

// A folder with a source and its header, during this object's lifetime.
struct project {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("lab-build-" + std::to_string(getpid()));
  project() {
    std::filesystem::create_directories(folder);
    write("k.cu", "#include \"k.hpp\"\nvoid f(int* out) { out[0] = value; }\n");
    write("k.hpp", "constexpr int value = " + own_number + ";\n");
  }
  ~project() { std::filesystem::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream{folder / name} << text; }
  build_result built(const std::string& name = "k.cu") const { return build({.source = folder / name}); }
};

}  // namespace

TEST_CASE("a kernel is built once, and again when it or a header of its changes") {
  const project sources;
  const auto first = sources.built();
  REQUIRE(first.verdict == verdict_kind::pass);
  CHECK_FALSE(first.from_cache);
  CHECK(std::filesystem::exists(first.library));
  CHECK(sources.built().from_cache);
  sources.write("k.hpp", "constexpr int value = -" + own_number + ";\n");
  const auto changed = sources.built();
  CHECK_FALSE(changed.from_cache);
  CHECK(changed.library != first.library);
}

TEST_CASE("a build from the cache gives the compiler's warnings again") {
  const project sources;
  sources.write("k.cu", "#include \"k.hpp\"\nint f(int* out) { int sum; sum += out[0]; return sum + value; }\n");
  const auto first = sources.built(), second = sources.built();
  CHECK_FALSE(first.from_cache);
  CHECK(second.from_cache);
  CHECK(first.log.find("k.cu:2:") != std::string::npos);
  CHECK(first.log.find("[-Wuninitialized]") != std::string::npos);
  CHECK(second.log == first.log);
}

TEST_CASE("a compile error is not cached: a corrected source compiles") {
  const project sources;
  sources.write("k.hpp", "int value\n");
  CHECK(sources.built().verdict == verdict_kind::compile_error);
  CHECK(sources.built().verdict == verdict_kind::compile_error);
  sources.write("k.hpp", "constexpr int value = 3;\n");
  CHECK(sources.built().verdict == verdict_kind::pass);
}

TEST_CASE("the caret of an error in a launch is below the word that the message quotes") {
  const project sources;
  const std::string code = "void f(int* out) { k<<<(value + 255) / 256, 256>>>(out, count); }";
  sources.write("k.cu", "#include \"k.hpp\"\n__global__ void k(int*, int) {}\n" + code + "\n");
  const auto log = sources.built().log;
  INFO(log);
  const auto column = code.find("count");
  CHECK(log.find("k.cu:3:" + std::to_string(column + 1) + ": error: 'count' was not declared") != std::string::npos);
  CHECK(log.find("    3 | " + code + "\n      | " + std::string(column, ' ') + "^~~~~\n") != std::string::npos);
}

TEST_CASE("columns of labcc stay where the line has no launch, and go where the message quotes no word of a launch") {
  const std::string plain = "k.cu:4:7: error: 'x' was not declared\n    4 |   y = x;\n      |       ^\n";
  CHECK(with_columns_of_launches(plain) == plain);
  const std::string quoted = "    5 |   k<<<1, 1>>>(y);\n";
  CHECK(with_columns_of_launches("k.cu:5:88: error: too few arguments\n" + quoted + "      |      ^~~\n" + plain) ==
        "k.cu:5: error: too few arguments\n" + quoted + plain);
}

TEST_CASE("sources with the same text but different headers have different keys") {
  const project sources;
  std::filesystem::create_directories(sources.folder / "other");
  sources.write("other/k.cu", "#include \"k.hpp\"\n");
  sources.write("other/k.hpp", "// other\n");
  sources.write("k.cu", "#include \"k.hpp\"\n");
  CHECK(texts_of(sources.folder / "k.cu", {}) != texts_of(sources.folder / "other/k.cu", {}));
}

TEST_CASE("equal kernels in different folders share a build, unless a header differs") {
  const project sources;
  const std::string kernel = "#include \"k.hpp\"\nvoid f(int* out) { int unused; unused = 1; out[0] = value; }\n";
  std::filesystem::create_directories(sources.folder / "other");
  sources.write("k.cu", kernel);
  sources.write("other/k.cu", kernel);
  sources.write("other/k.hpp", "constexpr int value = " + own_number + ";\n");
  const auto first = sources.built(), second = sources.built("other/k.cu");
  REQUIRE(first.verdict == verdict_kind::pass);
  CHECK(second.from_cache);
  CHECK(second.library == first.library);
  CHECK(first.log.find("k.cu:2:") != std::string::npos);
  CHECK(first.log.find(sources.folder.string()) == std::string::npos);
  sources.write("other/k.hpp", "constexpr int value = -" + own_number + ";\n");
  CHECK_FALSE(sources.built("other/k.cu").from_cache);
}

TEST_CASE("a header in angle brackets changes the key if an include folder has it") {
  const project sources;
  sources.write("k.cu", "#include <k.hpp>\n");
  const auto before = texts_of(sources.folder / "k.cu", {sources.folder});
  sources.write("k.hpp", "// changed\n");
  CHECK(texts_of(sources.folder / "k.cu", {sources.folder}) != before);
  CHECK(texts_of(sources.folder / "k.cu", {}) == texts_of(sources.folder / "k.cu", {"/nonexistent"}));
}

TEST_CASE("a source that includes itself gives an error of limited length") {
  const project sources;
  sources.write("k.cu", "#include \"k.cu\"\n#include \"k.cu\"\nint x = ;\n");
  const auto result = sources.built();
  CHECK((result.verdict == verdict_kind::compile_error || result.verdict == verdict_kind::compile_limit));
  CHECK(result.log.size() < (80 << 10));
}

TEST_CASE("a compiler that takes too long is stopped") {
  const project sources;
  sources.write(
      "k.cu",
      "template <long n> struct s { s<n + 1> next; s<n + 100000> other; };\n"
      "constexpr long slow(long n) { long x = 0; for (long i = 0; i < 30000000; ++i) x += i % (n + 1); return x; }\n"
      "template <long n> constexpr long deep = slow(n) + deep<n - 1>;\n"
      "template <> constexpr long deep<0> = 0;\nlong use = deep<200>;\n");
  CHECK(build({.source = sources.folder / "k.cu", .timeout_s = 1}).verdict == verdict_kind::compile_limit);
}

// A compiler that takes a second longer.
struct slow_compiler {
  explicit slow_compiler(const project& in) {
    in.write("slow", "#!/bin/sh\nsleep 1\nexec g++ \"$@\"\n");
    std::filesystem::permissions(in.folder / "slow", std::filesystem::perms::owner_all);
    setenv("LAB_CXX", (in.folder / "slow").c_str(), 1);
  }
  ~slow_compiler() { unsetenv("LAB_CXX"); }
};

TEST_CASE("on a slow machine the compiler may take longer for a solution than for other files") {
  const project sources;
  const slow_compiler chosen{sources};
  auto lab = twice_lab();
  lab.name = "01_vector_add";
  const auto solution = solution_of(lab).source;
  run_options options;
  options.build_timeout_s = 0.5;
  const auto built = build_for(lab, solution, options);
  INFO(built.log);
  CHECK(built.verdict == verdict_kind::pass);
  sources.write("kernel.cu", read_whole(solution) + "// not the one that the cache has\n");
  CHECK(build_for(lab, sources.folder / "kernel.cu", options).verdict == verdict_kind::compile_limit);
}

// A compiler that finds no room for a process the first `times` times. A class that is graded on all cores needs many.
struct busy_compiler {
  const project& sources;
  busy_compiler(const project& in, int times) : sources{in} {
    sources.write("busy",
                  fmt::format("#!/bin/sh\necho >> {0}/calls\n[ $(wc -l < {0}/calls) -gt {1} ] && exec g++ \"$@\"\n"
                              "echo \"c++: fatal error: cannot execute 'cc1plus': vfork: {2}\" >&2\nexit 1\n",
                              sources.folder.string(), times, std::strerror(EAGAIN)));
    std::filesystem::permissions(sources.folder / "busy", std::filesystem::perms::owner_all);
    setenv("LAB_CXX", (sources.folder / "busy").c_str(), 1);
  }
  ~busy_compiler() { unsetenv("LAB_CXX"); }
};

// Lets two builds of the same kernel overlap: the second compiler goes on when the file `go` is there.
struct meeting_compilers {
  const project& sources;
  explicit meeting_compilers(const project& in) : sources{in} {
    sources.write("met", fmt::format("#!/bin/sh\ncd {0}; wait_for() {{ until [ -e $1 ]; do :; done; }}\n"
                                     "if mkdir first 2>/dev/null; then wait_for second\n"
                                     "elif mkdir second 2>/dev/null; then wait_for go; fi\nexec g++ \"$@\"\n",
                                     sources.folder.string()));
    std::filesystem::permissions(sources.folder / "met", std::filesystem::perms::owner_all);
    setenv("LAB_CXX", (sources.folder / "met").c_str(), 1);
  }
  ~meeting_compilers() { unsetenv("LAB_CXX"); }
};

ino_t inode_of(const std::filesystem::path& file) {
  struct stat status {};
  return stat(file.c_str(), &status) == 0 ? status.st_ino : 0;
}

// A sandbox that has opened the file for a runner does not let it read another one of the same name.
TEST_CASE("a build does not replace the file that an equal build has made meanwhile") {
  const project sources;
  const meeting_compilers chosen{sources};
  const pid_t other = fork();
  if (other == 0) _exit(sources.built().verdict == verdict_kind::pass ? 0 : 1);
  while (!std::filesystem::exists(sources.folder / "first")) std::this_thread::yield();
  auto late = std::async(std::launch::async, [&] { return sources.built(); });
  int status = 0;
  waitpid(other, &status, 0);
  CHECK(status == 0);
  const auto early = sources.built();  // from the cache
  const auto before = inode_of(early.library);
  sources.write("go", "");
  const auto result = late.get();
  CHECK(result.verdict == verdict_kind::pass);
  CHECK(result.library == early.library);
  CHECK(before != 0);
  CHECK(inode_of(result.library) == before);
}

TEST_CASE("threads that want the same build get it, and one of them makes it") {
  const project sources;
  sources.write("k.hpp", "constexpr int value = 2 * " + own_number + ";\n");
  auto one = std::async(std::launch::async, [&] { return sources.built(); });
  const auto mine = sources.built(), other = one.get();
  CHECK(mine.verdict == verdict_kind::pass);
  CHECK(other.verdict == verdict_kind::pass);
  CHECK(mine.from_cache != other.from_cache);
}

TEST_CASE("a compiler without room for its processes is started again") {
  const project sources;
  const busy_compiler chosen{sources, 2};
  const auto result = sources.built();
  INFO(result.log);
  CHECK(result.verdict == verdict_kind::pass);
}

TEST_CASE("a machine that has no room for a compiler's processes is no error of the source") {
  const project sources;
  const busy_compiler chosen{sources, 1000};
  const auto result = build({.source = sources.folder / "k.cu", .timeout_s = 1});
  CHECK(result.verdict == verdict_kind::infra_error);
  CHECK(result.log.find("this machine had no room") != std::string::npos);
}

TEST_CASE("a source that prints the message of a busy machine has an error of its own") {
  const project sources;
  for (const std::string text : {"static_assert(false, \"x\\nc++: Resource temporarily unavailable\");\n",
                                 "#line 1 \"c++\"\n#error Resource temporarily unavailable\n"}) {
    sources.write("k.cu", text);
    const auto result = build({.source = sources.folder / "k.cu", .timeout_s = 2});
    INFO(result.log);
    CHECK(result.verdict == verdict_kind::compile_error);
  }
}

TEST_CASE("nvcc compiles a shared object") {
  if (nvcc().empty()) lab_test::skip("nvcc is not installed");
  setenv("LAB_CUDA_ARCH", "sm_90", 0);
  const auto result = build({.backend = backend_kind::cuda, .source = kernel("right").source});
  INFO(result.log);
  REQUIRE(result.verdict == verdict_kind::pass);
  CHECK(std::filesystem::file_size(result.library) > 1000);
}

TEST_CASE("a kernel with an architecture is compiled for that one only") {
  setenv("LAB_CUDA_ARCH", "sm_90", 0);
  const build_request plain{.backend = backend_kind::cuda, .source = kernel("right").source};
  auto special = plain;
  special.architecture = "sm_90a";
  const auto has = [](const std::vector<std::string>& command, std::string_view start) {
    return std::ranges::any_of(command, [&](const std::string& word) { return word.starts_with(start); });
  };
  CHECK(has(compile_command(plain), "-arch="));
  CHECK_FALSE(has(compile_command(special), "-arch="));
  CHECK(has(compile_command(special), "-gencode=arch=compute_90a,code=sm_90a"));
}

TEST_CASE("a kernel for sm_90a or any GPU is compiled for this machine's architecture") {
  const char* const was = std::getenv("LAB_CUDA_ARCH");
  const std::string before = was ? was : "";
  build_request request{
      .backend = backend_kind::cuda, .source = kernel("right").source, .architecture = "sm_90a", .or_any = true};
  const auto flag_on = [&](const char* here) {
    setenv("LAB_CUDA_ARCH", here, 1);
    return compile_command(request).at(4);
  };
  CHECK(flag_on("sm_90") == "-gencode=arch=compute_90a,code=sm_90a");
  CHECK(flag_on("sm_90a") == "-gencode=arch=compute_90a,code=sm_90a");
  CHECK(flag_on("sm_80") == "-arch=sm_80");
  CHECK(flag_on("sm_100") == "-arch=sm_100");
  was ? setenv("LAB_CUDA_ARCH", before.c_str(), 1) : unsetenv("LAB_CUDA_ARCH");
}

TEST_CASE("machine code knows its source lines unless a request does without") {
  const auto names_lines = [](bool line_info) {
    const auto command = compile_command(
        {.backend = backend_kind::cuda, .source = "kernel.cu", .architecture = "sm_90a", .line_info = line_info});
    return std::ranges::find(command, "-lineinfo") != command.end();
  };
  CHECK(names_lines(true));
  CHECK_FALSE(names_lines(false));
}

TEST_CASE("an unusable GPU has a reason") {
  const auto gpu = probe(backend_kind::cuda);
  CHECK(gpu.usable == gpu.reason.empty());
}

TEST_CASE("fingerprints of different texts differ") {
  CHECK(fingerprint("a") != fingerprint("b"));
  CHECK(fingerprint("ab") == fingerprint("ab"));
  CHECK(fingerprint("").size() == 32);
}

TEST_CASE("a fingerprint is a prefix of SHA-256") {
  CHECK(fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223");  // the example in FIPS 180-4
}

// A recording has the kernels' names from the library; the separately compiled cubin must define the same names.
TEST_CASE("the cubin's kernels have the same names as the library's") {
  if (nvcc().empty()) lab_test::skip("nvcc is not installed");
  const project sources;
  sources.write("k.cu", "namespace { __global__ void hidden_kernel(float* x) { *x = " + own_number +
                            "; } }\nvoid f(float* x) { hidden_kernel<<<1, 1>>>(x); }\n");
  const bool was_set = std::getenv("LAB_CUDA_ARCH") != nullptr;
  setenv("LAB_CUDA_ARCH", "sm_90", 0);
  const auto library = build({.backend = backend_kind::cuda, .source = sources.folder / "k.cu"});
  const auto alone = build({.backend = backend_kind::cuda, .source = sources.folder / "k.cu", .device_only = true});
  if (!was_set) unsetenv("LAB_CUDA_ARCH");
  INFO(library.log << alone.log);
  REQUIRE(library.verdict == verdict_kind::pass);
  REQUIRE(alone.verdict == verdict_kind::pass);
  CHECK(alone.library.extension() == ".cubin");
  const auto cubin = read_if_there(alone.library), shared_object = read_if_there(library.library);
  const auto found = cubin.find("hidden_kernel");
  REQUIRE(found != std::string::npos);
  const auto name = std::string{cubin.c_str() + cubin.rfind("_ZN", found)};
  CHECK(name.find("hidden_kernelEPf") != std::string::npos);
  CHECK(shared_object.find(name) != std::string::npos);
  CHECK(cubin.find("cudaLaunchKernel") == std::string::npos);
}
