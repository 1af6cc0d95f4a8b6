#pragma once

#include "runner/replay/recorder.hpp"

namespace lab::runner {

/// From now on the runtime's functions write on this tape, whoever calls them, and cudaMalloc gives memory of its
/// arena. This program defines those functions again; libraries that it loads find its own before the runtime's.
void begin_recording(replay::recorder& r);

/// Stops that. Memory of the arena may still be freed.
void end_recording();

/// Whether anybody in this process has made a stream that does not wait for the default stream.
bool some_stream_waits_for_nobody();

}  // namespace lab::runner
