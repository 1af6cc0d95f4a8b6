#include "sim/runtime/execution/grid.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <mutex>
#include <utility>

#include "sim/runtime/device/launch_limits.hpp"
#include "sim/runtime/errors/errors.hpp"
#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/execution/cluster.hpp"
#include "sim/runtime/execution/cooperative_blocks.hpp"
#include "sim/runtime/execution/execution_order.hpp"
#include "sim/runtime/execution/faults.hpp"
#include "sim/runtime/execution/worker_pool.hpp"
#include "sim/runtime/hooks/trace_hooks.hpp"
#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/device_access.hpp"
#include "sim/runtime/streams/stream_capture.hpp"
#include "sim/runtime/streams/streams.hpp"
#include "sim/runtime/symbols/kernel_clusters.hpp"
#include "sim/runtime/symbols/symbol_table.hpp"

namespace lab::sim {

namespace {

struct job {
  const lab_sim::config& where;
  const lab_sim::kernel_call& call;
  std::uint64_t blocks, chunk;  // blocks, or clusters of several
  std::uint64_t team = 1;       // blocks of a cluster
  std::uint64_t number = 0;     // of the launch
  unsigned parts = 1;           // OS threads
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> stop = false;
  std::atomic<unsigned> joined = 0;
  std::atomic<std::size_t> waiting = 0;  // blocks of a cooperative launch at a grid barrier
  std::barrier<> met{1};
};

bool run_block(const job& work, std::uint64_t number) {
  return block_runner::current().run(work.call, place_in(work.where.grid, number)) == block_state::ended;
}

bool run_traced_block(const job& work, std::uint64_t number) {
  block_runner::current().set_thread_order(thread_order(blockDim.x * blockDim.y * blockDim.z, number));
  trace::block_begins(number);
  const bool ended = run_block(work, number);
  trace::block_ends();
  return ended;
}

// Runs one block, or all blocks of one cluster, and then the next.
class one_by_one {
 public:
  explicit one_by_one(const job& work) : work_{work} {
    if (cluster::count(work.where) > 0) cluster_ = std::make_unique<cluster>(work.where, work.call);
  }
  bool operator()(std::uint64_t number) const {
    return cluster_            ? cluster_->run(number)
           : work_.call.traced ? run_traced_block(work_, number)
                               : run_block(work_, number);
  }

