#include "trace/compulsory_traffic.hpp"

#include <fmt/format.h>

namespace lab::judge {

namespace {

constexpr double sector_bytes = 32;
constexpr double small_copy = 4096;  // bytes: a flag, or a few sums

struct moved_bytes {
  double stored = 0, all = 0;
};

moved_bytes by_kernels(const trace_report& report) {
  moved_bytes moved;
  for (const auto& one : report.launches) {
    moved.all += static_cast<double>(one.box_bytes);
    for (const auto& access : one.lines) {
      if (access.space != "global") continue;
      const auto bytes = sector_bytes * static_cast<double>(access.sectors);
      moved.all += bytes;
      if (access.op != "load") moved.stored += bytes;
    }
  }
  return moved;
}

// What the runner itself copies: the arrays to the device, but for blank ones, and all of them back.
struct own_copies {
  double written = 0, to_host = 0;
};

own_copies by_runner(const launcher_spec& launcher, const array_layout& layout) {
  own_copies own;
  if (launcher.memory == memory_space::host) return own;
  for (const auto& slot : layout.slots) {
    if (slot.kind == protocol::slot_kind::scalar) continue;
    const auto bytes = static_cast<double>(slot.guard + slot.bytes + slot.guard);
    own.to_host += bytes;
    if (!slot.blank) own.written += bytes;
  }
  return own;
}

double output_bytes(const arguments& given) {
  double bytes = 0;
  for (const auto& one : given)
    if (one.role == parameter_role::output) bytes += static_cast<double>(one.size_bytes());
  return bytes;
}

}  // namespace

std::string missing_traffic(const launcher_spec& launcher, const problem_size& size, const arguments& given,
                            const array_layout& layout, const trace_report& report) {
  const auto moved = by_kernels(report);
  const auto own = by_runner(launcher, layout);
  const double by_copies = static_cast<double>(report.copies.written) - own.written;
  const double outputs = output_bytes(given), least = cost_at(launcher, size).bytes;
  if (moved.stored + by_copies < outputs)
    return fmt::format("the kernels stored {:.0f} bytes of global memory, but the outputs have {:.0f} bytes\n",
                       moved.stored, outputs);
  if (moved.all + by_copies < least)
    return fmt::format("the kernels moved {:.0f} bytes of global memory, but the arrays have {:.0f} bytes\n", moved.all,
                       least);
  if (launcher.memory == memory_space::host) return {};
  const double to_host = static_cast<double>(report.copies.to_host) - own.to_host;
  if (to_host > small_copy)
    return fmt::format("the launcher copied {:.0f} bytes to the host, but its arrays are on the device\n", to_host);
  if (const auto shared = static_cast<double>(report.copies.host_memory); shared > small_copy)
    return fmt::format(
        "the launcher allocated {:.0f} bytes that the host can access, but its arrays are on the device\n", shared);
  return {};
}

}  // namespace lab::judge
