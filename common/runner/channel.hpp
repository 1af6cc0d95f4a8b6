#pragma once

#include <cstddef>
#include <optional>

#include "protocol/messages.hpp"

namespace lab::runner {

/// Maps a whole shared file during its own lifetime, and keeps it open.
class mapping {
 public:
  mapping() = default;
  /// Takes ownership of the descriptor. @throws std::system_error
  mapping(int descriptor, std::size_t bytes, bool writable);
  mapping(mapping&& other) noexcept;
  mapping& operator=(mapping&& other) noexcept;
  ~mapping();

  std::byte* data() const { return data_; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A request and the two shared files that came with it.
struct incoming_request {
  protocol::request request;
  mapping in, out;
};

/// Waits for the next request; returns nothing when the judge has closed the connection.
/// @throws std::runtime_error if the message is not a complete request
std::optional<incoming_request> receive();

/// Sends one message. @throws std::system_error
void send(const void* message, std::size_t bytes);

}  // namespace lab::runner
