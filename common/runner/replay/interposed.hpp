#pragma once

#include "runner/replay/recorder.hpp"

namespace lab::runner {

/// From now on every call of the runtime in this process is also recorded, and cudaMalloc allocates from the recorder's
/// arena. This program defines the runtime's functions again; the libraries that it loads find these definitions first.
void begin_recording(replay::recorder& recorder);

/// Ends the recording. Memory of the arena may still be freed.
void end_recording();

/// Whether this process has created a stream with cudaStreamNonBlocking.
bool non_blocking_stream_exists();

}  // namespace lab::runner
