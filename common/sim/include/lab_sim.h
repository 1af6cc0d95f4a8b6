#pragma once

// The simulator's functions beyond CUDA's API. Plain C; safe to call at any time from the host.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The last fault or refused launch as "kind: what", with the kind as in reports; "" if there was none.
const char* lab_sim_error_detail(void);

/// Allocates device memory with `bytes` of an open file, from `offset` on. It costs no copy: memory and file share each
/// page until the memory is written, and the file must not change. File -1 has zeros only. The bytes must end with a
/// page of 4096 bytes, give or take what is missing to a multiple of 256; returns null otherwise.
void* lab_sim_malloc_of_file(int file, size_t offset, size_t bytes);

/// Starts the OS threads that run blocks, for a process that cannot start threads later.
void lab_sim_start(void);

/// All hazards and profiles so far as JSON. The text is valid until the next call.
const char* lab_sim_report_json(void);

/// Clears errors, traces and reports; allocations stay.
void lab_sim_reset(void);

#ifdef __cplusplus
}
#endif
