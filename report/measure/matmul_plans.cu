// Times the plans among which the encore of lab 17 chooses, and cuBLAS beside them, as `lab bench` does: each timed
// call follows an untimed one of the same plan, and the calls go through copies of the arrays that L2 cannot hold.
// Reads sizes from standard input, "n m p" in each line. Prints a line of JSON that describes the GPU and the forms of
// the kernel, and one for each size. report/record_plans.py builds, runs and keeps it. An argument says how many copies
// there are at most.
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

constexpr int most_copies = 64, many_caches = 4;  // so many copies, or so many times what L2 holds
constexpr double hopeless = 2.5;                  // expected to take so many times as long as the fastest: not timed
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

// A thread's dependent operations, some four cycles each: while they take their time, the host queues what follows.
__global__ void wait(int operations, unsigned* never) {
  unsigned x = operations;
  for (int i = 0; i < operations; ++i) x = x * 1664525 + 1013904223;
  if (x == 1) *never = x;
}

struct device_array {
  void* data = nullptr;
  explicit device_array(size_t bytes) { require(cudaMalloc(&data, bytes), "allocating"); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data); }
};

struct one_copy {
  const unsigned short *a, *b;
  float* c;
};

// Copies of the arrays of a product, which calls use in turn.
class copies {
 public:
  copies(const sizes& s, int most)
      : a_{whole(sizeof(unsigned short) * s.n * s.m)},
        b_{whole(sizeof(unsigned short) * s.m * s.p)},
        c_{whole(sizeof(float) * s.n * s.p)},
        count_{std::clamp(size_t(many_caches * bytes_of_l2()) / (a_ + b_ + c_) + 1, size_t{1}, size_t(most))},
        all_{count_ * (a_ + b_ + c_)} {
    fill<<<1024, 256>>>(static_cast<unsigned short*>(all_.data), count_ * (a_ + b_ + c_) / sizeof(unsigned short));
  }

  one_copy next() {
    char* const a = static_cast<char*>(all_.data) + (next_++ % count_) * (a_ + b_ + c_);
    return {reinterpret_cast<unsigned short*>(a), reinterpret_cast<unsigned short*>(a + a_),
            reinterpret_cast<float*>(a + a_ + b_)};
  }

 private:
  static size_t whole(double bytes) { return (size_t(bytes) / 512 + 1) * 512; }
  static double bytes_of_l2() {
    int bytes = 0;
    require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), "asking for L2");
    return bytes;
  }

  size_t a_, b_, c_, count_;
  device_array all_;
  size_t next_ = 0;
};

// One way to compute the product, and its times in microseconds.
struct candidate {
  plan how;
  std::function<void(const one_copy&)> launch;
  std::vector<float> times{};

  // Noise only adds time, so that the median is too much; the fastest of all may be luck.
  float time() {
    std::ranges::sort(times);
    return times[times.size() * 3 / 10];
  }
};

class timer {
 public:
  timer() {
    for (auto& event : events_) require(cudaEventCreate(&event), "creating an event");
    copies none{{8, 8, 8}, 1};
    candidate nothing{{}, [](const one_copy&) {}};
    std::vector<candidate*> all(20, &nothing);
    round(all, none);
    empty_ = std::ranges::min(nothing.times);
  }

  // A timed call of each, in turns.
  void round(std::vector<candidate*>& all, copies& arrays) {
    for (size_t first = 0; first < all.size(); first += most) {
      const size_t count = std::min(most, all.size() - first);
      pause(20 * operations);
      for (size_t i = 0; i < count; ++i) time(*all[first + i], arrays, events_ + 2 * i);
      require(cudaDeviceSynchronize(), "computing a product");
      for (size_t i = 0; i < count; ++i) {
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, events_[2 * i], events_[2 * i + 1]);
        all[first + i]->times.push_back(std::max(1000 * milliseconds - empty_, least));
      }
    }
  }

 private:
  static constexpr size_t most = 128;       // calls that wait in the queue
  static constexpr int operations = 12000;  // longer than the host takes for a call
  static constexpr float least = 0.1;       // microseconds

  void pause(int count) { wait<<<1, 1>>>(count, static_cast<unsigned*>(never_.data)); }

  // The pauses differ, so that calls begin at other times of the GPU's timer.
  void time(const candidate& one, copies& arrays, cudaEvent_t* events) {
    one.launch(arrays.next());
    pause(operations + int(random_() % 4096));
    cudaEventRecord(events[0]);
    one.launch(arrays.next());
    cudaEventRecord(events[1]);
  }

  device_array never_{sizeof(unsigned)};
  float empty_ = 0;  // what a pair of events takes with nothing between them
  cudaEvent_t events_[2 * most];
  std::minstd_rand random_{1};
};

