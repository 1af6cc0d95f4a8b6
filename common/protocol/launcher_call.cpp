#include "protocol/launcher_call.hpp"

#include <algorithm>

namespace lab::judge {

protocol::request request_for(const launcher_spec& launcher, const array_layout& layout, protocol::command what) {
  protocol::request request{};
  request.what = what;
  request.library_count = 1;
  launcher.symbol.copy(request.symbol, sizeof request.symbol - 1);
  request.host_pointers = launcher.memory == memory_space::host;
  request.slot_count = static_cast<std::uint32_t>(layout.slots.size());
  std::ranges::copy(layout.slots, request.slots);
  request.file_bytes = layout.file_bytes;
  request.pooled = layout.pooled;
  request.discards = layout.discarded;
  return request;
}

arguments arguments_after(arguments given, const array_layout& layout, std::span<const std::byte> file) {
  for (std::size_t parameter = 0; parameter < given.size(); ++parameter) {
    if (!layout.slots[parameter].writes) continue;
    const auto payload = layout.payload(parameter, file);
    given[parameter].bytes.assign(payload.begin(), payload.end());
  }
  return given;
}

unjudged_call call_unjudged(runner_process& runner, const launcher_spec& launcher, const arguments& given,
                            const array_layout& layout, std::uint64_t seed, double timeout_s) {
  const auto in = initial_arrays(given, layout, seed), out = memory_file::writable(layout.file_bytes);
  auto request = request_for(launcher, layout, protocol::command::call);
  unjudged_call call{runner.ask(request, &in, &out, timeout_s), {}};
  if (call.end.verdict == verdict_kind::pass) call.outputs = arguments_after(given, layout, copy_of(out).view());
  return call;
}

discarded_arrays discarded_arrays_of(const arguments& given, std::uint64_t seed) {
  auto layout = lay_out(given, zones::discarded);
  auto file = initial_arrays(given, layout, seed);
  return {std::move(layout), std::move(file)};
}

outcome call_without_outputs(runner_process& runner, const launcher_spec& launcher, const discarded_arrays& arrays,
                             double timeout_s) {
  const auto empty = memory_file::writable(arrays.layout.file_bytes);
  auto request = request_for(launcher, arrays.layout, protocol::command::call);
  return runner.ask(request, &arrays.file, &empty, timeout_s);
}

}  // namespace lab::judge
