#pragma once

#include <cstddef>
#include <optional>

#include "protocol/messages.hpp"

namespace lab::runner {

/// Maps a whole shared file for as long as it lives.
class mapping {
 public:
  mapping() = default;
  /// Takes over the descriptor. @throws std::system_error
  mapping(int descriptor, std::size_t bytes, bool writable);
  mapping(mapping&& other) noexcept;
  mapping& operator=(mapping&& other) noexcept;
  ~mapping();

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A request with the two files that came with it.
struct incoming {
  protocol::request request;
  mapping in, out;
};

/// Waits for the next request; nothing when the judge has hung up.
/// @throws std::runtime_error for anything that is not a whole request
std::optional<incoming> receive();

/// Sends one message. @throws std::system_error
void send(const void* message, std::size_t bytes);

}  // namespace lab::runner
