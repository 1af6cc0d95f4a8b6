#pragma once

#include <map>

#include "protocol/launch_recording.hpp"

namespace lab::replay {

/// Writes a launch recording, call by call, from a launcher's calls of the runtime. Addresses are those of this
/// process. A call that cannot be replayed is refused: refusal() then gives the reason, and the recording must not be
/// replayed.
class recorder {
 public:
  /// The arena begins at `address`: the guarded arrays first, then scratch memory of the launcher.
  recorder(std::uint64_t address, std::uint64_t array_bytes, std::uint64_t scratch_capacity);

  void refuse(const std::string& reason);
  /// The first reason why this recording cannot be replayed; empty if it can.
  const std::string& refusal() const { return refusal_; }

  /// Allocates scratch memory in the arena; 0 if the arena is full.
  std::uint64_t allocate(std::uint64_t bytes);
  bool owns(std::uint64_t address) const;

  void add_stream(std::uint64_t handle, bool waits_for_default);
  void add_global(std::uint64_t symbol, const std::string& name);

  void launch(const std::string& kernel, operation shape, std::span<const std::byte> parameters, std::uint64_t stream);
  void attribute(const std::string& kernel, std::uint32_t which, std::uint64_t value);
  void fill(std::uint64_t to, std::uint32_t value, std::uint64_t bytes, std::uint64_t stream);
  struct copy_arguments {
    std::uint64_t to = 0;        ///< an address in the arena, or with `symbol` an offset in that variable
    std::uint64_t from = 0;      ///< an address in the arena, unless `host` is given
    std::uint64_t symbol = 0;    ///< the global variable that is copied to
    const void* host = nullptr;  ///< the host memory that is copied from
    std::uint64_t bytes = 0, stream = 0;
  };
  void copy(const copy_arguments& arguments);
  void record_event(std::uint64_t handle, std::uint64_t stream);
  void wait_event(std::uint64_t handle, std::uint64_t stream);
  void barrier();

  const launch_recording& result() const { return recording_; }

 private:
  void add(operation op);
  std::uint32_t stream_number(std::uint64_t handle);
  memory_location in_arena(std::uint64_t address, std::uint64_t bytes);
  memory_location in_recording(const void* from, std::uint64_t bytes);
  memory_location in_global(std::uint64_t symbol, std::uint64_t offset);

  launch_recording recording_;
  std::uint64_t scratch_capacity_;
  std::string refusal_;
  std::map<std::uint64_t, std::uint32_t> streams_, events_;
  std::map<std::uint64_t, std::string> symbols_;
};

}  // namespace lab::replay
