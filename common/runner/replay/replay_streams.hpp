#pragma once

#include <vector>

#include "cuda/check.hpp"
#include "protocol/launch_recording.hpp"

namespace lab::runner {

/// The streams and events of a recording.
class replay_streams {
 public:
  explicit replay_streams(const replay::launch_recording& recording)
      : streams_{nullptr}, events_(recording.events), ends_(recording.streams.size() + 1) {
    for (const auto non_blocking : recording.streams) {
      const auto flags = non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
      cuda::check(cudaStreamCreateWithFlags(&streams_.emplace_back(), flags), "cudaStreamCreateWithFlags");
    }
    for (auto* all : {&events_, &ends_})
      for (auto& event : *all) cuda::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  }
  replay_streams(const replay_streams&) = delete;
  replay_streams& operator=(const replay_streams&) = delete;
  ~replay_streams() {
    for (const auto stream : streams_)
      if (stream) cudaStreamDestroy(stream);
    for (const auto* all : {&events_, &ends_})
      for (const auto event : *all) cudaEventDestroy(event);
  }

  cudaStream_t stream(std::uint32_t number) const { return streams_[number]; }

  void record_event(std::uint32_t event, std::uint32_t stream) const { record(events_[event], streams_[stream]); }
  void wait_event(std::uint32_t event, std::uint32_t stream) const { wait(streams_[stream], events_[event]); }

  /// Makes later work in every stream wait for all earlier work in every stream.
  void join() const {
    for (std::size_t i = 1; i < streams_.size(); ++i) {
      record(ends_[i], streams_[i]);
      wait(nullptr, ends_[i]);
    }
    if (streams_.size() > 1) record(ends_[0], nullptr);
    for (std::size_t i = 1; i < streams_.size(); ++i) wait(streams_[i], ends_[0]);
  }

 private:
  static void record(cudaEvent_t event, cudaStream_t stream) {
    cuda::check(cudaEventRecord(event, stream), "cudaEventRecord");
  }
  static void wait(cudaStream_t stream, cudaEvent_t event) {
    cuda::check(cudaStreamWaitEvent(stream, event, 0), "cudaStreamWaitEvent");
  }

  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_, ends_;
};

}  // namespace lab::runner
