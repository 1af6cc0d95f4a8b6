// Times the plans among which the encore of lab 17 chooses, and cuBLAS beside them, with a cold L2. Reads sizes from
// standard input, "n m p" in each line. Prints a line of JSON that describes the GPU and the forms of the kernel, and
// one for each size. report/record_plans.py builds, runs and keeps it. An argument says with how many megabytes L2 is
// cleared, if not with three times what an H200's holds.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "encore.cu"

#define matmul_bf16 matmul_by_cublas  // the peer defines a launcher of the same name
#include "peers/cublas_gemm_ex.cu"
#undef matmul_bf16

namespace {

using namespace ring_kernel;

constexpr size_t flushed = 160;             // megabytes
constexpr double hopeless = 2.5;            // expected to take so many times as long as the fastest: not timed
constexpr double slow = 1.5, close = 1.15;  // measured to take so many times as long: not kept, or not timed again
constexpr int first_rounds = 4, more_rounds = 9;

void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "matmul_plans: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Device memory with random bits that are bf16 numbers from -1 to 1.
__global__ void fill(unsigned short* to, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    const unsigned mixed = (unsigned(i) * 2654435761u) ^ (unsigned(i >> 7) * 2246822519u);
    to[i] = (mixed >> 16 & 0x80ff) | 0x3e80;  // an exponent from -2 to -1, any sign and mantissa
  }
}

// Every byte is 1. L2 then holds clean lines; those that a memset leaves must be written back, which takes a product
// longer that begins with loads.
__global__ void read_ones(const uint4* from, size_t count, unsigned* other) {
  unsigned found = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    const uint4 four = from[i];
    found |= (four.x | four.y | four.z | four.w) ^ 0x01010101;
  }
  if (found) *other = found;
}

struct device_array {
  void* data = nullptr;
  explicit device_array(size_t bytes) { require(cudaMalloc(&data, bytes), "allocating"); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data); }
};

// One way to compute the product, and its times in microseconds.
struct candidate {
  plan how;
  std::function<void()> launch;
  std::vector<float> times{};

  // Noise only adds time, so that the median is too much; the fastest of all may be luck.
  float time() {
    std::ranges::sort(times);
    return times[times.size() * 3 / 10];
  }
};

class cold_timer {
 public:
  explicit cold_timer(size_t bytes) : bytes_{bytes}, cache_{bytes + sizeof(uint4)} {
    for (auto& event : events_) require(cudaEventCreate(&event), "creating an event");
  }

  // A call of each, in turns. Clearing the cache takes longer than the host takes to queue the next call. A few small
  // operations before a call shift it against the clock of the GPU's timer.
  void round(std::vector<candidate*>& all) {
    for (size_t first = 0; first < all.size(); first += most) {
      const size_t count = std::min(most, all.size() - first);
      for (size_t i = 0; i < count; ++i) time(*all[first + i], events_ + 2 * i);
      require(cudaDeviceSynchronize(), "computing a product");
      for (size_t i = 0; i < count; ++i) {
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, events_[2 * i], events_[2 * i + 1]);
        all[first + i]->times.push_back(1000 * milliseconds);
      }
    }
  }

 private:
  static constexpr size_t most = 256;  // calls that wait in the queue
  void time(const candidate& one, cudaEvent_t* events) {
    auto* const first = static_cast<uint4*>(cache_.data);
    const size_t count = bytes_ / sizeof(uint4);
    cudaMemsetAsync(first, 1, bytes_);
    read_ones<<<1024, 256>>>(first, count, &first[count].x);
    for (unsigned i = random_() % 5; i > 0; --i) cudaMemsetAsync(cache_.data, 1, 64);
    cudaEventRecord(events[0]);
    one.launch();
    cudaEventRecord(events[1]);
  }

  size_t bytes_;
  device_array cache_;
  cudaEvent_t events_[2 * most];
  std::minstd_rand random_{1};
};

bool same(const plan& x, const plan& y) {
  return x.form == y.form && x.blocks == y.blocks && x.turns == y.turns && x.wide_a == y.wide_a && x.wide_b == y.wide_b;
}

