#include "sim/runtime/streams/device_access.hpp"

#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/memory/devices.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"

namespace lab::sim {

namespace {

std::recursive_mutex& one_at_a_time() {
  static auto* const the = new std::recursive_mutex;  // never destroyed: a destructor may still copy
  return *the;
}

}  // namespace

device_access::device_access(of whom) {
  if (whom == of::work && device_count() > 1) alone_ = std::unique_lock{one_at_a_time()};
  in_flight::open();
  open_device_memory();
}

device_access::~device_access() {
  close_device_memory();
  in_flight::close();
}

}  // namespace lab::sim
