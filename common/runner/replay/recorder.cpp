#include "runner/replay/recorder.hpp"

#include <algorithm>

namespace lab::replay {

namespace {

constexpr std::uint64_t alignment = 512;  // cudaMalloc guarantees 256

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

// The runtime's handles of the default stream: 0 and cudaStreamLegacy.
bool is_default(std::uint64_t handle) { return handle <= 1; }

std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name) - names.begin();
  if (found == std::ssize(names)) names.push_back(name);
  return static_cast<std::uint32_t>(found);
}

}  // namespace

recorder::recorder(std::uint64_t address, std::uint64_t array_bytes, std::uint64_t scratch_capacity)
    : scratch_capacity_{scratch_capacity} {
  recording_.address = address;
  recording_.array_bytes = array_bytes;
}

void recorder::refuse(const std::string& reason) {
  if (refusal_.empty()) refusal_ = reason;
}

std::uint64_t recorder::allocate(std::uint64_t bytes) {
  const auto begin = rounded_up(recording_.array_bytes + recording_.scratch_bytes, alignment) - recording_.array_bytes;
  if (bytes > scratch_capacity_ || begin > scratch_capacity_ - bytes) {
    refuse("it allocates more than " + std::to_string(scratch_capacity_ >> 20) + " MiB of device memory");
    return 0;
  }
  recording_.scratch_bytes = begin + bytes;
  return recording_.address + recording_.array_bytes + begin;
}

bool recorder::owns(std::uint64_t address) const {
  return address >= recording_.address && address - recording_.address < recording_.array_bytes + scratch_capacity_;
}

void recorder::add_stream(std::uint64_t handle, bool waits_for_default) {
  recording_.streams.push_back(waits_for_default ? 0 : 1);
  streams_[handle] = static_cast<std::uint32_t>(recording_.streams.size());
  if (recording_.streams.size() > most_streams)
    refuse("it creates more than " + std::to_string(most_streams) + " streams");
}

void recorder::add_global(std::uint64_t symbol, const std::string& name) { symbols_[symbol] = name; }

std::uint32_t recorder::stream_number(std::uint64_t handle) {
  if (is_default(handle)) return 0;
  if (const auto found = streams_.find(handle); found != streams_.end()) return found->second;
  refuse("it uses a stream that it did not create with cudaStreamCreate");
  return 0;
}

memory_location recorder::in_arena(std::uint64_t address, std::uint64_t bytes) {
  const auto offset = address - recording_.address;
  const auto size = recording_.array_bytes + recording_.scratch_bytes;
  if (address < recording_.address || offset > size || bytes > size - offset)
    refuse("it fills or copies device memory that is neither an argument nor from cudaMalloc");
  return {memory_area::arena, 0, offset};
}

memory_location recorder::in_recording(const void* from, std::uint64_t bytes) {
  const auto begin = rounded_up(recording_.data.size(), 8);
  if (bytes > most_data || begin + bytes > most_data) {
    refuse("it copies more than " + std::to_string(most_data >> 20) + " MiB from the host");
    return {memory_area::data, 0, 0};
  }
  recording_.data.resize(begin);
  const auto* raw = static_cast<const std::byte*>(from);
  recording_.data.insert(recording_.data.end(), raw, raw + bytes);
  return {memory_area::data, 0, begin};
}

memory_location recorder::in_global(std::uint64_t symbol, std::uint64_t offset) {
  const auto found = symbols_.find(symbol);
  if (found == symbols_.end()) refuse("it copies to a symbol that is not a global variable of its library");
  return {memory_area::global, found == symbols_.end() ? 0 : number_of(recording_.globals, found->second), offset};
}

void recorder::add(operation op) {
  if (recording_.operations.size() == most_operations)
    return refuse("it issues more than " + std::to_string(most_operations) + " operations");
  recording_.operations.push_back(op);
}

void recorder::launch(const std::string& kernel, operation shape, std::span<const std::byte> parameters,
                      std::uint64_t stream) {
  shape.what = action::launch;
  shape.stream = stream_number(stream);
  shape.index = number_of(recording_.kernels, kernel);
  shape.from = in_recording(parameters.data(), parameters.size());
  shape.bytes = parameters.size();
  add(shape);
}

void recorder::attribute(const std::string& kernel, std::uint32_t which, std::uint64_t value) {
  if (std::ranges::find(settable, which) == settable.end() || value > most_attribute)
    return refuse("it sets attribute " + std::to_string(which) + " of a kernel");
  operation op{};
  op.what = action::attribute;
  op.index = number_of(recording_.kernels, kernel);
  op.value = which;
  op.bytes = value;
  add(op);
}

void recorder::fill(std::uint64_t to, std::uint32_t value, std::uint64_t bytes, std::uint64_t stream) {
  if (bytes == 0) return;
  operation op{};
  op.what = action::fill;
  op.stream = stream_number(stream);
  op.value = value & 0xff;
  op.to = in_arena(to, bytes);
  op.bytes = bytes;
  add(op);
}

void recorder::copy(const copy_arguments& arguments) {
  if (arguments.bytes == 0) return;
  operation op{};
  op.what = action::copy;
  op.stream = stream_number(arguments.stream);
  op.to = arguments.symbol ? in_global(arguments.symbol, arguments.to) : in_arena(arguments.to, arguments.bytes);
  op.from = arguments.host ? in_recording(arguments.host, arguments.bytes) : in_arena(arguments.from, arguments.bytes);
  op.bytes = arguments.bytes;
  add(op);
}

void recorder::record_event(std::uint64_t handle, std::uint64_t stream) {
  operation op{};
  op.what = action::record_event;
  op.stream = stream_number(stream);
  op.index = events_[handle] = recording_.events++;
  add(op);
}

// In CUDA, waiting for an event that was never recorded has no effect.
void recorder::wait_event(std::uint64_t handle, std::uint64_t stream) {
  if (!events_.contains(handle)) return;
  operation op{};
  op.what = action::wait_event;
  op.stream = stream_number(stream);
  op.index = events_[handle];
  add(op);
}

void recorder::barrier() {
  operation op{};
  op.what = action::barrier;
  if (!recording_.operations.empty()) add(op);
}

}  // namespace lab::replay
