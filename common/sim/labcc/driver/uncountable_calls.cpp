#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "sim/labcc/driver/uncountable.hpp"

namespace lab::sim {

namespace {

// The simulator, the tracer, and C++'s library and runtime.
constexpr std::string_view families[] = {
    "cuda",   "__tsan_",           "__ubsan_", "_ZN7lab_sim", "_ZNSt", "_ZNKSt",   "_ZNSo",
    "_ZNKSo", "_ZNSi10_M_extract", "_ZNSirs",  "_ZSt",        "_ZT",   "_Zn",      "_Zd",
    "__cxa_", "_Unwind_",          "_ITM_",    "__gxx_",      "_ZGV",  "__atomic_"};
// Of those: what opens files, and what the simulator offers to other programs than kernels.
constexpr std::string_view exceptions[] = {"filebuf", "fstream", "filesystem", "_ZNSt13random_device"};

constexpr std::string_view functions[] = {"threadIdx",
                                          "blockIdx",
                                          "blockDim",
                                          "gridDim",
                                          "warpSize",
                                          "lab_sim_marks",
                                          "lab_sim_dynamic",
                                          "__gmon_start__",
                                          "__wrap_memcpy",
                                          "__wrap_memmove",
                                          "__wrap_memset",
                                          "malloc",
                                          "calloc",
                                          "realloc",
                                          "free",
                                          "aligned_alloc",
                                          "printf",
                                          "puts",
                                          "putchar",
                                          "fprintf",
                                          "vprintf",
                                          "vfprintf",
                                          "fputs",
                                          "fputc",
                                          "fwrite",
                                          "fflush",
                                          "stdout",
                                          "stderr",
                                          "abort",
                                          "exit",
                                          "__assert_fail",
                                          "rand",
                                          "srand",
                                          "time",
                                          "clock",
                                          "clock_gettime",
                                          "gettimeofday",
                                          "nanosleep",
                                          "usleep",
                                          "sched_yield",
                                          "pthread_create",
                                          "pthread_join",
                                          "pthread_detach",
                                          "pthread_self",
                                          "pthread_mutex_lock",
                                          "pthread_mutex_unlock",
                                          "pthread_mutex_trylock",
                                          "pthread_cond_wait",
                                          "pthread_cond_signal",
                                          "pthread_cond_broadcast",
                                          "pthread_cond_clockwait",
                                          "pthread_once",
                                          "pthread_key_create",
                                          "__pthread_key_create",
                                          "pthread_equal",
                                          "__errno_location",
                                          "__libc_single_threaded",
                                          "__stack_chk_fail",
                                          "__dynamic_cast",
                                          "__printf_chk",
                                          "__fprintf_chk",
                                          "atexit",
                                          "div",
                                          "ldiv",
                                          "isalpha",
                                          "isdigit",
                                          "isspace",
                                          "_Z7clock64v",
                                          "_Z6__trapv",
                                          "_Z11__nanosleepj",
                                          "_Z13__threadfencev",
                                          "_Z19__threadfence_blockv",
                                          "_Z20__threadfence_systemv",
                                          "_Z15cudaEventCreatePP10CUevent_stj"};

constexpr std::string_view mathematics[] = {
    "sin",    "cos",    "tan",     "asin",      "acos",  "atan",      "atan2",   "sinh",  "cosh",  "tanh",
    "asinh",  "acosh",  "atanh",   "exp",       "exp2",  "expm1",     "log",     "log2",  "log10", "log1p",
    "pow",    "sqrt",   "cbrt",    "hypot",     "ceil",  "floor",     "trunc",   "round", "rint",  "lrint",
    "lround", "llrint", "llround", "nearbyint", "fmod",  "remainder", "fma",     "fmax",  "fmin",  "fdim",
    "erf",    "erfc",   "tgamma",  "lgamma",    "ldexp", "scalbn",    "copysign"};

constexpr std::string_view watched = "__wrap_";

bool is_known(std::string_view name) {
  const auto is = [&](std::string_view known) { return name == known; };
  if (std::ranges::any_of(functions, is)) return true;
  if (name.starts_with(watched) &&
      std::ranges::find(watched_functions, name.substr(watched.size())) != std::ranges::end(watched_functions))
    return true;
  if (name.starts_with("_ZN7lab_sim")) return true;
  if (std::ranges::any_of(exceptions, [&](auto part) { return name.find(part) != name.npos; })) return false;
  if (std::ranges::any_of(families, [&](auto family) { return name.starts_with(family); })) return true;
  const auto function = [&](std::string_view known) {
    return name == known ||
           (name.size() == known.size() + 1 && name.starts_with(known) && (name.back() == 'f' || name.back() == 'l'));
  };
  return std::ranges::any_of(mathematics, function);
}

}  // namespace

// Lines of `nm -D --undefined-only`: "    U name@VERSION".
std::string uncountable_library(const std::string& library) {
  const auto command = "nm -D --undefined-only '" + library + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> symbols{popen(command.c_str(), "r"), pclose};
  if (!symbols) return "error: cannot list the functions that the kernel calls";
  std::size_t known = 0;
  char line[4096];
  while (std::fgets(line, sizeof line, symbols.get())) {
    std::string_view name = line;
    name = name.substr(std::min(name.find_last_of(' ') + 1, name.size()));
    name = name.substr(0, name.find_first_of("@\n"));
    if (!is_known(name))
      return "error: calls or names `" + std::string{name} +
             "`, which the tracer does not know. Such code can hide accesses from the tracer, so its traffic cannot be "
             "counted";
    ++known;
  }
  return known > 0 ? "" : "error: cannot list the functions that the kernel calls";
}

}  // namespace lab::sim
