#include "grid.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "block.hpp"
#include "errors.hpp"
#include "fault.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "schedule.hpp"
#include "trace.hpp"

namespace lab::sim {

namespace {

struct job {
  const lab_sim::config& where;
  const lab_sim::kernel_call& call;
  std::uint64_t blocks, chunk;
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> stop = false;
};

bool run_block(const job& j, std::uint64_t number) {
  const dim3 grid = j.where.grid;
  const std::uint64_t row = number / grid.x;
  const dim3 index(static_cast<unsigned>(number % grid.x), static_cast<unsigned>(row % grid.y),
                   static_cast<unsigned>(row / grid.y));
  return block_runner::mine().run(j.call, index);
}

void take_part(job& j) {
  catch_faults();
  gridDim = j.where.grid;
  blockDim = j.where.block;
  for (std::uint64_t first; (first = j.next.fetch_add(j.chunk)) < j.blocks && !j.stop;)
    for (std::uint64_t b = first; b < first + j.chunk && b < j.blocks; ++b)
      if (!run_block(j, b)) {
        j.stop = true;
        return;
      }
}

// A traced grid runs block by block on this thread.
void run_traced(job& j) {
  catch_faults();
  gridDim = j.where.grid;
  blockDim = j.where.block;
  trace::launch_begins(j.where, j.call);
  bool going = true;
  const auto order = block_order(j.blocks);
  for (std::size_t i = 0; i < order.size() && going; ++i) {
    const std::uint64_t b = order[i];
    block_runner::mine().start_in(thread_order(blockDim.x * blockDim.y * blockDim.z, b));
    trace::block_begins(b);
    going = run_block(j, b);
    trace::block_ends();
  }
  trace::launch_ends();
}

// Threads that sleep until there is a grid to share; the launching thread works too.
class crew {
 public:
  explicit crew(unsigned helpers) {
    for (unsigned i = 0; i < helpers; ++i) std::thread{[this] { serve(); }}.detach();
    helpers_ = helpers;
  }

  unsigned size() const { return helpers_ + 1; }

  void run(job& j) {
    {
      const std::lock_guard lock{guard_};
      job_ = &j;
      ++round_;
      busy_ = helpers_;
    }
    wake_.notify_all();
    take_part(j);
    std::unique_lock lock{guard_};
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      std::unique_lock lock{guard_};
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      job& j = *job_;
      lock.unlock();
      take_part(j);
      lock.lock();
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::mutex guard_;
  std::condition_variable wake_, done_;
  job* job_ = nullptr;
  std::uint64_t round_ = 0;
  unsigned busy_ = 0, helpers_ = 0;
};

unsigned wanted_threads() {
  const char* const chosen = std::getenv("LAB_SIM_THREADS");
  const int n = chosen ? std::atoi(chosen) : static_cast<int>(std::thread::hardware_concurrency());
  return n < 1 ? 1 : static_cast<unsigned>(n);
}

crew& workers() {
  static auto* const the = new crew{wanted_threads() - 1};  // its threads never end
  return *the;
}

std::mutex one_grid;

constexpr std::uint64_t worth_waking = 2048;  // threads in a grid; fewer are done before a helper is awake

}  // namespace

void start_workers() {
  catch_faults();
  workers();
}

}  // namespace lab::sim

namespace lab_sim {

using namespace lab::sim;

void launch_grid(const config& c, const kernel_call& call) {
  if (block_runner::mine().inside())
    block_runner::mine().abandon(cudaErrorNotSupported, "launch_error", "a kernel that launches kernels");
  if (sticky() != cudaSuccess) return;
  kernel_call from_here = call;
  from_here.from = __builtin_return_address(0);
  if (report(check_launch(c, from_here)) != cudaSuccess) return;
  const std::lock_guard lock{one_grid};
  const device_access open;
  const std::uint64_t blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  const std::uint64_t threads = blocks * c.block.x * c.block.y * c.block.z;
  const std::uint64_t chunk = std::max<std::uint64_t>(1, std::min<std::uint64_t>(64, blocks / (16 * workers().size())));
  job j{c, call, blocks, chunk};
  if (call.traced)
    run_traced(j);
  else if (blocks == 1 || threads < worth_waking || workers().size() == 1)
    take_part(j);
  else
    workers().run(j);
}

}  // namespace lab_sim

long long clock64() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}
void __nanosleep(unsigned) { lab_sim::give_way(); }
