#include "sim/runtime/tracer/library_calls.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// A program whose accesses are counted (labcc --countable) is linked with these functions in place of the C library's,
// which report no access. A kernel must not call them: CUDA has none of them for the device. The host must not give
// them device memory, which is open while a kernel runs.

using namespace lab::sim;

namespace {

void only_for_the_host(const char* name, const void* pc) {
  if (!tracing) return;
  const std::string calls = "calls " + std::string{name} + ", which CUDA has for the host only";
  trace::refused(tracing->last_kernel().c_str(), "call", calls, pc);
}

void require_host_range(const void* begin, std::size_t bytes, const void* pc) {
  if (!tracing) require_host_memory(reinterpret_cast<std::uintptr_t>(begin), bytes, operation::store, pc);
}

using comparison = int (*)(const void*, const void*);

}  // namespace

#define LAB_HERE __builtin_return_address(0)
#define LAB_OF_THE_HOST(result, name, parameters, arguments) \
  result __wrap_##name parameters {                          \
    only_for_the_host(#name, LAB_HERE);                      \
    return (result)name arguments;                           \
  }
#define LAB_SINE_AND_COSINE(name, real)                                                               \
  void __wrap_##name(real angle, real* sine, real* cosine) {                                          \
    if (tracing) {                                                                                    \
      for (const real* to : {sine, cosine})                                                           \
        tracing->range(reinterpret_cast<std::uintptr_t>(to), sizeof *to, operation::store, LAB_HERE); \
    }                                                                                                 \
    name(angle, sine, cosine);                                                                        \
  }

extern "C" {

LAB_OF_THE_HOST(int, memcmp, (const void* a, const void* b, std::size_t bytes), (a, b, bytes))
LAB_OF_THE_HOST(void*, memchr, (const void* at, int byte, std::size_t bytes), (at, byte, bytes))
LAB_OF_THE_HOST(std::size_t, strlen, (const char* text), (text))
LAB_OF_THE_HOST(int, strcmp, (const char* a, const char* b), (a, b))
LAB_OF_THE_HOST(int, strncmp, (const char* a, const char* b, std::size_t most), (a, b, most))
LAB_OF_THE_HOST(char*, strchr, (const char* text, int letter), (text, letter))
LAB_OF_THE_HOST(char*, strrchr, (const char* text, int letter), (text, letter))
LAB_OF_THE_HOST(char*, strstr, (const char* text, const char* part), (text, part))
LAB_OF_THE_HOST(long, strtol, (const char* text, char** end, int base), (text, end, base))
LAB_OF_THE_HOST(double, strtod, (const char* text, char** end), (text, end))
LAB_OF_THE_HOST(int, atoi, (const char* text), (text))
LAB_OF_THE_HOST(double, atof, (const char* text), (text))
// Only `compare` accesses the elements.
LAB_OF_THE_HOST(void*, bsearch,
                (const void* key, const void* base, std::size_t count, std::size_t size, comparison compare),
                (key, base, count, size, compare))

void __wrap_qsort(void* base, std::size_t count, std::size_t size, comparison compare) {
  only_for_the_host("qsort", LAB_HERE);
  require_host_range(base, count * size, LAB_HERE);
  std::qsort(base, count, size, compare);
}

int __wrap_vsnprintf(char* to, std::size_t bytes, const char* format, va_list values) {
  only_for_the_host("vsnprintf", LAB_HERE);
  require_host_range(to, bytes, LAB_HERE);
  return std::vsnprintf(to, bytes, format, values);
}

int __wrap_snprintf(char* to, std::size_t bytes, const char* format, ...) {
  only_for_the_host("snprintf", LAB_HERE);
  require_host_range(to, bytes, LAB_HERE);
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(to, bytes, format, values);
  va_end(values);
  return length;
}

// The simulator's own variables would tell a traced run from another. The copy has no neighbours to look at.
char* __wrap_getenv(const char* name) {
  static std::mutex guard;
  static auto* const copies = new std::map<std::string, std::string>;  // a destructor may still ask
  const char* const value = std::string_view{name}.starts_with("LAB_") ? nullptr : std::getenv(name);
  if (!value) return nullptr;
  const std::lock_guard lock{guard};
  return copies->try_emplace(name, value).first->second.data();
}

LAB_SINE_AND_COSINE(sincos, double)
LAB_SINE_AND_COSINE(sincosf, float)
}