 private:
  const job& work_;
  std::unique_ptr<cluster> cluster_;
};

// All blocks run until they end or wait for the grid; then all continue, until no block waits.
void run_cooperating(job& work) {
  const unsigned me = work.joined++;
  cooperative_blocks mine{work.call};
  const block_order order{work.blocks};
  for (std::uint64_t b = me; b < work.blocks; b += work.parts) mine.add(order[b], place_in(work.where.grid, order[b]));
  for (bool going = true; going;) {
    if (!mine.run()) work.stop = true;
    work.waiting += mine.waiting();
    work.met.arrive_and_wait();
    const std::size_t waiting = work.waiting;
    const bool stop = work.stop;
    work.met.arrive_and_wait();
    going = waiting == work.blocks && !stop;
    if (!going && !stop) mine.report_missing();
    if (me == 0) work.waiting = 0;
    if (me == 0 && going) trace::grid_synchronized();
    work.met.arrive_and_wait();
  }
}

void begin_part(const job& work) {
  catch_faults();
  work.call.enter();
  gridDim = work.where.grid;
  blockDim = work.where.block;
}

// Only some blocks run, on one OS thread.
void run_sample(job& work) {
  if (work.joined++ > 0) return;
  const block_order order{work.blocks, work.number, work.team};
  const one_by_one run{work};
  for (std::uint64_t i = 0; i < order.size() && run(order[i]); ++i) {
  }
}

void take_part(job& work) {
  begin_part(work);
  if (work.call.cooperative) return run_cooperating(work);
  if (sampled_fraction() > 0) return run_sample(work);
  const one_by_one run{work};
  for (std::uint64_t first; (first = work.next.fetch_add(work.chunk)) < work.blocks && !work.stop;)
    for (std::uint64_t b = first; b < first + work.chunk && b < work.blocks; ++b)
      if (!run(b)) {
        work.stop = true;
        return;
      }
}

// A traced grid runs block by block on this OS thread. A sample ends early if its blocks count the same.
void run_traced(job& work) {
  begin_part(work);
  const trace::alone only_this_grid;
  bool going = trace::launch_begins(work.where, work.call);
  if (work.call.cooperative) run_cooperating(work);
  const block_order order{work.call.cooperative ? 0 : work.blocks, work.number, work.team};
  const one_by_one run{work};
  for (std::uint64_t i = 0; i < order.size() && going && !(i >= order.enough() && trace::blocks_are_alike()); ++i)
    going = run(order[i]);
  trace::launch_ends();
}

std::mutex one_grid;

constexpr std::uint64_t worth_waking = 2048;  // threads in a grid; a smaller grid ends before a worker wakes up

void run_alone(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const std::uint64_t all = std::uint64_t{where.grid.x} * where.grid.y * where.grid.z;
  const std::uint64_t threads = all * where.block.x * where.block.y * where.block.z;
  const std::uint64_t clusters = cluster::count(where), blocks = clusters > 0 ? clusters : all;
  const std::uint64_t chunk = std::max<std::uint64_t>(1, std::min<std::uint64_t>(64, blocks / (16 * workers().size())));
  const bool alone = call.traced || blocks == 1 || threads < worth_waking || workers().size() == 1;
  const unsigned parts = alone ? 1 : workers().size();
  static std::uint64_t launches = 0;
  job j{.where = where,
        .call = call,
        .blocks = blocks,
        .chunk = chunk,
        .team = all / std::max<std::uint64_t>(blocks, 1),
        .number = launches++,
        .parts = parts,
        .met = std::barrier<>{parts}};
  if (call.traced)
    run_traced(j);
  else if (alone)
    take_part(j);
  else
    workers().run([&j] { take_part(j); });
}

// Launches by kernels. A kernel cannot wait for them, so they may begin when the grid that made them has ended. The
// next launch in a stream begins after them, because they belong to that grid. Tail launches come last.
struct device_launch {
  lab_sim::config where;
  lab_sim::kernel_call call;
  std::shared_ptr<const void> body;
};
std::mutex launches_guard;
std::vector<device_launch> launched_by_grid;

void run_with_children(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  run_alone(where, call);
  auto children = std::exchange(launched_by_grid, {});
  std::stable_partition(children.begin(), children.end(),
                        [](const auto& c) { return c.where.stream != cudaStreamTailLaunch; });
  for (auto& c : children) {
    if (faulted() != cudaSuccess) return;
    c.where.stream = where.stream;
    run_with_children(c.where, c.call);
  }
}

void run_grid(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  const std::lock_guard lock{one_grid};
  const device_access open;
  const own_memory closed{call.device};
  run_with_children(where, call);
}

cudaError_t launch_from_device(const lab_sim::config& where, lab_sim::kernel_call call) {
  call.device = block_runner::current().call()->device;
  if (const cudaError_t refused = check_launch(where, call); refused != cudaSuccess) return report(refused);
  const std::shared_ptr<const void> body{call.copy(call.body), call.drop};
  call.body = body.get();
  const std::lock_guard lock{launches_guard};
  launched_by_grid.push_back({where, call, body});
  return cudaSuccess;
}

// A copy of the launch and its arguments, for a graph. Made only if the stream captures.
auto keep(const lab_sim::config& where, const lab_sim::kernel_call& call) {
  return [&where, &call]() -> capture::work {
    const std::shared_ptr<const void> body{call.copy(call.body), call.drop};
    lab_sim::kernel_call again = call;
    again.body = body.get();
    return [where, again, body] { return run_grid(where, again), faulted(); };
  };
}

}  // namespace

void start_workers() {
  catch_faults();
  workers();
}

}  // namespace lab::sim

namespace lab_sim {

using namespace lab::sim;

cudaError_t launch_grid(const config& asked, const kernel_call& call) {
  kernel_call from_here = call;
  config where = asked;
  if (!call.name) from_here.name = symbol_of(call.address).name.c_str();
  from_here.dynamic_bytes = where.shared;
  from_here.from = __builtin_return_address(0);
  const auto cluster = cluster_of(asked, call.address, call.name);
  if (!cluster)
    return report(refuse_launch(cudaErrorNotSupported, from_here,
                                "kernels of this name have clusters of different sizes", "overloads"));
  if (!same_size(asked.cluster, {1, 1, 1}) && !same_size(asked.cluster, *cluster))  // one block counts as none
    return report(refuse_launch(cudaErrorInvalidClusterSize, from_here,
                                "its attributes and its __cluster_dims__ name clusters of different sizes",
                                "clusters"));
  where.cluster = *cluster;
  if (block_runner::current().inside()) return launch_from_device(where, from_here);
  const bool host_knows_fault = faulted() != cudaSuccess && !fault_is_news();
  if (!call.traced || !trace::finds_more_faults()) {
    if (fault_is_news()) return cudaSuccess;
    if (host_knows_fault) return report(sticky());
  }
  if (const cudaError_t refused = report(check_launch(where, from_here)); refused != cudaSuccess) return refused;
  if (!known(where.stream))
    return report(refuse_launch(cudaErrorInvalidResourceHandle, from_here, std::string{"its stream"} + does_not_exist,
                                "streams"));
  from_here.device = built_in(where.stream) ? current_device() : where.stream->device;
  if (from_here.device != current_device())
    return report(refuse_launch(cudaErrorInvalidResourceHandle, from_here,
                                "its stream belongs to device " + std::to_string(from_here.device) +
                                    ", but the current device is " + std::to_string(current_device()),
                                "streams"));
  const auto run = [&] { return run_grid(where, from_here), cudaSuccess; };
  const cudaError_t launched = capture::run_or_keep(where.stream, keep(where, from_here), run);
  return report(host_knows_fault ? sticky() : launched);
}

}  // namespace lab_sim

bool lab_sim::lab_sim_inside() { return block_runner::current().inside(); }

long long clock64() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}
void __nanosleep(unsigned) { lab_sim::yield(); }
