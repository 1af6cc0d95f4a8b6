#pragma once

#include <new>
#include <typeinfo>

// labcc turns  kernel<<<grid, block, shared, stream>>>(arguments)  into a call of lab_sim::launch.

namespace lab_sim {

struct config {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  bool cooperative = false;      // all blocks are resident, so they can wait for each other
  const void* packed = nullptr;  // the arguments in one buffer, if no array of pointers holds them
  dim3 cluster{1, 1, 1};         // blocks of a cluster
  config(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block), shared(shared), stream(stream) {}
};

struct thread_source;

/// Threads that wait at a barrier without a stack. Each is an index, followed by a function object that does the rest.
struct waiting_threads {
  char* entries = nullptr;
  unsigned count = 0, bytes = 0;  // bytes of an entry
  void (*run_all)(thread_source&) = nullptr;
  void (*run_one)(void* entry) = nullptr;
};
constexpr unsigned most_waiting_bytes = 128;

/// The threads of one block that have not started or wait without a stack. The fiber that runs next takes them.
struct thread_source {
  bool started = false;
  bool interleaved = false;  // set once a thread has waited for others on its stack
  bool without_stacks = false;
  bool in_loops = false;       // the kernel runs all threads itself, in loops
  bool one_by_one = false;     // these loops set threadIdx for each thread
  unsigned at = 0;             // the first of `now` that has not run
  waiting_threads now, later;  // in this phase between barriers, in the next one

  enum class next { none, from_the_start, goes_on };
  /// Ends the last thread and sets threadIdx of the next one.
  next take();
  /// Runs a thread that goes on.
  void go_on();

  bool begin_phase() {
    const waiting_threads done = now;
    now = later;
    later = done;
    later.count = at = 0;
    return now.count > 0;
  }

 private:
  friend struct thread_starter;
  char* taken_ = nullptr;
  bool taken_from_later_ = false;
};
LAB_SIM_LOCAL thread_source* threads_of_block;

/// A launch without the types of its arguments. `threads` runs the threads of one block.
struct kernel_call {
  const char* name;
  const void* address;  // of the kernel; null if it is overloaded
  void (*threads)(const void* body, thread_source& source);
  void (*enter)();  // each OS thread calls it before it runs a block
  const void* body;
  void* (*copy)(const void* body);  // for a graph; `drop` deletes the copy
  void (*drop)(const void* body);
  bool traced;
  bool cooperative = false;
  size_t dynamic_bytes = 0;
  const void* from = nullptr;  // the place of the launch in host code
  int device = 0;
};

/// The blocks of a cluster by the __cluster_dims__ of the kernel that declares this type, lab_cluster.
bool register_cluster(const char* type, dim3 blocks);
/// Registers them when the program starts.
template <class Own>
struct kernel_cluster {
  static inline const bool registered = register_cluster(typeid(Own).name(), Own::blocks());
};

/// Runs the grid, or keeps it for the graph that its stream captures. Returns the error of the launch.
cudaError_t launch_grid(const config& where, const kernel_call& call);

/// The pointer that a kernel gets: a host address becomes one that faults when it is accessed.
const volatile void* device_view(const volatile void* pointer);

template <class T>
void see_as_device(T& argument) {
  if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
    argument = (T)device_view(argument);
}

#ifdef LAB_SIM_TRACE
constexpr bool traced = true;
#else
constexpr bool traced = false;
#endif

// Gives the OS thread its copy of the shared memory of the kernel's library. Left to the first access, the C library
// (glibc before 2.40) would overwrite vector registers there that the compiler believes to be kept.
LAB_SIM_UNSEEN inline void enter_library() {
  static __thread char any;
  asm volatile("" : : "r"(&any));
}

// The runtime starts the threads of a traced kernel. For counts, too: the compiler has less to do without these loops.
#if defined(LAB_SIM_TRACE) || defined(LAB_SIM_COUNTED)
constexpr bool in_own_loops = false;
#else
constexpr bool in_own_loops = true;
#endif

// Kernels without barriers never leave these loops.
template <class Body>
LAB_SIM_UNSEEN void run_threads(const void* self, thread_source& source) {
  Body body = *static_cast<const Body*>(self);
  using next = thread_source::next;
  if (in_own_loops && !source.started) {
    source.started = true;
    const dim3 size = blockDim;
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y)
        for (unsigned x = 0; x < size.x; ++x) {
#if !defined(LAB_SIM_STRICT) && !defined(LAB_SIM_TRACE)  // where it is const
          threadIdx = {x, y, z};
#endif
          body();
          if (__builtin_expect(source.interleaved, false)) goto rest;
        }
    while (source.begin_phase()) {
      source.now.run_all(source);
      if (source.interleaved) goto rest;
    }
    return;
  }
rest:                     // the runtime starts the threads one by one
  if (source.in_loops) {  // the kernel has run them all
    source.interleaved = false;
    return;
  }
  for (next what; (what = source.take()) != next::none;)
    if (what == next::from_the_start)
      body();
    else
      source.go_on();
}

