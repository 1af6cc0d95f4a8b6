// Times the variants that are linked with it, each on inputs that L2 does not hold, and prints JSON.
//   time_variants NUMBER LAUNCHER SIZE REFERENCE ... : four words for each row; REFERENCE is the number of the
//   unchanged solution, whose outputs must be the same.
//   ROUNDS=9 in the environment: so many times are measured; with -3 each kernel runs once, for a profiler.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "registry.hpp"

namespace {

using sizes = std::vector<int>;
using pointers = std::vector<void*>;

enum class content { integers, floats, zeros };

struct array {
  std::size_t elements;
  content what;
  bool output = false, is_float = true;
};

/// The arrays of one call, and the call.
struct call_plan {
  std::vector<array> arrays;
  std::function<void(const pointers&)> run;
};

float* f(void* p) { return static_cast<float*>(p); }
int* i(void* p) { return static_cast<int*>(p); }
std::size_t n(int a, int b = 1) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); }

using maker = std::function<call_plan(void*, const sizes&)>;

template <class F>
F as(void* function) {
  return reinterpret_cast<F>(function);
}

call_plan product(void* fn, const sizes& s) {
  using type = void (*)(const float*, const float*, float*, int, int, int);
  return {{{n(s[0], s[1]), content::floats}, {n(s[1], s[2]), content::floats}, {n(s[0], s[2]), content::zeros, true}},
          [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), s[0], s[1], s[2]); }};
}

call_plan transposed(void* fn, const sizes& s) {
  using type = void (*)(const int*, int*, int, int);
  return {{{n(s[0], s[1]), content::integers, false, false}, {n(s[0], s[1]), content::zeros, true, false}},
          [=](const pointers& p) { as<type>(fn)(i(p[0]), i(p[1]), s[0], s[1]); }};
}

call_plan one_matrix(void* fn, const sizes& s, bool by_rows) {
  using type = void (*)(const float*, const float*, float*, int, int);
  return {{{n(s[0], s[1]), content::floats},
           {n(by_rows ? s[1] : s[0]), content::floats},
           {n(by_rows ? s[0] : s[1]), content::zeros, true}},
          [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), s[0], s[1]); }};
}

call_plan element_by_element(void* fn, const sizes& s) {
  using type = void (*)(const float*, float*, int, int);
  return {{{n(s[0], s[1]), content::floats}, {n(s[0], s[1]), content::zeros, true}},
          [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), s[0], s[1]); }};
}

call_plan network(void* fn, const sizes& s) {
  using type = void (*)(const float*, const float*, const float*, const float*, const float*, const float*,
                        const float*, float*, int);
  return {{{n(s[0], 784), content::floats},
           {n(784, 100), content::floats},
           {100, content::floats},
           {n(100, 100), content::floats},
           {100, content::floats},
           {n(100, 10), content::floats},
           {10, content::floats},
           {n(s[0], 10), content::zeros, true}},
          [=](const pointers& p) {
            as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), f(p[3]), f(p[4]), f(p[5]), f(p[6]), f(p[7]), s[0]);
          }};
}

