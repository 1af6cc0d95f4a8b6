#include "sim/runtime/streams/device_access.hpp"

#include "sim/runtime/memory/device_memory.hpp"
#include "sim/runtime/streams/memory_in_flight.hpp"

namespace lab::sim {

device_access::device_access() {
  in_flight::open();
  open_device_memory();
}

device_access::~device_access() {
  close_device_memory();
  in_flight::close();
}

}  // namespace lab::sim
