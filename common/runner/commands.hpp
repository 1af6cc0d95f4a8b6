#pragma once

#include "runner/channel.hpp"
#include "runner/library.hpp"

namespace lab::runner {

/// One call on fresh buffers; whatever the launcher left behind goes back, also after an error where that is possible.
void call_once(const incoming& order, libraries& known, protocol::reply& answer);

/// Timed calls, the libraries taking turns.
void measure(const incoming& order, libraries& known, protocol::reply& answer);

/// Timed copies within device memory.
void measure_copies(const protocol::request& order, protocol::reply& answer);

/// One call whose operations on the device are written down; and the same operations again, timed, without the library.
void record(const incoming& order, libraries& known, protocol::reply& answer);
void replay(const incoming& order, libraries& known, protocol::reply& answer);

/// Waits for the device; if it or a launch failed, says so in the answer and returns false.
bool finished_well(protocol::reply& answer);

/// Puts text into the answer, cut where there is no more room.
void say(protocol::reply& answer, protocol::status what, const std::string& text);

}  // namespace lab::runner
