#include "model/modelled_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lab::judge {

namespace {

constexpr double resolvable = 1.25;  // the model does not tell smaller differences apart

std::string amount(double us) {
  if (us >= 1000) return fmt::format("{:.3g} ms", us / 1000);
  return us >= 100 ? fmt::format("{:.0f} us", us) : fmt::format("{:.2g} us", us);
}

// "h100_sxm" -> "H100 SXM"
std::string as_sold(std::string name) {
  std::ranges::replace(name, '_', ' ');
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

struct change {
  const char* what;
  std::function<void(launch_demand&)> apply;
};

const std::vector<change>& changes() {
  static const std::vector<change> all{
      {"without bank conflicts", [](launch_demand& d) { d.shared_wavefronts -= d.bank_conflicts; }},
      {"with coalesced stores",
       [](launch_demand& d) {
         d.l2_sectors -= d.wasted_sectors;
         d.l1_cycles -= d.wasted_sectors / 4;
         d.scattered_sectors = 0;
       }},
      {"without waiting for dependent loads", [](launch_demand& d) { d.rounds = std::min(d.rounds, 1.); }},
      {"without atomics at one address", [](launch_demand& d) { d.busiest_atomics = 0; }}};
  return all;
}

}  // namespace

std::string modelled_time_text(const modelled_kernel& kernel, const gpu_parameters& gpu) {
  if (!kernel.known()) return "no modelled time: " + kernel.problem;
  const auto& time = kernel.time;
  std::string text =
      fmt::format("{} to {} on {} (modelled), ", amount(kernel.low_us), amount(kernel.high_us), as_sold(gpu.name));
  text += time.balanced ? fmt::format("balanced, most of it {}", words(time.largest))
                        : fmt::format("limited by {}", words(time.largest));
  if (!gpu.validated) text += "; the model is not validated for this GPU";
  return text;
}

std::string modelled_comparison(const modelled_kernel& ours, const modelled_kernel& before, const std::string& name) {
  if (!ours.known() || !before.known()) return "";
  const double ratio = before.time.us / ours.time.us;
  if (ratio < resolvable && ratio > 1 / resolvable)
    return fmt::format("too close to {} to say which is faster: the model cannot tell times within {}x apart", name,
                       resolvable);
  return ratio > 1 ? fmt::format("{:.2g} times as fast as {}", ratio, name)
                   : fmt::format("{:.2g} times as slow as {}", 1 / ratio, name);
}

std::optional<modelled_gain> largest_gain(const modelled_kernel& kernel, const gpu_parameters& gpu) {
  if (!kernel.known()) return std::nullopt;
  const change* best = nullptr;
  double most = resolvable;
  for (const auto& one : changes()) {
    auto demands = kernel.demands;
    std::ranges::for_each(demands, one.apply);
    const double gain = kernel.time.us / predict(demands, gpu).us;
    if (gain > most) most = gain, best = &one;
  }
  if (!best) return std::nullopt;
  return modelled_gain{best->what, most};
}

std::string text_of(const modelled_gain& gain) {
  return fmt::format("{} it would be {:.2g} times as fast", gain.change, gain.ratio);
}

}  // namespace lab::judge