#if defined(LAB_SIM_COUNTED)
/// The statements after a barrier stay in the kernel's function, so that its profile has them.
#define LAB_SIM_PHASE __attribute__((always_inline))
template <class Rest>
LAB_SIM_INLINE void after_barrier(Rest rest) {
  block_barrier(0, place());
  rest();
}
#elif !defined(LAB_SIM_STRICT) && !defined(LAB_SIM_TRACE)
#define LAB_SIM_PHASE
template <class Rest>
struct waiting_thread {
  uint3 index;
  Rest rest;

  static void run_one(void* entry) { static_cast<waiting_thread*>(entry)->rest(); }
  static void run_all(thread_source& source) {
    auto* const all = reinterpret_cast<waiting_thread*>(source.now.entries);
    for (const unsigned count = source.now.count; source.at < count && !source.interleaved;) {
      waiting_thread& one = all[source.at++];
      threadIdx = one.index;
      one.rest();
    }
  }
};

/// What a thread does after a barrier of the whole block. labcc turns  __syncthreads(); rest  into such a call if
/// `rest` can go on with copies of the local variables.
template <class Rest>
LAB_SIM_INLINE void after_barrier(Rest rest) {
  using entry = waiting_thread<Rest>;
  thread_source& source = *threads_of_block;
  if (sizeof(entry) > most_waiting_bytes || source.interleaved || !source.without_stacks) {
    block_barrier(0, place());
    return rest();
  }
  waiting_threads& later = source.later;
  later.bytes = sizeof(entry);
  later.run_all = &entry::run_all;
  later.run_one = &entry::run_one;
  ::new (static_cast<void*>(later.entries + sizeof(entry) * later.count++)) entry{threadIdx, static_cast<Rest&&>(rest)};
}
#endif

template <class T, class F>
const void* address(T, F* function) {
  return reinterpret_cast<const void*>(function);
}

/// A literal 0 or NULL among the arguments: a null pointer if the parameter is a pointer.
struct zero {
  template <class T>
  operator T() const {
    return T{};
  }
};
template <class T>
T& plain(T& value) {
  return value;
}
inline int plain(zero) { return 0; }

/// Calls a kernel whose arguments contain literal zeros: with integers if it takes them, else with null pointers.
template <class Kernel, class... Arguments>
LAB_SIM_INLINE void with_zeros(Kernel kernel, Arguments... arguments) {
  if constexpr (std::is_invocable_v<Kernel, decltype(plain(arguments))...>)
    kernel(plain(arguments)...);
  else
    kernel(arguments...);
}

template <class Kernel, class Entry, class... Arguments>
LAB_SIM_INLINE cudaError_t launch(const char* name, Kernel kernel, Entry entry, const config& where,
                                  Arguments... arguments) {
  (see_as_device(arguments), ...);
  auto body = [=]() mutable LAB_SIM_UNSEEN { kernel(arguments...); };
  using Body = decltype(body);
  const void* at = nullptr;
  if constexpr (std::is_invocable_v<Entry, int>) at = entry(0);
  const auto copy = [](const void* b) -> void* { return new Body(*static_cast<const Body*>(b)); };
  const auto drop = [](const void* b) { delete static_cast<const Body*>(b); };
  return launch_grid(where,
                     {name, at, &run_threads<Body>, &enter_library, &body, copy, drop, traced, where.cooperative});
}

}  // namespace lab_sim
