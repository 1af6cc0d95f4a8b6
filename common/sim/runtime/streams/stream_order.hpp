#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

// Which operation in a stream happens before which. The simulator does all work in program order, which is one legal
// order; a conflict between operations that nothing orders is a race all the same. A timeline is a stream or a branch
// of a graph. Its operations are numbered, and a vector clock holds how many of each timeline happen before. In a
// program that is not traced, all this does nothing.

namespace lab::sim::order {

/// For each timeline, the number of its last operation that happened before.
using clock = std::vector<std::uint32_t>;

/// An operation: its timeline, and its number there in the lower half.
using operation = std::uint64_t;

std::uint32_t make_timeline(const std::string& name);
void drop_timeline(std::uint32_t timeline);

/// Adds an operation to a stream. It follows the stream's last one, all that the stream and the host have waited for,
/// and, by the rules of the legacy stream, the work of other streams.
operation begin(cudaStream_t stream);
operation current();
bool before_current(operation earlier);
/// Whether the host has waited for the operation, so that it happens before all that follow.
bool host_knows(operation earlier);
/// The timeline in words: "the default stream", "stream 2".
std::string place_of(operation which);

/// What an event that is recorded in a stream now stands for.
clock recorded(cudaStream_t stream);
void stream_waits(cudaStream_t stream, const clock& until);
void host_waits(cudaStream_t stream);
void host_waits(const clock& until);
void host_waits_for_all();

/// While one exists, work belongs to this timeline and follows `base`, whatever stream it names: a step of a graph.
class in_timeline {
 public:
  in_timeline(std::uint32_t timeline, const clock& base);
  in_timeline(const in_timeline&) = delete;
  in_timeline& operator=(const in_timeline&) = delete;
  ~in_timeline();

 private:
  std::uint32_t before_;
};
/// The timeline of work in a stream, and all that happened before that work.
std::uint32_t timeline_of(cudaStream_t stream);
void join(clock& into, const clock& other);

}  // namespace lab::sim::order
