#include "model/kernel_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <optional>

#include "build/lab_builds.hpp"
#include "build/toolchain.hpp"
#include "model/counted_build.hpp"
#include "model/demands.hpp"
#include "model/kept_counts.hpp"
#include "protocol/launcher_call.hpp"
#include "support/temporary_folder.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

namespace {

constexpr double sampled_accesses = 1e6;
constexpr double hang_s = 5;
constexpr std::uint64_t seed = 1;

// The part of a grid that makes about so many accesses.
double fraction_of(const launcher_spec& launcher, const problem_size& size) {
  const double all = std::max(1., estimated_accesses(launcher, size));
  return std::clamp(sampled_accesses / all, 1e-7, 1.);
}

// Runs the library that counts; its counts are written when the runner ends.
std::string run_counted(const counted_build& built, const counted_call& call, const run_options& options) {
  try {
    const auto given = drawn(call.launcher, call.size, call.seed, inputs::real);
    auto runner_settings = runner_options_of(options, {built.library()});
    runner_settings.sample = call.fraction;
    runner_process runner{runner_settings};
    const auto end = call_unjudged(runner, call.launcher, given, lay_out(given, zones::bare), 1, options.timeout_s).end;
    runner.finish(hang_s);
    return end.verdict == verdict_kind::pass ? "" : "its counted run failed: " + end.detail;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

struct kernel_counter::state {
  entry lab;
  std::filesystem::path source;
  run_options options;
  temporary_folder folder{"model"};
  std::mutex building{}, running{}, telling{};
  std::optional<build_result> traced{};
  std::optional<counted_build> counted{};

  void tell(const std::string& what) {
    const std::lock_guard one_at_a_time{telling};
    if (options.progress) options.progress(what);
  }

  void build() {
    const std::lock_guard one_at_a_time{building};
    if (traced) return;
    tell("compiling the kernel to count its accesses and instructions");
    auto counting = std::async(std::launch::async, [&] { counted.emplace(lab, source, folder.path()); });
    auto built = build_traced(lab, source, options);
    counting.get();
    traced = std::move(built);
  }

  // The counts of two runs would mix in one file.
  std::string run(const counted_call& call, std::string& dump) {
    std::unique_lock one_at_a_time{running};
    tell(fmt::format("counting the instructions of {} {}", call.launcher.name, call.size.name()));
    if (auto problem = run_counted(*counted, call, options); !problem.empty()) return problem;
    const auto counts = counted->take_counts();
    one_at_a_time.unlock();
    tell(fmt::format("compiling with the counts of {} {}", call.launcher.name, call.size.name()));
    dump = counted->dump_with(counts);
    return "";
  }

  result count(const counted_call& call) {
    build();
    if (traced->verdict != verdict_kind::pass) return {"it does not compile"};
    if (!counted->problem().empty()) return {"it does not compile for counting"};
    std::string dump;
    auto running_counted = std::async(std::launch::async, [&] { return run(call, dump); });
    const auto seen = trace(call.launcher, call.size,
                            {.seed = call.seed,
                             .library = traced->library,
                             .timeout_s = options.timeout_s,
                             .kernel_limit_s = hang_s,
                             .sample = call.fraction});
    if (auto problem = running_counted.get(); seen.reported && !problem.empty()) return {std::move(problem)};
    if (!seen.reported) return {"it cannot be traced: " + seen.detail};
    auto profiles = read_profiles(dump, loading_lines(seen.report));
    return {"", {seen.report, std::move(profiles)}};
  }
};

kernel_counter::kernel_counter(entry lab, std::filesystem::path source, run_options options)
    : state_{new state{std::move(lab), std::move(source), std::move(options)}} {}

kernel_counter::~kernel_counter() = default;

const std::filesystem::path& kernel_counter::source() const { return state_->source; }
const run_options& kernel_counter::options() const { return state_->options; }

kernel_counter::result kernel_counter::count(const launcher_spec& launcher, const problem_size& size) {
  const counted_call call{state_->lab, state_->source, launcher, size, fraction_of(launcher, size), seed};
  const auto key = counts_key(call, own_identity(), state_->options);
  if (auto kept = kept_counts(key)) return {"", std::move(*kept)};
  auto counted = state_->count(call);
  if (counted.problem.empty()) keep_counts(key, counted.counts);
  return counted;
}

}  // namespace lab::judge
