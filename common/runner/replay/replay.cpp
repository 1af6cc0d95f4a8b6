#include <algorithm>
#include <map>
#include <span>

#include "cuda/buffer.hpp"
#include "cuda/stopwatch.hpp"
#include "cuda/warm_up.hpp"
#include "runner/commands.hpp"
#include "runner/gpu_state.hpp"
#include "runner/replay/device_arena.hpp"
#include "runner/replay/device_code.hpp"
#include "runner/replay/replay_streams.hpp"

namespace lab::runner {

namespace {

int device_attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice");
  cuda::check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

// Fills L2 with lines of its own. First it overwrites much memory: meanwhile the host queues the replay, so that the
// device never waits for a launch. Then it reads the same memory, so that L2 holds clean lines: writing dirty lines
// back would slow the replay down.
class l2_flusher {
 public:
  l2_flusher()
      : memory_{4 * std::max<std::size_t>(device_attribute(cudaDevAttrL2CacheSize), 1 << 20)},
        target_{memory_.size_bytes() / chunks} {}

  void enqueue(unsigned times) const {
    for (unsigned i = 0; i < times; ++i)
      cuda::check(cudaMemsetAsync(memory_.data(), 0x5a, memory_.size_bytes(), nullptr), "cudaMemsetAsync");
    const auto chunk = target_.size_bytes();
    for (std::size_t i = 0; i < chunks; ++i)
      cuda::check(cudaMemcpyAsync(target_.data(), memory_.data() + i * chunk, chunk, cudaMemcpyDeviceToDevice, nullptr),
                  "cudaMemcpyAsync");
  }
  void warm_up() const {
    cuda::warm_up([this] {
      enqueue(1);
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    });
  }

 private:
  static constexpr std::size_t chunks = 64;
  cuda::buffer memory_, target_;
};

// A recording with all that it names: arena, newly loaded device code, streams and events.
class replayer {
 public:
  replayer(replay::launch_recording recording, const std::string& code, const std::byte* arrays)
      : recording_{std::move(recording)},
        arena_{recording_.address, recording_.array_bytes + recording_.scratch_bytes},
        code_{code},
        streams_{recording_} {
    constexpr int poison = 0xa5;  // so that scratch memory holds nothing of an earlier replay
    cuda::check(cudaMemcpy(arena_.data(), arrays, recording_.array_bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    cuda::check(cudaMemset(arena_.data() + recording_.array_bytes, poison, recording_.scratch_bytes), "cudaMemset");
    for (const auto& name : recording_.kernels) kernels_.push_back(code_.find(name));
    for (const auto& op : recording_.operations) prepare(op);
  }

  // The time of the replay in milliseconds, less that of an empty pair of events.
  float replay_timed() {
    const l2_flusher flush;
    flush.warm_up();
    float empty_pair = timed(flush, {});
    for (int again = 0; again < 2; ++again) empty_pair = std::min(empty_pair, timed(flush, {}));
    return std::max(timed(flush, recording_.operations) - empty_pair, cuda::event_resolution_ms);
  }

  void copy_back(std::byte* out) const {
    cuda::check(cudaMemcpy(out, arena_.data(), recording_.array_bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

 private:
  float timed(const l2_flusher& flush, std::span<const replay::operation> operations) {
    flush.enqueue(8 + static_cast<unsigned>(operations.size()) / 8);
    watch_.start();
    streams_.join();
    for (const auto& op : operations) perform(op);
    streams_.join();
    watch_.end();
    return watch_.milliseconds();
  }

  // Everything that must not be timed.
  void prepare(const replay::operation& op) {
    if (op.what == replay::action::attribute) set_attribute(kernels_[op.index], op.value, op.bytes);
    if (op.what == replay::action::launch)
      replay::move_pointers({recording_.data.data() + op.from.offset, op.bytes}, recording_.address,
                            recording_.array_bytes + recording_.scratch_bytes, arena_.address());
    if (op.what == replay::action::copy || op.what == replay::action::fill) find_global(op.to, op.bytes);
    if (op.what == replay::action::copy) find_global(op.from, op.bytes);
  }

  void find_global(const replay::memory_location& location, std::uint64_t bytes) {
    if (location.area == replay::memory_area::global)
      globals_[location.global] = code_.global(recording_.globals[location.global], location.offset + bytes);
  }

  void perform(const replay::operation& op) {
    const auto stream = streams_.stream(op.stream);
    switch (op.what) {
      case replay::action::launch:
        return launch(kernels_[op.index], op, recording_.data.data() + op.from.offset, stream);
      case replay::action::attribute:
        return;
      case replay::action::fill:
        return cuda::check(cudaMemsetAsync(address_of(op.to), static_cast<int>(op.value), op.bytes, stream),
                           "cudaMemsetAsync");
      case replay::action::copy:
        return cuda::check(cudaMemcpyAsync(address_of(op.to), address_of(op.from), op.bytes, cudaMemcpyDefault, stream),
                           "cudaMemcpyAsync");
      case replay::action::record_event:
        return streams_.record_event(op.index, op.stream);
      case replay::action::wait_event:
        return streams_.wait_event(op.index, op.stream);
      case replay::action::barrier:
        return streams_.join();
    }
  }

  std::byte* address_of(const replay::memory_location& location) {
    if (location.area == replay::memory_area::arena) return arena_.data() + location.offset;
    return (location.area == replay::memory_area::global ? globals_.at(location.global) : recording_.data.data()) +
           location.offset;
  }

  replay::launch_recording recording_;
  device_arena arena_;
  device_code code_;
  replay_streams streams_;
  std::vector<device_code::kernel> kernels_;
  std::map<std::uint32_t, std::byte*> globals_;
  cuda::stopwatch watch_;
};

}  // namespace

void replay(const incoming_request& incoming, library_set& libraries, protocol::reply& reply) {
  const auto& request = incoming.request;
  if (request.untrusted && device_attribute(cudaDevAttrPageableMemoryAccess) != 0)
    return set_status(reply, protocol::status::done, "on this machine kernels can read host memory");
  auto recorded = replay::from_bytes({incoming.in.data() + request.file_bytes, request.recording_bytes});
  if (recorded.array_bytes != request.file_bytes) throw replay::malformed("its arrays have another size");
  replayer replayer{std::move(recorded), libraries.path(request.libraries[0]), incoming.in.data()};
  reply.milliseconds[0][0] = replayer.replay_timed();
  reply.samples = 1;
  reply.gpu = gpu_state_now();
  if (wait_for_device(reply)) replayer.copy_back(incoming.out.data());
}

}  // namespace lab::runner
