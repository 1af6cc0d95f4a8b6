#pragma once

// What the simulator tells beyond CUDA's own interface. Plain C; safe to call at any time from the host.

#ifdef __cplusplus
extern "C" {
#endif

/// The last fault or refused launch as "kind: sentence" (kind as in the reports), "" when there was none.
const char* lab_sim_error_detail(void);

/// Starts the threads that run blocks, for a process that may not start threads later.
void lab_sim_start(void);

/// Everything traced so far as JSON (hazards and profile); the text lives until the next call.
const char* lab_sim_report_json(void);

/// Forgets errors, traces and reports; allocations stay.
void lab_sim_reset(void);

#ifdef __cplusplus
}
#endif
