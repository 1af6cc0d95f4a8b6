#pragma once

// Asynchronous copies from global to shared memory. A copy arrives as late as it may: when its thread waits for
// it, or when the thread's arrival at a barrier is due.

namespace lab_sim {

/// Begins a copy of 4, 8 or 16 bytes, the last `zeros` of them zeros.
void copy_async(void* to, const void* from, unsigned bytes, unsigned zeros);
/// Closes the group of the copies that this thread has begun since it closed the last group.
void close_copies();
/// Waits until all but the thread's newest `groups` groups have arrived.
void await_copies(unsigned groups);
/// Waits for all copies of the thread, also those of no group.
void await_all_copies();

/// The address of shared memory that PTX uses, in 32 bits, and back.
size_t to_shared_address(const void* pointer);
void* from_shared_address(size_t address);

}  // namespace lab_sim

inline size_t __cvta_generic_to_shared(const void* pointer) { return lab_sim::to_shared_address(pointer); }
inline void* __cvta_shared_to_generic(size_t address) { return lab_sim::from_shared_address(address); }
inline size_t __cvta_generic_to_global(const void* pointer) { return reinterpret_cast<size_t>(pointer); }
inline void* __cvta_global_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
inline size_t __cvta_generic_to_local(const void* pointer) { return reinterpret_cast<size_t>(pointer); }
inline void* __cvta_local_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
inline size_t __cvta_generic_to_constant(const void* pointer) { return reinterpret_cast<size_t>(pointer); }
inline void* __cvta_constant_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
