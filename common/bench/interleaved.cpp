#include "bench/interleaved.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/lab_builds.hpp"
#include "support/parallel.hpp"

namespace lab::judge {

namespace {

constexpr std::size_t most_copies = 64;

}  // namespace

built_rivals build_with_rivals(const entry& lab, const std::filesystem::path& source,
                               const std::vector<rival>& candidates, const bench_options& options) {
  built_rivals all{.ours = build_for(lab, source, options)};
  if (all.ours.verdict != verdict_kind::pass) return all;
  all.libraries.push_back(all.ours.library);
  std::vector<build_result> theirs(candidates.size());
  parallel_for(static_cast<std::int64_t>(candidates.size()), [&](std::int64_t i) {
    theirs[i] = build_for(lab_of(candidates[i], lab), candidates[i].source, options);
  });
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& candidate = candidates[i];
    const auto& built = theirs[i];
    if (built.verdict != verdict_kind::pass || all.libraries.size() + 1 == protocol::most_libraries) {
      if (options.progress) options.progress(fmt::format("without {}: {}", candidate.name, word(built.verdict)));
      continue;
    }
    all.libraries.push_back(built.library);
    all.rivals.push_back(candidate);
  }
  return all;
}

std::vector<std::uint32_t> right_libraries(session& calls, const std::vector<rival>& rivals, const test_case& test,
                                           const bench_options& options, call_result& ours) {
  ours = calls.call(test);
  if (ours.verdict != verdict_kind::pass) return {};
  std::vector<std::uint32_t> fit{0};
  for (std::uint32_t library = 1; library <= rivals.size(); ++library) {
    const auto theirs = calls.call(test, library).verdict;
    if (theirs == verdict_kind::pass || (theirs == verdict_kind::wrong_answer && !rivals[library - 1].judged))
      fit.push_back(library);
    else if (options.progress)
      options.progress(fmt::format("without {}: {}", rivals[library - 1].name, word(theirs)));
  }
  return fit;
}

unsigned copies_beyond_l2(session& calls, const test_case& test, backend_kind backend) {
  if (backend == backend_kind::sim) return 1;
  const auto device = calls.runner().device();
  const auto bytes = test.where().file_bytes;
  const auto wanted = (4 * device.l2_bytes + bytes - 1) / bytes, room = device.free_bytes / 2 / bytes;
  return static_cast<unsigned>(std::clamp<std::size_t>(std::min<std::size_t>(wanted, room), 1, most_copies));
}

unsigned repeats_within(double budget_ms, const measurement& pilot, int wanted) {
  double round_ms = 0;
  for (const auto& times : pilot.milliseconds) round_ms += times.empty() ? 0 : times.front();
  const double most = std::clamp(wanted, 1, static_cast<int>(protocol::most_samples));
  return static_cast<unsigned>(std::clamp(budget_ms / std::max(round_ms, 1e-3), std::min(3.0, most), most));
}

}  // namespace lab::judge
