#include "sim/runtime/execution/block_runner.hpp"
#include "sim/runtime/symbols/source_lines.hpp"
#include "sim/runtime/tracer/tracer.hpp"

// Which threads a barrier may leave out. CUDA allows a barrier in a branch or a loop only if all threads of the block
// take it. Since compute capability 7.0, threads that have exited count as arrived.

namespace lab::sim::trace {

namespace {

void report_barrier(severity level, const std::string& what, const void* barrier, const void* other,
                    const uint3& thread) {
  tracer::instance().report({hazard_kind::divergent_barrier, level, block_runner::current().call()->name, "", what,
                             barrier, other, blockIdx, thread});
}

// Whether the return statement comes before the barrier, as far as their places tell.
bool returned_before(const void* barrier, const void* returned_at) {
  const source_place *const here = place_at(barrier), *const there = place_at(returned_at);
  return !here || !there || std::string_view{here->function} != there->function || there->line <= here->line;
}

}  // namespace

bool diverged(const void* barrier, const void* other, const uint3& thread) {
  if (!tracing || same_place(barrier, other)) return false;
  report_barrier(severity::error,
                 "threads of one block wait at different barriers; every thread of a block must reach the same one",
                 barrier, other, thread);
  return true;
}

void passed_by(const void* barrier, const void* returned_at, const uint3& thread) {
  if (!tracing) return;
  if (returned_at && returned_before(barrier, returned_at))
    return report_barrier(severity::warning,
                          "this thread returned before the barrier at which other threads of its block wait; a GPU "
                          "before compute capability 7.0 may wait for it forever",
                          barrier, returned_at, thread);
  report_barrier(severity::error,
                 "this thread has passed by the barrier and exited, while other threads of its block wait there; the "
                 "barrier is in a branch or a loop that not all threads of the block enter",
                 barrier, nullptr, thread);
}

}  // namespace lab::sim::trace
