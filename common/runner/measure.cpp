#include <algorithm>
#include <cstring>

#include "runner/argument_arrays.hpp"
#include "runner/commands.hpp"
#include "runner/device_clock.hpp"
#include "runner/gpu_state.hpp"

namespace lab::runner {

namespace {

// Page-locked host copies of one image set's payloads, for timing a call together with its transfers.
class transfers {
 public:
  transfers(std::span<const protocol::slot> slots, const std::byte* in) : slots_{slots} {
    for (const auto& s : slots) {
      host_.push_back(nullptr);
      if (s.kind == protocol::slot_kind::scalar) continue;
      cuda::check(cudaMallocHost(&host_.back(), std::max<std::size_t>(s.bytes, 1)), "cudaMallocHost");
      std::memcpy(host_.back(), in + s.offset + s.guard, s.bytes);
    }
  }
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers() {
    for (void* h : host_)
      if (h) cudaFreeHost(h);
  }

  void upload(std::span<void* const> to) const {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (host_[i] && slots_[i].reads) copy(to[i], host_[i], i, cudaMemcpyHostToDevice);
  }
  void download(std::span<void* const> from) const {
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (host_[i] && slots_[i].writes) copy(host_[i], from[i], i, cudaMemcpyDeviceToHost);
  }

 private:
  void copy(void* to, const void* from, std::size_t i, cudaMemcpyKind kind) const {
    cuda::check(cudaMemcpyAsync(to, from, slots_[i].bytes, kind, nullptr), "cudaMemcpyAsync");
  }

  std::span<const protocol::slot> slots_;
  std::vector<void*> host_;
};

// The state of one `measure`: what is called, on which buffers, whose turn it is.
class course {
 public:
  course(const incoming& order, libraries& known)
      : r_{order.request}, out_{order.out.data()}, slots_{r_.slot, r_.slots}, clock_{r_.host_pointers == 0} {
    for (std::uint32_t l = 0; l < r_.libraries; ++l) launchers_.push_back(known.function(r_.library[l], r_.symbol));
    for (std::uint32_t c = 0; c < std::max(1u, r_.copies); ++c)
      sets_.emplace_back(slots_, r_.host_pointers != 0, order.in.data());
    if (r_.with_copies && !r_.host_pointers) transfers_.emplace(slots_, order.in.data());
  }

  std::size_t launchers() const { return launchers_.size(); }
  bool had_head_start() const { return clock_.ahead(); }

  float timed_call(std::size_t launcher) {
    const auto pointers = sets_[turn_++ % sets_.size()].pointers();
    return clock_.milliseconds([&] {
      if (transfers_) transfers_->upload(pointers);
      call(launchers_[launcher], slots_, pointers);
      if (transfers_) transfers_->download(pointers);
    });
  }

  // Raises the device's clock, which an idle GPU has lowered.
  void warm_up() {
    cuda::warm_up([this] {
      for (std::size_t l = 0; l < launchers(); ++l) timed_call(l);
    });
    clock_.calibrate();
  }

  void copy_last_back() const { sets_[(turn_ - 1) % sets_.size()].copy_back(out_); }

 private:
  const protocol::request& r_;
  std::byte* out_;
  std::span<const protocol::slot> slots_;
  std::vector<void*> launchers_;
  std::vector<argument_arrays> sets_;
  std::optional<transfers> transfers_;
  device_clock clock_;
  std::size_t turn_ = 0;
};

}  // namespace

void measure(const incoming& order, libraries& known, protocol::reply& answer) {
  course c{order, known};
  c.warm_up();
  answer.samples = std::min<std::uint32_t>(order.request.repeats, protocol::most_samples);
  for (std::uint32_t round = 0; round < answer.samples; ++round)
    for (std::size_t l = c.launchers(); l-- > 0;) answer.milliseconds[l][round] = c.timed_call(l);
  answer.gpu = gpu_state_now();
  answer.head_start = c.had_head_start();
  if (finished_well(answer)) c.copy_last_back();
}

void measure_copies(const protocol::request& order, protocol::reply& answer) {
  const cuda::buffer from{order.file_bytes}, to{order.file_bytes};
  cuda::check(cudaMemset(from.data(), 0x5a, order.file_bytes), "cudaMemset");
  device_clock clock{true};
  const auto copy = [&] {
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), order.file_bytes, cudaMemcpyDeviceToDevice, nullptr),
                "cudaMemcpyAsync");
  };
  const auto timed_copy = [&] { return clock.milliseconds(copy); };
  cuda::warm_up(timed_copy);
  clock.calibrate();
  answer.samples = std::min<std::uint32_t>(order.repeats, protocol::most_samples);
  for (std::uint32_t i = 0; i < answer.samples; ++i) answer.milliseconds[0][i] = timed_copy();
}

}  // namespace lab::runner
