#include <algorithm>
#include <map>
#include <span>

#include "cuda/buffer.hpp"
#include "cuda/stopwatch.hpp"
#include "runner/commands.hpp"
#include "runner/gpu_state.hpp"
#include "runner/replay/arena.hpp"
#include "runner/replay/device_code.hpp"
#include "runner/replay/replay_streams.hpp"

namespace lab::runner {

namespace {

int attribute_of_device(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cuda::check(cudaGetDevice(&device), "cudaGetDevice");
  cuda::check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

// Leaves nothing in L2 but lines of its own. Overwriting much memory takes a while, in which the host hands over what
// follows, so that the device never waits for a launch. Then as much is read, into one small place: L2 is full of lines
// that need not be written back at the cost of what follows.
class flusher {
 public:
  flusher()
      : memory_{4 * std::max<std::size_t>(attribute_of_device(cudaDevAttrL2CacheSize), 1 << 20)},
        place_{memory_.size_bytes() / parts} {}

  void put(unsigned times) const {
    for (unsigned i = 0; i < times; ++i)
      cuda::check(cudaMemsetAsync(memory_.data(), 0x5a, memory_.size_bytes(), nullptr), "cudaMemsetAsync");
    const auto part = place_.size_bytes();
    for (std::size_t i = 0; i < parts; ++i)
      cuda::check(cudaMemcpyAsync(place_.data(), memory_.data() + i * part, part, cudaMemcpyDeviceToDevice, nullptr),
                  "cudaMemcpyAsync");
  }
  void warm_up() const {
    cuda::warm_up([this] {
      put(1);
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    });
  }

 private:
  static constexpr std::size_t parts = 64;
  cuda::buffer memory_, place_;
};

// The tape with all that it names in place: arena, device code loaded anew, streams, events.
class player {
 public:
  player(replay::launch_recording r, const std::string& code, const std::byte* images)
      : recording_{std::move(r)},
        arena_{recording_.address, recording_.images + recording_.scratch},
        code_{code},
        streams_{recording_} {
    constexpr int litter = 0xa5;  // of the launcher's own memory, too, nothing is left from the last time
    cuda::check(cudaMemcpy(arena_.data(), images, recording_.images, cudaMemcpyHostToDevice), "cudaMemcpy");
    cuda::check(cudaMemset(arena_.data() + recording_.images, litter, recording_.scratch), "cudaMemset");
    for (const auto& name : recording_.kernels) kernels_.push_back(code_.find(name));
    for (const auto& o : recording_.operations) prepare(o);
  }

  // Milliseconds. Two events are apart even with nothing between them: that much is not the tape's time.
  float play() {
    const flusher flush;
    flush.warm_up();
    float nothing = timed(flush, {});
    for (int again = 0; again < 2; ++again) nothing = std::min(nothing, timed(flush, {}));
    return std::max(timed(flush, recording_.operations) - nothing, cuda::event_resolution_ms);
  }

  void copy_back(std::byte* out) const {
    cuda::check(cudaMemcpy(out, arena_.data(), recording_.images, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }

 private:
  float timed(const flusher& flush, std::span<const replay::operation> operations) {
    flush.put(8 + static_cast<unsigned>(operations.size()) / 8);
    watch_.start();
    streams_.join();
    for (const auto& o : operations) perform(o);
    streams_.join();
    return watch_.stop();
  }

  // What takes no part in the time.
  void prepare(const replay::operation& o) {
    if (o.what == replay::action::attribute) set_attribute(kernels_[o.index], o.value, o.bytes);
    if (o.what == replay::action::launch)
      replay::move_pointers({recording_.data.data() + o.from.offset, o.bytes}, recording_.address,
                            recording_.images + recording_.scratch, arena_.address());
    if (o.what == replay::action::copy || o.what == replay::action::fill) find_global(o.to, o.bytes);
    if (o.what == replay::action::copy) find_global(o.from, o.bytes);
  }

  void find_global(const replay::place& p, std::uint64_t bytes) {
    if (p.in == replay::memory_space::global)
      globals_[p.global] = code_.global(recording_.globals[p.global], p.offset + bytes);
  }

  void perform(const replay::operation& o) {
    const auto stream = streams_.stream(o.stream);
    switch (o.what) {
      case replay::action::launch:
        return launch(kernels_[o.index], o, recording_.data.data() + o.from.offset, stream);
      case replay::action::attribute:
        return;
      case replay::action::fill:
        return cuda::check(cudaMemsetAsync(at(o.to), static_cast<int>(o.value), o.bytes, stream), "cudaMemsetAsync");
      case replay::action::copy:
        return cuda::check(cudaMemcpyAsync(at(o.to), at(o.from), o.bytes, cudaMemcpyDefault, stream),
                           "cudaMemcpyAsync");
      case replay::action::record_event:
        return streams_.record_event(o.index, o.stream);
      case replay::action::wait_event:
        return streams_.wait_event(o.index, o.stream);
      case replay::action::barrier:
        return streams_.join();
    }
  }

  std::byte* at(const replay::place& p) {
    if (p.in == replay::memory_space::arena) return arena_.data() + p.offset;
    return (p.in == replay::memory_space::global ? globals_.at(p.global) : recording_.data.data()) + p.offset;
  }

  replay::launch_recording recording_;
  arena arena_;
  device_code code_;
  replay_streams streams_;
  std::vector<device_code::kernel> kernels_;
  std::map<std::uint32_t, std::byte*> globals_;
  cuda::stopwatch watch_;
};

}  // namespace

void replay(const incoming& order, libraries& known, protocol::reply& answer) {
  const auto& r = order.request;
  if (r.untrusted && attribute_of_device(cudaDevAttrPageableMemoryAccess) != 0)
    return say(answer, protocol::status::done, "kernels can read the host's memory on this machine");
  auto recorded = replay::from_bytes({order.in.data() + r.file_bytes, r.recording_bytes});
  if (recorded.images != r.file_bytes) throw replay::malformed("its images are of another size");
  player p{std::move(recorded), known.path(r.library[0]), order.in.data()};
  answer.milliseconds[0][0] = p.play();
  answer.samples = 1;
  answer.gpu = gpu_state_now();
  if (finished_well(answer)) p.copy_back(order.out.data());
}

}  // namespace lab::runner
