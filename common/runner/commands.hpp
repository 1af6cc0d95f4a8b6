#pragma once

#include "runner/channel.hpp"
#include "runner/library_set.hpp"

namespace lab::runner {

/// Calls the launcher once on newly allocated arrays and copies all arrays back, after an error too if possible.
void call_once(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Times calls of several libraries, interleaved.
void measure(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Times calls of one library in a row by the host's clock: the second clock of `lab bench --verify`.
void measure_loop(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Calls one library, while a profiler looks: Nsight Compute is another second clock.
void call_profiled(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Times copies from device memory to device memory.
void measure_copies(const protocol::request& request, protocol::reply& reply);

/// Calls the launcher once and records its operations on the device.
void record(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Replays a recording with the device code alone, and times it.
void replay(const incoming_request& incoming, library_set& libraries, protocol::reply& reply);

/// Waits for the device. If a launch or the device failed, writes the error to the reply and returns false.
bool wait_for_device(protocol::reply& reply);

/// Writes status and text to the reply; cuts the text to the reply's capacity.
void set_status(protocol::reply& reply, protocol::status status, const std::string& text);

}  // namespace lab::runner
