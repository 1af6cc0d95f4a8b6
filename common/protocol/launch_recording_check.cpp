#include <algorithm>

#include "protocol/launch_recording.hpp"

namespace lab::replay {

namespace {

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw malformed(otherwise);
}

bool within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

bool printable(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) { return letter > ' ' && letter < 127; });
}

// The limits of the largest GPU; the driver checks those of this one.
bool launchable_grid(const extent& grid) {
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535;
}

bool launchable_block(const extent& block) {
  const auto small = [](std::uint32_t n) { return n > 0 && n <= 1024; };
  return small(block.x) && small(block.y) && small(block.z) && std::uint64_t{block.x} * block.y * block.z <= 1024;
}

bool possible_cluster(const extent& cluster) {
  const bool none = cluster.x == 0 && cluster.y == 0 && cluster.z == 0;
  const auto small = [](std::uint32_t n) { return n > 0 && n <= 16; };
  return none || (small(cluster.x) && small(cluster.y) && small(cluster.z) && cluster.x * cluster.y * cluster.z <= 16);
}

class checker {
 public:
  explicit checker(const launch_recording& recording) : recording_{recording} {}

  void check_all() {
    require(recording_.array_bytes <= most_array_bytes, "its arrays take more than 1 TiB");
    require(recording_.scratch_bytes <= most_scratch, "its scratch memory takes more than 4 GiB");
    require(recording_.address % 4096 == 0 && recording_.address < 1ull << 56, "its arena has an invalid address");
    require(std::ranges::all_of(recording_.streams, [](auto flag) { return flag <= 1; }), "a stream has unknown flags");
    require(recording_.events <= most_operations, "it has more events than operations");
    for (const auto* names : {&recording_.kernels, &recording_.globals})
      require(std::ranges::all_of(*names, printable), "a name is not an identifier");
    for (const auto& op : recording_.operations) check_operation(op);
    require(std::ranges::count(recording_.operations, action::launch, &operation::what) > 0, "it launches no kernel");
  }

 private:
  void check_operation(const operation& op) {
    const auto number = std::to_string(&op - recording_.operations.data());
    try {
      require(static_cast<std::uint32_t>(op.what) < actions, "unknown action");
      require(op.stream <= recording_.streams.size(), "unknown stream");
      by_action(op);
    } catch (const malformed& error) {
      throw malformed("operation " + number + ": " + error.what());
    }
  }

  void by_action(const operation& op) {
    switch (op.what) {
      case action::launch:
        return launch(op);
      case action::attribute:
        return attribute(op);
      case action::fill:
        require(op.value <= 255, "the fill value is larger than a byte");
        return check_written(op.to, op.bytes);
      case action::copy:
        check_written(op.to, op.bytes);
        return check_accessed(op.from, op.bytes);
      case action::record_event:
        require(op.index == recorded_events_++ && op.index < recording_.events, "event number out of order");
        return;
      case action::wait_event:
        return require(op.index < recorded_events_, "waits for an event that no earlier operation records");
      case action::barrier:
        return;
    }
  }

  void launch(const operation& op) const {
    require(op.index < recording_.kernels.size(), "unknown kernel");
    require(launchable_grid(op.grid), "the grid exceeds the limits of every GPU");
    require(launchable_block(op.block), "the block exceeds the limits of every GPU");
    require(possible_cluster(op.cluster), "the cluster exceeds the limits of every GPU");
    require(op.shared <= 1 << 20, "more than 1 MiB of shared memory");
    require(op.cooperative <= 1 && op.programmatic <= 1, "the launch has unknown flags");
    require(op.bytes <= most_parameter_bytes, "too many bytes of parameters");
    require(op.from.area == memory_area::data && within(op.from.offset, op.bytes, recording_.data.size()),
            "parameters outside the recording's data");
    require(op.from.offset % 8 == 0, "misaligned parameters");
  }

  void attribute(const operation& op) const {
    require(op.index < recording_.kernels.size(), "unknown kernel");
    require(std::ranges::count(settable, op.value) == 1, "this attribute may not be set");
    require(op.bytes <= most_attribute, "attribute value larger than 1 MiB");
  }

  void check_written(const memory_location& location, std::uint64_t bytes) const {
    require(location.area != memory_area::data, "writes to the recording");
    check_accessed(location, bytes);
  }

  // Only the module knows the size of a global variable. The replay compares offset + bytes with it, so the sum must
  // not overflow.
  void check_accessed(const memory_location& location, std::uint64_t bytes) const {
    require(location.area == memory_area::arena || location.area == memory_area::global ||
                location.area == memory_area::data,
            "unknown memory area");
    if (location.area == memory_area::arena)
      require(within(location.offset, bytes, recording_.array_bytes + recording_.scratch_bytes),
              "memory outside the arena");
    if (location.area == memory_area::global) {
      require(location.global < recording_.globals.size(), "unknown global variable");
      require(within(location.offset, bytes, most_global), "past the end of every possible global variable");
    }
    if (location.area == memory_area::data)
      require(within(location.offset, bytes, recording_.data.size()), "data outside the recording");
  }

  const launch_recording& recording_;
  std::uint32_t recorded_events_ = 0;
};

}  // namespace

void check(const launch_recording& recording) { checker{recording}.check_all(); }

}  // namespace lab::replay
