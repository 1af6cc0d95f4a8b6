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
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c < 127; });
}

// The largest that any GPU takes; the driver knows what this one takes.
bool launchable_grid(const extent& g) {
  return g.x > 0 && g.y > 0 && g.z > 0 && g.x <= 0x7fffffff && g.y <= 65535 && g.z <= 65535;
}

bool launchable_block(const extent& b) {
  const auto small = [](std::uint32_t n) { return n > 0 && n <= 1024; };
  return small(b.x) && small(b.y) && small(b.z) && std::uint64_t{b.x} * b.y * b.z <= 1024;
}

bool possible_cluster(const extent& c) {
  const bool none = c.x == 0 && c.y == 0 && c.z == 0;
  const auto small = [](std::uint32_t n) { return n > 0 && n <= 16; };
  return none || (small(c.x) && small(c.y) && small(c.z) && c.x * c.y * c.z <= 16);
}

class checker {
 public:
  explicit checker(const launch_recording& r) : r_{r} {}

  void all() {
    require(r_.images <= most_images, "images of over 1 TiB");
    require(r_.scratch <= most_scratch, "scratch memory of over 4 GiB");
    require(r_.address % 4096 == 0 && r_.address < 1ull << 56, "an arena at no possible address");
    require(std::ranges::all_of(r_.streams, [](auto flag) { return flag <= 1; }), "a stream of no known kind");
    require(r_.events <= most_operations, "more events than operations");
    for (const auto* names : {&r_.kernels, &r_.globals})
      require(std::ranges::all_of(*names, printable), "a name that is no identifier");
    for (const auto& o : r_.operations) one(o);
    require(std::ranges::count(r_.operations, action::launch, &operation::what) > 0, "no kernel is launched");
  }

 private:
  void one(const operation& o) {
    const auto number = std::to_string(&o - r_.operations.data());
    try {
      require(static_cast<std::uint32_t>(o.what) < actions, "an unknown action");
      require(o.stream <= r_.streams.size(), "a stream that does not exist");
      by_action(o);
    } catch (const malformed& e) {
      throw malformed("operation " + number + ": " + e.what());
    }
  }

  void by_action(const operation& o) {
    switch (o.what) {
      case action::launch:
        return launch(o);
      case action::attribute:
        return attribute(o);
      case action::fill:
        require(o.value <= 255, "a fill with more than a byte");
        return place_to_write(o.to, o.bytes);
      case action::copy:
        place_to_write(o.to, o.bytes);
        return place_to_read(o.from, o.bytes);
      case action::record_event:
        require(o.index == recorded_++ && o.index < r_.events, "an event out of order");
        return;
      case action::wait_event:
        return require(o.index < recorded_, "waits for an event that is not recorded before");
      case action::barrier:
        return;
    }
  }

  void launch(const operation& o) const {
    require(o.index < r_.kernels.size(), "a kernel that does not exist");
    require(launchable_grid(o.grid), "a grid that no GPU takes");
    require(launchable_block(o.block), "a block that no GPU takes");
    require(possible_cluster(o.cluster), "a cluster that no GPU takes");
    require(o.shared <= 1 << 20, "over 1 MiB of shared memory");
    require(o.cooperative <= 1 && o.programmatic <= 1, "a launch of no known kind");
    require(o.bytes <= most_parameter_bytes, "too many bytes of parameters");
    require(o.from.in == memory_space::data && within(o.from.offset, o.bytes, r_.data.size()),
            "parameters past the data");
    require(o.from.offset % 8 == 0, "parameters that are not aligned");
  }

  void attribute(const operation& o) const {
    require(o.index < r_.kernels.size(), "an attribute of a kernel that does not exist");
    require(std::ranges::count(settable, o.value) == 1, "an attribute that may not be set");
    require(o.bytes <= most_attribute, "an attribute of over 1 MiB");
  }

  void place_to_write(const place& p, std::uint64_t bytes) const {
    require(p.in != memory_space::data, "writes to the tape");
    place_to_read(p, bytes);
  }

  // How large a global is, only the module knows; who plays the tape asks it, and must be able to add.
  void place_to_read(const place& p, std::uint64_t bytes) const {
    require(p.in == memory_space::arena || p.in == memory_space::global || p.in == memory_space::data,
            "an unknown kind of memory");
    if (p.in == memory_space::arena)
      require(within(p.offset, bytes, r_.images + r_.scratch), "memory outside the arena");
    if (p.in == memory_space::global) {
      require(p.global < r_.globals.size(), "a global variable that does not exist");
      require(within(p.offset, bytes, most_global), "past the end of any global variable");
    }
    if (p.in == memory_space::data) require(within(p.offset, bytes, r_.data.size()), "data past the tape's end");
  }

  const launch_recording& r_;
  std::uint32_t recorded_ = 0;
};

}  // namespace

void check(const launch_recording& r) { checker{r}.all(); }

}  // namespace lab::replay
