#include "bench/traced_kernels.hpp"

#include "build/lab_builds.hpp"
#include "support/parallel.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

traced_kernels::traced_kernels(const std::vector<kernel_to_trace>& kernels, const run_options& options)
    : built_(kernels.size()), options_{options} {
  parallel_for(static_cast<std::int64_t>(kernels.size()), [&](std::int64_t i) {
    const auto built = build_traced(kernels[i].lab, kernels[i].source, options);
    built_[i] = {kernels[i].name, built.verdict == verdict_kind::pass ? built.library : std::filesystem::path{}};
  });
}

counted_kernels traced_kernels::count(const launcher_spec& launcher, const problem_size& size,
                                      const std::vector<std::uint32_t>& numbers, std::uint64_t seed) const {
  std::vector<traced_call> calls(numbers.size());
  parallel_for(static_cast<std::int64_t>(numbers.size()), [&](std::int64_t i) {
    if (const auto& library = built_[numbers[i]].library; !library.empty())
      calls[i] =
          trace(launcher, size,
                {.seed = seed, .library = library, .timeout_s = options_.timeout_s, .confine = options_.confine});
  });
  if (!calls[0].reported) {
    const auto verdict = calls[0].verdict == verdict_kind::pass ? verdict_kind::infra_error : calls[0].verdict;
    return {verdict, calls[0].detail};
  }
  counted_kernels result;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (i == 0 || !calls[i].report.launches.empty())
      result.counted.push_back(judge::count(built_[numbers[i]].name, calls[i].report));
  return result;
}

}  // namespace lab::judge
