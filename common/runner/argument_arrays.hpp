#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "cuda/buffer.hpp"
#include "protocol/messages.hpp"

namespace lab::runner {

/// Fresh memory for the array arguments of one call, each with its guard zones inside one allocation.
class argument_arrays {
 public:
  /// Allocates and fills every image from the file `in`.
  argument_arrays(std::span<const protocol::slot> slots, bool on_host, const std::byte* in);

  /// Per slot the address of its payload, null for a scalar.
  std::span<void* const> pointers() const { return pointers_; }

  /// Copies every image into the file `out`.
  void copy_back(std::byte* out) const;

 private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using host_memory = std::unique_ptr<std::byte, release>;
  using memory = std::variant<std::monostate, cuda::buffer, host_memory>;

  std::span<const protocol::slot> slots_;
  std::vector<memory> memories_;
  std::vector<void*> pointers_;
};

}  // namespace lab::runner