const std::map<std::string, maker>& makers() {
  static const std::map<std::string, maker> all{
      {"vector_add",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const int*, const int*, int*, int);
         return {{{n(s[0]), content::integers, false, false},
                  {n(s[0]), content::integers, false, false},
                  {n(s[0]), content::zeros, true, false}},
                 [=](const pointers& p) { as<type>(fn)(i(p[0]), i(p[1]), i(p[2]), s[0]); }};
       }},
      {"transpose", transposed},
      {"transpose_coalesced_stores", transposed},
      {"matmul", product},
      {"matmul_uncoalesced", product},
      {"matmul_vectors", product},
      {"matmul_double_buffered", product},
      {"matrix_vector", [](void* fn, const sizes& s) { return one_matrix(fn, s, true); }},
      {"transpose_vector", [](void* fn, const sizes& s) { return one_matrix(fn, s, false); }},
      {"ata_vector",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, float*, float*, int, int);
         return {{{n(s[0], s[1]), content::floats},
                  {n(s[1]), content::floats},
                  {n(s[0]), content::zeros, true},
                  {n(s[1]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), f(p[3]), s[0], s[1]); }};
       }},
      {"convolve_line",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, float*, int, int);
         return {{{n(s[0]), content::floats}, {n(s[1]), content::floats}, {n(s[0] - s[1] + 1), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), s[0], s[1]); }};
       }},
      {"convolve",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, float*, int, int, int, int, int);
         return {{{n(s[0], s[1]), content::floats},
                  {n(s[2], s[3]), content::floats},
                  {n((s[0] - s[2]) / s[4] + 1, (s[1] - s[3]) / s[4] + 1), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), s[0], s[1], s[2], s[3], s[4]); }};
       }},
      {"increment_with",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(float*, int, int, int);
         return {{{n(s[0]), content::floats, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), s[0], s[1], s[2]); }};
       }},
      {"multiply",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, float*, int);
         return {{{n(s[0]), content::floats}, {n(s[0]), content::floats}, {n(s[0]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), s[0]); }};
       }},
      {"row_sums",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, float*, int, int);
         return {{{n(s[0], s[1]), content::floats}, {n(s[0]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), s[0], s[1]); }};
       }},
      {"column_sums",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, float*, int, int);
         return {{{n(s[0], s[1]), content::floats}, {n(s[1]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), s[0], s[1]); }};
       }},
      {"stencil", element_by_element},
      {"windows", element_by_element},
      {"distances", product},
      {"longest_paths", product},
      {"outer_products",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, const float*, float*, int, int);
         return {{{n(s[0], s[1]), content::floats},
                  {n(s[0]), content::floats},
                  {n(s[1]), content::floats},
                  {n(s[0], s[1]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), f(p[3]), s[0], s[1]); }};
       }},
      {"gram",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, float*, int, int);
         return {{{n(s[0], s[1]), content::floats}, {n(s[1], s[1]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), s[0], s[1]); }};
       }},
      {"potential",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, const float*, float*, int);
         return {{{n(s[0]), content::floats},
                  {n(s[0]), content::floats},
                  {n(s[0]), content::floats},
                  {n(s[0]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), f(p[3]), s[0]); }};
       }},
      {"nearest",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const float*, const float*, const float*, float*, int, int);
         return {{{n(s[0]), content::floats},
                  {n(s[0]), content::floats},
                  {n(s[1]), content::floats},
                  {n(s[1]), content::floats},
                  {n(s[0]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), f(p[2]), f(p[3]), f(p[4]), s[0], s[1]); }};
       }},
      {"softmax", element_by_element},
      {"polynomial",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, float*, int, int);
         return {{{n(s[0]), content::floats}, {n(s[0]), content::zeros, true}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), f(p[1]), s[0], s[1]); }};
       }},
      {"gather",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, const int*, float*, int);
         return {
             {{n(s[0]), content::floats}, {n(s[0]), content::integers, false, false}, {n(s[0]), content::zeros, true}},
             [=](const pointers& p) { as<type>(fn)(f(p[0]), i(p[1]), f(p[2]), s[0]); }};
       }},
      {"count",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(int*, int);
         return {{{1, content::zeros, true, false}}, [=](const pointers& p) { as<type>(fn)(i(p[0]), s[0]); }};
       }},
      {"histogram",
       [](void* fn, const sizes& s) -> call_plan {
         using type = void (*)(const float*, int*, int, int, float, float);
         return {{{n(s[0]), content::floats}, {n(s[1]), content::zeros, true, false}},
                 [=](const pointers& p) { as<type>(fn)(f(p[0]), i(p[1]), s[0], s[1], 0.f, 1.f); }};
       }},
      {"forward_naive", network},
      {"forward_tiled", network},
      {"forward", network}};
  return all;
}

bool check(cudaError_t error, std::string& problem) {
  if (error != cudaSuccess && problem.empty()) problem = cudaGetErrorString(error);
  return error == cudaSuccess;
}

__global__ void fill(float* values, std::size_t count, unsigned seed, bool floats) {
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t at = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; at < count; at += all) {
    unsigned x = static_cast<unsigned>(at) * 2654435761u + seed;
    x = (x ^ x >> 16) * 2246822519u, x = (x ^ x >> 13) * 3266489917u, x ^= x >> 16;
    if (floats)
      values[at] = static_cast<float>(x >> 8) / 16777216.f;
    else
      reinterpret_cast<int*>(values)[at] = static_cast<int>(x >> 12);
  }
}

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

class sets {
 public:
  sets(const call_plan& plan, std::size_t count, std::string& problem) {
    for (std::size_t set = 0; set < count; ++set) {
      pointers all;
      for (std::size_t a = 0; a < plan.arrays.size(); ++a) {
        const auto& one = plan.arrays[a];
        void* p = nullptr;
        if (!check(cudaMalloc(&p, one.elements * 4 + 16), problem)) return;
        all.push_back(p);
        if (one.what == content::zeros)
          check(cudaMemset(p, 0, one.elements * 4), problem);
        else
          fill<<<1024, 256>>>(f(p), one.elements, static_cast<unsigned>(a) * 977u, one.what == content::floats);
      }
      all_.push_back(std::move(all));
    }
  }
  sets(const sets&) = delete;
  ~sets() {
    for (auto& set : all_)
      for (void* p : set) cudaFree(p);
  }
  const pointers& operator[](std::size_t at) const { return all_[at % all_.size()]; }
  bool complete(std::size_t count) const { return all_.size() == count; }

