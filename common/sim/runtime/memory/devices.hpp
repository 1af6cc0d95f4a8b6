#pragma once

namespace lab::sim {

/// The number of devices: LAB_SIM_DEVICES, by default 1. All are alike.
int device_count();
constexpr int most_devices = 16;
inline bool is_device(int number) { return number >= 0 && number < device_count(); }

/// The device that this OS thread has chosen with cudaSetDevice.
int current_device();
void choose_device(int number);

/// Whether kernels of a device may access the memory of another one. Each direction is enabled apart.
bool can_access(int device, int peer);
void let_access(int device, int peer, bool allowed);
void forget_peers(int device);

}  // namespace lab::sim
