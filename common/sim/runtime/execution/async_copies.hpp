#pragma once

#include <vector>

namespace lab::sim {

/// A copy to shared memory that has not arrived.
struct pending_copy {
  void* to;
  const void* from;
  unsigned bytes, zeros;
  const void* pc;
};

/// The asynchronous copies of the threads of one block. A copy moves its bytes when its thread waits for it,
/// or when the thread's arrival at a barrier is due.
class async_copies {
 public:
  /// Forgets all copies: nobody could tell whether they arrive.
  void start_block();
  void begin(unsigned thread, const pending_copy& copy);
  void close_group(unsigned thread);
  /// All but the newest `open` groups of the thread arrive.
  void await_groups(unsigned thread, unsigned open, const void* pc);
  void await_all(unsigned thread, const void* pc);
  /// How many copies the thread has begun.
  unsigned begun(unsigned thread);
  /// The first so many copies of the thread arrive, if they have not.
  void arrive_until(unsigned thread, unsigned begun);

 private:
  struct of_thread {
    std::vector<pending_copy> copies;  // in order; those of closed groups come first
    std::vector<unsigned> groups;      // the number of copies in each closed group
    unsigned in_groups = 0;
    unsigned arrived = 0;
  };
  static void land(of_thread& mine, unsigned count);
  of_thread& of(unsigned thread);
  std::vector<of_thread> all_;
  std::vector<unsigned> used_;  // threads that have begun a copy
};

}  // namespace lab::sim
