#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "cuda/warm_up.hpp"
#include "runner/argument_arrays.hpp"
#include "runner/device_clock.hpp"
#include "runner/library_set.hpp"

namespace lab::runner {

/// Page-locked host copies of the arguments' payloads; they time a call together with its transfers.
class transfers {
 public:
  transfers(std::span<const protocol::slot> slots, const std::byte* in) : slots_{slots} {
    for (const auto& slot : slots) {
      host_.push_back(nullptr);
      if (slot.kind == protocol::slot_kind::scalar) continue;
      cuda::check(cudaMallocHost(&host_.back(), std::max<std::size_t>(slot.bytes, 1)), "cudaMallocHost");
      std::memcpy(host_.back(), in + slot.offset + slot.guard, slot.bytes);
    }
  }
  transfers(const transfers&) = delete;
  transfers& operator=(const transfers&) = delete;
  ~transfers() {
    for (void* host : host_)
      if (host) cudaFreeHost(host);
  }

  void upload(std::span<void* const> target) const {
    for (std::size_t parameter = 0; parameter < slots_.size(); ++parameter)
      if (host_[parameter] && slots_[parameter].reads)
        copy(target[parameter], host_[parameter], parameter, cudaMemcpyHostToDevice);
  }
  void download(std::span<void* const> source) const {
    for (std::size_t parameter = 0; parameter < slots_.size(); ++parameter)
      if (host_[parameter] && slots_[parameter].writes)
        copy(host_[parameter], source[parameter], parameter, cudaMemcpyDeviceToHost);
  }

 private:
  void copy(void* target, const void* source, std::size_t parameter, cudaMemcpyKind kind) const {
    cuda::check(cudaMemcpyAsync(target, source, slots_[parameter].bytes, kind, nullptr), "cudaMemcpyAsync");
  }

  std::span<const protocol::slot> slots_;
  std::vector<void*> host_;
};

/// The launchers under measurement and the sets of arguments that their calls use in turn.
class timed_launchers {
 public:
  timed_launchers(const incoming_request& incoming, library_set& libraries)
      : request_{incoming.request},
        out_{incoming.out.data()},
        slots_{request_.slots, request_.slot_count},
        clock_{request_.host_pointers == 0} {
    for (std::uint32_t library = 0; library < request_.library_count; ++library)
      launchers_.push_back(libraries.function(request_.libraries[library], request_.symbol));
    for (std::uint32_t set = 0; set < std::max(1u, request_.copies); ++set)
      argument_sets_.emplace_back(request_, incoming.in);
    if (request_.with_copies && !request_.host_pointers) transfers_.emplace(slots_, incoming.in.data());
  }

  std::size_t count() const { return launchers_.size(); }
  protocol::head_start head_start() const { return clock_.head_start(); }

  // Without a rest a kernel that draws much power makes the GPU lower its clock.
  void rest() const { std::this_thread::sleep_for(std::chrono::microseconds{request_.rest_us}); }

  // Seconds of so many calls in a row by the host's clock, from an idle device to an idle device.
  double timed_loop(std::uint32_t calls) {
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t call = 0; call < calls; ++call) call_launcher(launchers_[0], slots_, next_arguments());
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return std::chrono::duration<double>{std::chrono::steady_clock::now() - begin}.count();
  }

  // One launcher may delay the next one's call: when memory that it freed goes back to the driver, the device's address
  // translations are gone, which costs a short kernel a third of its time on an H100. So each is called untimed before.
  void settle(std::size_t launcher) {
    call_launcher(launchers_[launcher], slots_, next_arguments());
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  float timed_call(std::size_t launcher) {
    const auto pointers = next_arguments();
    return clock_.milliseconds([&] {
      if (transfers_) transfers_->upload(pointers);
      call_launcher(launchers_[launcher], slots_, pointers);
      if (transfers_) transfers_->download(pointers);
    });
  }

  // Raises the clocks of an idle GPU.
  void warm_up() {
    cuda::warm_up([this] {
      for (std::size_t library = 0; library < count(); ++library) timed_call(library);
    });
    clock_.calibrate();
  }

  void copy_last_set_back() const { argument_sets_[(next_set_ - 1) % argument_sets_.size()].copy_back(out_); }

 private:
  std::span<void* const> next_arguments() { return argument_sets_[next_set_++ % argument_sets_.size()].pointers(); }

  const protocol::request& request_;
  std::byte* out_;
  std::span<const protocol::slot> slots_;
  std::vector<void*> launchers_;
  std::vector<argument_arrays> argument_sets_;
  std::optional<transfers> transfers_;
  device_clock clock_;
  std::size_t next_set_ = 0;
};

}  // namespace lab::runner
