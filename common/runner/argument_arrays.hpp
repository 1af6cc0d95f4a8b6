#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "cuda/buffer.hpp"
#include "protocol/messages.hpp"
#include "runner/channel.hpp"

namespace lab::runner {

/// Newly allocated memory for the array arguments of one call. Each allocation is a guarded array (messages.hpp), or
/// one holds them all.
class argument_arrays {
 public:
  /// Allocates every guarded array and fills it from the file `in`.
  argument_arrays(const protocol::request& request, const mapping& in);

  /// For each slot the address of its payload, null for a scalar.
  std::span<void* const> pointers() const { return pointers_; }

  /// Copies every guarded array to the file `out`.
  void copy_back(std::byte* out) const;

 private:
  struct release {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using host_memory = std::unique_ptr<std::byte, release>;
  using memory = std::variant<std::monostate, cuda::buffer, host_memory>;

  std::byte* allocate(std::size_t number, const protocol::request& request, const mapping& in);

  std::span<const protocol::slot> slots_;
  cuda::buffer pool_;
  std::vector<memory> memories_;
  std::vector<void*> pointers_;
};

}  // namespace lab::runner
