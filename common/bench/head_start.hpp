#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "protocol/messages.hpp"

namespace lab::judge {

/// As the JSON documents say it: true, false or "timed out".
nlohmann::json head_start_word(protocol::head_start how);

/// "includes launch overhead on the host" and why; empty for a complete head start.
std::string launch_overhead(protocol::head_start how);

}  // namespace lab::judge
