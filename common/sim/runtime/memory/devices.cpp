#include "sim/runtime/memory/devices.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace lab::sim {

namespace {

thread_local int chosen_device = 0;
std::atomic<bool> peers[most_devices][most_devices];

}  // namespace

int device_count() {
  static const int count = [] {
    const char* const text = std::getenv("LAB_SIM_DEVICES");
    return text ? std::clamp(std::atoi(text), 1, most_devices) : 1;
  }();
  return count;
}

int current_device() { return chosen_device; }
void choose_device(int number) { chosen_device = number; }

bool can_access(int device, int peer) { return device == peer || peers[device][peer]; }
void let_access(int device, int peer, bool allowed) { peers[device][peer] = allowed; }
void forget_peers(int device) {
  for (auto& allowed : peers[device]) allowed = false;
}

}  // namespace lab::sim