bool same(const plan& x, const plan& y) {
  return x.form == y.form && x.blocks == y.blocks && x.turns == y.turns && x.wide_a == y.wide_a && x.wide_b == y.wide_b;
}

// All plans that have a chance.
std::vector<plan> plans_of(const sizes& s, const alignment& at) {
  std::vector<plan> all;
  for (int form = 0; form < forms_count; ++form)
    for_each_plan(form, at, s, [&](plan one) {
      one.time = time_for(one, s, at);
      if (std::ranges::none_of(all, [&](const plan& other) { return same(one, other); })) all.push_back(one);
    });
  for_each_other_plan(s, [&](plan one) {
    one.time = time_for(one, s, at);
    all.push_back(one);
  });
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

// A row for each plan: of the ring, its form, blocks, turns, and whether a and whether b is copied to wider rows; of
// another kernel, -1, the side of its small tiles, the rows of its slim ones, whether it is that for few columns, and
// 0. Then the time that the encore expects, and the time that it takes.
void print(const sizes& s, float cublas, std::vector<candidate>& all, double fastest) {
  std::printf("{\"size\": [%d, %d, %d], \"cublas\": %.4g, \"plans\": [", s.n, s.m, s.p, cublas);
  const char* separator = "";
  for (auto& one : all) {
    const plan& how = one.how;
    if (one.time() > slow * fastest) continue;
    if (how.by_ring())
      std::printf("%s[%d, %d, %d, %d, %d", separator, how.form, how.blocks, how.turns, how.wide_a, how.wide_b);
    else
      std::printf("%s[-1, %d, %d, %d, 0", separator, how.side, how.slim_rows, how.few_columns);
    std::printf(", %.4g, %.4g]", how.time, one.time());
    separator = ", ";
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

void time_plans(timer& clock, const sizes& s, int most) {
  copies arrays{s, most};
  const auto [left, right, product] = arrays.next();
  const few_tiles::shape shape{s.n, s.m, s.p};
  const alignment at{bytes_at_a_time({left, s.n, s.m}), bytes_at_a_time({right, s.m, s.p}), s.p % 4 == 0};
  if (multiply_thin(left, right, product, shape, at)) return;  // nothing to choose

  std::vector<candidate> all;
  all.push_back({{}, [&](const one_copy& on) { matmul_by_cublas(on.a, on.b, on.c, s.n, s.m, s.p); }});
  for (const plan& how : plans_of(s, at))
    all.push_back({how, [&, how](const one_copy& on) { multiply_by(how, on.a, on.b, on.c, shape); }});
  std::vector<candidate*> timed;
  for (auto& one : all) one.launch(arrays.next()), timed.push_back(&one);  // the first call loads code
  for (int i = 0; i < first_rounds; ++i) clock.round(timed, arrays);
  const auto fastest = [&] {
    return std::ranges::min_element(all.begin() + 1, all.end(), {}, &candidate::time)->time();
  };
  const float first = fastest();
  std::erase_if(timed, [&](candidate* one) { return one != &all[0] && one->time() > close * first; });
  for (int i = 0; i < more_rounds; ++i) clock.round(timed, arrays);
  const float cublas = all[0].time(), last = fastest();
  all.erase(all.begin());
  print(s, cublas, all, last);
}

}  // namespace

int main(int count, char** arguments) {
  print_head();
  timer clock;
  const int most = count > 1 ? std::atoi(arguments[1]) : most_copies;
  for (sizes s{}; std::scanf("%d %d %d", &s.n, &s.m, &s.p) == 3;) time_plans(clock, s, most);
  require(cudaGetLastError(), "timing");
}
