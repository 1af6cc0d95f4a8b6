#pragma once

#include <cstdint>
#include <unordered_map>
#include <variant>
#include <vector>

#include "lab_sim/device.h"
#include "sim/runtime/execution/async_copies.hpp"
#include "sim/runtime/memory/tensor_map.hpp"

namespace lab::sim {

/// An arrival from another block of the cluster.
struct distant_arrival {
  unsigned phase;          // of the barrier
  unsigned rank, thread;   // who arrived: a block of the cluster, and a thread of it
  std::uint32_t releases;  // how often that thread had released what it did, at the cluster's barrier
  uint3 block;             // of the grid
  const void* pc = nullptr;
};

/// A barrier in shared memory. A phase ends when all arrivals and all announced bytes have come.
struct mbarrier {
  unsigned expected = 0, missing = 0;
  std::int64_t bytes = 0;  // announced, not yet arrived
  unsigned phase = 0;
  bool known = false;                     // to the copy engine
  std::uint32_t thread = 0;               // who has initialized it,
  std::uint64_t interval = 0;             // between which barriers of the block, if it is traced,
  const void* pc = nullptr;               // and where
  std::vector<distant_arrival> unseen{};  // in phases of whose ends no thread of this block knows, if it is traced

  bool is_over(unsigned parity) const { return (phase & 1) != (parity & 1); }
  /// Returns whether the phase ended.
  bool end_if_complete();
  /// A thread of the block knows which phases are over.
  void seen();
};

/// A box on its way to shared memory.
struct pending_box {
  char* to;
  tensor_map map;
  int at[5];
  void* barrier;
  std::uint32_t thread;
  const void* pc;
  bool from_another_block = false;
};

/// A thread's arrival once the copies have come that it had begun.
struct pending_arrival {
  void* barrier;
  std::uint32_t thread;
  unsigned copies;
  const void* pc;
};

/// The barriers in shared memory of one block, and the copies that they wait for. A copy arrives when no thread of the
/// block can continue without it, in an order that only its block decides.
class mbarriers {
 public:
  void start_block(std::uint64_t seed);
  /// Null if none begins there.
  mbarrier* at(const void* place);
  void begin(const void* place, const mbarrier& fresh) { all_[place] = fresh; }
  void all_known();
  void begin_copy(const pending_box& box) { pending_.emplace_back(box); }
  void arrive_after(const pending_arrival& arrival) { pending_.emplace_back(arrival); }
  /// All arrivals from other blocks of which no thread of this block knows.
  std::vector<distant_arrival> unseen() const;
  bool has_pending() const { return !pending_.empty(); }
  /// One copy arrives, or a thread's copies do. Returns whether a phase ended by it.
  bool land_one(async_copies& of_threads);

 private:
  bool land(const pending_arrival& arrival, async_copies& of_threads);
  bool land(const pending_box& box);

  std::unordered_map<const void*, mbarrier> all_;
  std::vector<std::variant<pending_box, pending_arrival>> pending_;
  std::uint64_t random_ = 1;
};

}  // namespace lab::sim
