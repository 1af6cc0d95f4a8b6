#include "protocol/launcher_call.hpp"

#include <algorithm>

namespace lab::judge {

protocol::request request_for(const launcher_spec& launcher, const array_layout& where, protocol::command what) {
  protocol::request request{};
  request.what = what;
  request.libraries = 1;
  launcher.symbol.copy(request.symbol, sizeof request.symbol - 1);
  request.host_pointers = launcher.memory == memory_space::host;
  request.slots = static_cast<std::uint32_t>(where.slots.size());
  std::ranges::copy(where.slots, request.slot);
  request.file_bytes = where.file_bytes;
  return request;
}

arguments arguments_after(arguments given, const array_layout& where, std::span<const std::byte> file) {
  for (std::size_t parameter = 0; parameter < given.size(); ++parameter) {
    if (!where.slots[parameter].writes) continue;
    const auto payload = where.payload(parameter, file);
    given[parameter].bytes.assign(payload.begin(), payload.end());
  }
  return given;
}

unjudged_call call_unjudged(runner_process& runner, const launcher_spec& launcher, const arguments& given,
                            const array_layout& where, std::uint64_t seed, double timeout_s) {
  const auto in = initial_arrays(given, where, seed), out = memory_file::writable(where.file_bytes);
  auto request = request_for(launcher, where, protocol::command::call);
  unjudged_call call{runner.ask(request, &in, &out, timeout_s), {}};
  if (call.end.verdict == verdict_kind::pass) call.outputs = arguments_after(given, where, copy_of(out).view());
  return call;
}

}  // namespace lab::judge
