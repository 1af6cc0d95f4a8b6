#include "runner/replay/recorder.hpp"

#include <algorithm>

namespace lab::replay {

namespace {

constexpr std::uint64_t alignment = 512;  // cudaMalloc promises 256

std::uint64_t rounded(std::uint64_t bytes, std::uint64_t to) { return (bytes + to - 1) / to * to; }

// The runtime's handles for the default stream: none, or "legacy" by name.
bool is_default(std::uint64_t handle) { return handle <= 1; }

std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::ranges::find(names, name) - names.begin();
  if (at == std::ssize(names)) names.push_back(name);
  return static_cast<std::uint32_t>(at);
}

}  // namespace

recorder::recorder(std::uint64_t address, std::uint64_t images, std::uint64_t room) : room_{room} {
  recording_.address = address;
  recording_.images = images;
}

void recorder::refuse(const std::string& why) {
  if (why_not_.empty()) why_not_ = why;
}

std::uint64_t recorder::allocate(std::uint64_t bytes) {
  const auto begin = rounded(recording_.images + recording_.scratch, alignment) - recording_.images;
  if (bytes > room_ || begin > room_ - bytes) {
    refuse("it allocates over " + std::to_string(room_ >> 20) + " MiB of device memory");
    return 0;
  }
  recording_.scratch = begin + bytes;
  return recording_.address + recording_.images + begin;
}

bool recorder::owns(std::uint64_t address) const {
  return address >= recording_.address && address - recording_.address < recording_.images + room_;
}

void recorder::add_stream(std::uint64_t handle, bool waits_for_default) {
  recording_.streams.push_back(waits_for_default ? 0 : 1);
  streams_[handle] = static_cast<std::uint32_t>(recording_.streams.size());
  if (recording_.streams.size() > most_streams) refuse("it makes over " + std::to_string(most_streams) + " streams");
}

void recorder::add_global(std::uint64_t symbol, const std::string& name) { symbols_[symbol] = name; }

std::uint32_t recorder::stream_number(std::uint64_t handle) {
  if (is_default(handle)) return 0;
  if (const auto at = streams_.find(handle); at != streams_.end()) return at->second;
  refuse("it uses a stream that it did not make by cudaStreamCreate");
  return 0;
}

place recorder::in_arena(std::uint64_t address, std::uint64_t bytes) {
  const auto offset = address - recording_.address;
  const auto size = recording_.images + recording_.scratch;
  if (address < recording_.address || offset > size || bytes > size - offset)
    refuse("it fills or copies device memory that neither is an argument nor comes from cudaMalloc");
  return {memory_space::arena, 0, offset};
}

place recorder::while_recording(const void* from, std::uint64_t bytes) {
  const auto begin = rounded(recording_.data.size(), 8);
  if (bytes > most_data || begin + bytes > most_data) {
    refuse("it copies over " + std::to_string(most_data >> 20) + " MiB from the host");
    return {memory_space::data, 0, 0};
  }
  recording_.data.resize(begin);
  const auto* raw = static_cast<const std::byte*>(from);
  recording_.data.insert(recording_.data.end(), raw, raw + bytes);
  return {memory_space::data, 0, begin};
}

place recorder::in_global(std::uint64_t symbol, std::uint64_t offset) {
  const auto at = symbols_.find(symbol);
  if (at == symbols_.end()) refuse("it copies to a variable that is not known");
  return {memory_space::global, at == symbols_.end() ? 0 : number_of(recording_.globals, at->second), offset};
}

void recorder::add(operation o) {
  if (recording_.operations.size() == most_operations)
    return refuse("it asks for over " + std::to_string(most_operations) + " operations");
  recording_.operations.push_back(o);
}

void recorder::launch(const std::string& kernel, operation shape, std::span<const std::byte> parameters,
                      std::uint64_t stream) {
  shape.what = action::launch;
  shape.stream = stream_number(stream);
  shape.index = number_of(recording_.kernels, kernel);
  shape.from = while_recording(parameters.data(), parameters.size());
  shape.bytes = parameters.size();
  add(shape);
}

void recorder::attribute(const std::string& kernel, std::uint32_t which, std::uint64_t value) {
  if (std::ranges::find(settable, which) == settable.end() || value > most_attribute)
    return refuse("it sets attribute " + std::to_string(which) + " of a kernel");
  operation o{};
  o.what = action::attribute;
  o.index = number_of(recording_.kernels, kernel);
  o.value = which;
  o.bytes = value;
  add(o);
}

void recorder::fill(std::uint64_t to, std::uint32_t value, std::uint64_t bytes, std::uint64_t stream) {
  if (bytes == 0) return;
  operation o{};
  o.what = action::fill;
  o.stream = stream_number(stream);
  o.value = value & 0xff;
  o.to = in_arena(to, bytes);
  o.bytes = bytes;
  add(o);
}

void recorder::copy(const copied& c) {
  if (c.bytes == 0) return;
  operation o{};
  o.what = action::copy;
  o.stream = stream_number(c.stream);
  o.to = c.symbol ? in_global(c.symbol, c.to) : in_arena(c.to, c.bytes);
  o.from = c.host ? while_recording(c.host, c.bytes) : in_arena(c.from, c.bytes);
  o.bytes = c.bytes;
  add(o);
}

void recorder::record_event(std::uint64_t handle, std::uint64_t stream) {
  operation o{};
  o.what = action::record_event;
  o.stream = stream_number(stream);
  o.index = events_[handle] = recording_.events++;
  add(o);
}

// Waiting for an event that was never recorded is waiting for nothing.
void recorder::wait_event(std::uint64_t handle, std::uint64_t stream) {
  if (!events_.contains(handle)) return;
  operation o{};
  o.what = action::wait_event;
  o.stream = stream_number(stream);
  o.index = events_[handle];
  add(o);
}

void recorder::barrier() {
  operation o{};
  o.what = action::barrier;
  if (!recording_.operations.empty()) add(o);
}

}  // namespace lab::replay
