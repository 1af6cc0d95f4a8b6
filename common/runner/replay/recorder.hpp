#pragma once

#include <map>

#include "protocol/launch_recording.hpp"

namespace lab::replay {

/// Writes a tape, call by call, of what host code asks of the device. Addresses are those of this process. What cannot
/// be done again is refused: the tape then says why, and is not played.
class recorder {
 public:
  /// The arena lies at `address`: images first, then room for scratch memory.
  recorder(std::uint64_t address, std::uint64_t images, std::uint64_t room);

  void refuse(const std::string& why);
  /// The first reason against replay_settings this tape, empty if there is none.
  const std::string& why_not() const { return why_not_; }

  /// Scratch memory in the arena; 0 if there is no more room.
  std::uint64_t allocate(std::uint64_t bytes);
  bool owns(std::uint64_t address) const;

  void add_stream(std::uint64_t handle, bool waits_for_default);
  void add_global(std::uint64_t symbol, const std::string& name);

  void launch(const std::string& kernel, operation shape, std::span<const std::byte> parameters, std::uint64_t stream);
  void attribute(const std::string& kernel, std::uint32_t which, std::uint64_t value);
  void fill(std::uint64_t to, std::uint32_t value, std::uint64_t bytes, std::uint64_t stream);
  /// Copies to arena memory or, `symbol` given, to the global variable of that symbol, from its byte `to` on; from
  /// arena memory, or from the host if `host` is given.
  struct copied {
    std::uint64_t to = 0, from = 0;
    std::uint64_t symbol = 0;
    const void* host = nullptr;
    std::uint64_t bytes = 0, stream = 0;
  };
  void copy(const copied& c);
  void record_event(std::uint64_t handle, std::uint64_t stream);
  void wait_event(std::uint64_t handle, std::uint64_t stream);
  void barrier();

  const launch_recording& result() const { return recording_; }

 private:
  void add(operation o);
  std::uint32_t stream_number(std::uint64_t handle);
  place in_arena(std::uint64_t address, std::uint64_t bytes);
  place while_recording(const void* from, std::uint64_t bytes);
  place in_global(std::uint64_t symbol, std::uint64_t offset);

  launch_recording recording_;
  std::uint64_t room_;
  std::string why_not_;
  std::map<std::uint64_t, std::uint32_t> streams_, events_;
  std::map<std::uint64_t, std::string> symbols_;
};

}  // namespace lab::replay