 private:
  std::vector<pointers> all_;
};

double once(const std::function<void()>& work, std::string& problem) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) check(cudaEventCreate(&begin), problem), check(cudaEventCreate(&end), problem);
  wait<<<1, 1>>>(200000);
  check(cudaEventRecord(begin), problem);
  work();
  check(cudaEventRecord(end), problem);
  check(cudaEventSynchronize(end), problem);
  check(cudaGetLastError(), problem);
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end), problem);
  return 1e3 * ms;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The largest difference of outputs, relative to the largest value of the other.
double difference(const call_plan& plan, const pointers& a, const pointers& b) {
  double worst = 0;
  for (std::size_t k = 0; k < plan.arrays.size(); ++k) {
    const auto& one = plan.arrays[k];
    if (!one.output) continue;
    std::vector<float> x(one.elements), y(one.elements);
    cudaMemcpy(x.data(), a[k], one.elements * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), b[k], one.elements * 4, cudaMemcpyDeviceToHost);
    double most = 0, largest = 1e-30;
    for (std::size_t e = 0; e < one.elements; ++e) {
      const auto value = [&](const std::vector<float>& v) {
        return one.is_float ? double(v[e]) : double(reinterpret_cast<const int*>(v.data())[e]);
      };
      most = std::max(most, std::abs(value(x) - value(y)));
      largest = std::max(largest, std::abs(value(y)));
    }
    worst = std::max(worst, most / largest);
  }
  return worst;
}

void* find(int number, const std::string& launcher) {
  for (const auto& one : variants::all())
    if (one.number == number && one.launcher == launcher) return one.function;
  return nullptr;
}

sizes parsed(const std::string& text) {
  sizes all;
  for (std::size_t at = 0; at < text.size();
       at = text.find('x', at) == text.npos ? text.size() : text.find('x', at) + 1)
    all.push_back(std::atoi(text.c_str() + at));
  return all;
}

void time_row(int number, const std::string& launcher, const std::string& size, int reference, double pair_us,
              int rounds) {
  std::string problem;
  void* const function = find(number, launcher);
  void* const unchanged = find(reference, launcher);
  std::vector<double> times;
  double differs = -1;
  if (!function || !unchanged) {
    problem = "it is not linked";
  } else {
    const auto plan = makers().at(launcher)(function, parsed(size)),
               base = makers().at(launcher)(unchanged, parsed(size));
    std::size_t bytes = 0;
    for (const auto& one : plan.arrays) bytes += one.elements * 4;
    const std::size_t count = std::clamp<std::size_t>((240u << 20) / bytes + 1, 2, 64);
    const sets all{plan, count, problem};
    if (all.complete(count)) {
      plan.run(all[0]), base.run(all[1]);
      check(cudaDeviceSynchronize(), problem);
      differs = problem.empty() ? difference(plan, all[0], all[1]) : -1;
      for (int r = 0; r < rounds + 3 && problem.empty(); ++r) {
        const auto& set = all[static_cast<std::size_t>(r) + 2];
        const double us = once([&] { plan.run(set); }, problem) - pair_us;
        if (r >= 3) times.push_back(us);
      }
    }
  }
  std::printf(
      "  {\"number\": %d, \"launcher\": \"%s\", \"size\": \"%s\", \"us\": %.4f, \"least_us\": %.4f, \"difference\": "
      "%.3g, \"problem\": \"%s\"}",
      number, launcher.c_str(), size.c_str(), times.empty() ? 0. : median(times),
      times.empty() ? 0. : *std::min_element(times.begin(), times.end()), differs, problem.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  cudaDeviceProp device{};
  std::string problem;
  check(cudaGetDeviceProperties(&device, 0), problem);
  std::vector<double> pairs;
  for (int k = 0; k < 31; ++k) pairs.push_back(once([] {}, problem));
  const double pair_us = median(pairs);
  const char* const given = std::getenv("ROUNDS");
  const int rounds = given ? std::atoi(given) : 15;
  std::printf("{\n \"device\": \"%s\",\n \"empty_pair_us\": %.4f,\n \"rows\": [\n", device.name, pair_us);
  for (int at = 1; at + 3 < count; at += 4) {
    time_row(std::atoi(words[at]), words[at + 1], words[at + 2], std::atoi(words[at + 3]), pair_us, rounds);
    std::printf("%s\n", at + 7 < count ? "," : "");
  }
  std::printf(" ]\n}\n");
}
