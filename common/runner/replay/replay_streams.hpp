#pragma once

#include <vector>

#include "cuda/check.hpp"
#include "protocol/launch_recording.hpp"

namespace lab::runner {

/// The streams and events that a tape names.
class replay_streams {
 public:
  explicit replay_streams(const replay::launch_recording& r)
      : streams_{nullptr}, events_(r.events), ends_(r.streams.size() + 1) {
    for (const auto alone : r.streams) {
      const auto flags = alone ? cudaStreamNonBlocking : cudaStreamDefault;
      cuda::check(cudaStreamCreateWithFlags(&streams_.emplace_back(), flags), "cudaStreamCreateWithFlags");
    }
    for (auto* all : {&events_, &ends_})
      for (auto& e : *all) cuda::check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreate");
  }
  replay_streams(const replay_streams&) = delete;
  replay_streams& operator=(const replay_streams&) = delete;
  ~replay_streams() {
    for (const auto s : streams_)
      if (s) cudaStreamDestroy(s);
    for (const auto* all : {&events_, &ends_})
      for (const auto e : *all) cudaEventDestroy(e);
  }

  cudaStream_t stream(std::uint32_t number) const { return streams_[number]; }

  void record_event(std::uint32_t event, std::uint32_t stream) const { record(events_[event], streams_[stream]); }
  void wait_event(std::uint32_t event, std::uint32_t stream) const { wait(streams_[stream], events_[event]); }

  /// Whatever follows in any stream waits for everything so far in every stream.
  void join() const {
    for (std::size_t s = 1; s < streams_.size(); ++s) {
      record(ends_[s], streams_[s]);
      wait(nullptr, ends_[s]);
    }
    if (streams_.size() > 1) record(ends_[0], nullptr);
    for (std::size_t s = 1; s < streams_.size(); ++s) wait(streams_[s], ends_[0]);
  }

 private:
  static void record(cudaEvent_t e, cudaStream_t s) { cuda::check(cudaEventRecord(e, s), "cudaEventRecord"); }
  static void wait(cudaStream_t s, cudaEvent_t e) { cuda::check(cudaStreamWaitEvent(s, e, 0), "cudaStreamWaitEvent"); }

  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_, ends_;
};

}  // namespace lab::runner
