#include "bench/head_start.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace lab::judge {

using protocol::head_start;

nlohmann::json head_start_word(head_start how) {
  if (how == head_start::timed_out) return "timed out";
  return how == head_start::complete;
}

std::string launch_overhead(head_start how) {
  switch (how) {
    case head_start::complete:
      return "";
    case head_start::timed_out:
      return fmt::format(
          "includes launch overhead on the host: the device waited {} ms, and the launcher had not queued "
          "all its work. Does it wait for the device, as cudaDeviceSynchronize and cudaFree do?",
          protocol::hold_limit.count());
    case head_start::none:
      break;
  }
  return "includes launch overhead on the host";
}

}  // namespace lab::judge