// All plans of the ring that have a chance, and the best of each other kind.
std::vector<plan> plans_of(const sizes& s, const alignment& at) {
  std::vector<plan> all;
  for (int form = 0; form < forms_count; ++form)
    for_each_plan(form, at, s, [&](plan one) {
      one.time = time_for(one, s, at);
      if (std::ranges::none_of(all, [&](const plan& other) { return same(one, other); })) all.push_back(one);
    });
  const auto add = [&](auto... considered) {
    plan best{};
    best.time = INFINITY;
    (considered(best), ...);
    if (best.time < INFINITY) all.push_back(best);
  };
  add([&](plan& best) { consider_small(best, s); });
  add([&](plan& best) { consider_slim(best, s, at); });
  add([&](plan& best) { consider_few_columns(best, s); });
  const double least = std::ranges::min(all, {}, &plan::time).time;
  std::erase_if(all, [&](const plan& one) { return one.time > hopeless * least; });
  return all;
}

void print_head() {
  const auto fact = [](cudaDeviceAttr what) {
    int value = 0;
    require(cudaDeviceGetAttribute(&value, what, 0), "asking for the GPU");
    return value;
  };
  std::printf("{\"multiprocessors\": %d, \"memory_clock_khz\": %d, \"memory_bus_bits\": %d, \"forms\": [",
              fact(cudaDevAttrMultiProcessorCount), fact(cudaDevAttrMemoryClockRate),
              fact(cudaDevAttrGlobalMemoryBusWidth));
  for (int i = 0; i < forms_count; ++i) {
    const form_facts& of = forms[i];
    std::printf("%s[%d, %d, %d, %d, %d, %d, %d]", i ? ", " : "", int(of.from), of.rows, of.cols, of.team_rows,
                of.team_cols, int(of.turned), of.threads);
  }
  std::printf("]}\n");
}

// A row for each plan: form, or -1 for another kernel; blocks, turns, whether a and whether b is copied to wider rows;
// the time that the encore expects, and the time that it takes.
void print(const sizes& s, float cublas, std::vector<candidate>& all, double fastest) {
  std::printf("{\"size\": [%d, %d, %d], \"cublas\": %.4g, \"plans\": [", s.n, s.m, s.p, cublas);
  const char* separator = "";
  for (auto& one : all) {
    const plan& how = one.how;
    if (one.time() > slow * fastest) continue;
    const bool ring = !how.few_columns && how.slim_rows == 0 && how.side == 0;
    std::printf("%s[%d, %d, %d, %d, %d, %.4g, %.4g]", separator, ring ? how.form : -1, how.blocks, how.turns,
                int(how.wide_a), int(how.wide_b), how.time, one.time());
    separator = ", ";
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

void time_plans(cold_timer& timer, const sizes& s) {
  device_array a{sizeof(unsigned short) * size_t(s.n) * s.m}, b{sizeof(unsigned short) * size_t(s.m) * s.p};
  device_array c{sizeof(float) * size_t(s.n) * s.p};
  auto *left = static_cast<unsigned short*>(a.data), *right = static_cast<unsigned short*>(b.data);
  auto* product = static_cast<float*>(c.data);
  fill<<<1024, 256>>>(left, size_t(s.n) * s.m);
  fill<<<1024, 256>>>(right, size_t(s.m) * s.p);
  const few_tiles::shape shape{s.n, s.m, s.p};
  const alignment at{bytes_at_a_time({left, s.n, s.m}), bytes_at_a_time({right, s.m, s.p}), s.p % 4 == 0};
  if (multiply_thin(left, right, product, shape, at)) return;  // nothing to choose

  std::vector<candidate> all;
  all.push_back({{}, [&] { matmul_by_cublas(left, right, product, s.n, s.m, s.p); }});
  for (const plan& how : plans_of(s, at))
    all.push_back({how, [&, how] { multiply_by(how, left, right, product, shape); }});
  std::vector<candidate*> timed;
  for (auto& one : all) one.launch(), timed.push_back(&one);  // the first call loads code
  for (int i = 0; i < first_rounds; ++i) timer.round(timed);
  const auto fastest = [&] {
    return std::ranges::min_element(all.begin() + 1, all.end(), {}, &candidate::time)->time();
  };
  const float first = fastest();
  std::erase_if(timed, [&](candidate* one) { return one != &all[0] && one->time() > close * first; });
  for (int i = 0; i < more_rounds; ++i) timer.round(timed);
  const float cublas = all[0].time(), last = fastest();
  all.erase(all.begin());
  print(s, cublas, all, last);
}

}  // namespace

int main(int count, char** arguments) {
  print_head();
  cold_timer timer{(count > 1 ? std::atoi(arguments[1]) : flushed) << 20};
  for (sizes s{}; std::scanf("%d %d %d", &s.n, &s.m, &s.p) == 3;) time_plans(timer, s);
  require(cudaGetLastError(), "timing");
}
