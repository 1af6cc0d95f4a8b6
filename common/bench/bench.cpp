#include "bench/bench.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/kernel_clock.hpp"
#include "bench/machine.hpp"
#include "bench/rivals.hpp"
#include "bench/timing.hpp"
#include "build/availability.hpp"
#include "build/kernel_build.hpp"
#include "build/kernel_variant.hpp"
#include "judge/case_message.hpp"
#include "lab/fitting_sizes.hpp"
#include "support/random_seed.hpp"

namespace lab::judge {

namespace {

constexpr double most_sim_bytes = 256e6;       // beyond, a simulator takes minutes
constexpr double most_sim_work = 1e9;          // operations, likewise
constexpr double most_one_thread_work = 5e10;  // operations that one thread does in some twenty seconds
constexpr double most_all_threads_work = 1e11;
constexpr double most_cpu_bytes = 5e8;  // beyond, the CPU's programs only show its memory
constexpr std::size_t most_copies = 64;

// The kernel under test is library 0, its rivals follow.
struct bench_run {
  const entry& lab;
  const kernel_variant& which;
  const bench_options& o;
  session runs;
  std::vector<rival> rivals;
  std::uint64_t seed;
  built_twice kernel{};
  double ceiling = 0;
};

bool too_large(const launcher_spec& c, const problem_size& s, const bench_options& o) {
  if (o.backend != backend_kind::sim || !o.sizes.empty() || !c.cost) return false;
  return c.cost(s).bytes > most_sim_bytes || c.cost(s).operations > most_sim_work;
}

double work(const launcher_spec& c, const problem_size& s) { return c.cost ? c.cost(s).operations : 0; }

// So many sets of buffers that, when a set's turn comes again, L2 has forgotten it.
unsigned cold_copies(const bench_run& x, const protocol::device& d, const test_case& t) {
  if (x.o.backend == backend_kind::sim) return 1;
  const auto bytes = t.where().file_bytes;
  const auto wanted = (4 * d.l2_bytes + bytes - 1) / bytes, room = d.free_bytes / 2 / bytes;
  return static_cast<unsigned>(std::clamp<std::size_t>(std::min<std::size_t>(wanted, room), 1, most_copies));
}

// Fewer rounds where one takes seconds; the same for every kernel that is compared.
unsigned rounds(const bench_run& x, const measurement& pilot) {
  double round_ms = 0;
  for (const auto& one : pilot.milliseconds) round_ms += one.empty() ? 0 : one.front();
  const double budget_ms = x.o.backend == backend_kind::sim ? 3000 : 20000;
  const double most = std::clamp(x.o.repeats, 1, static_cast<int>(protocol::most_samples));
  return static_cast<unsigned>(std::clamp(budget_ms / std::max(round_ms, 1e-3), std::min(3.0, most), most));
}

void add_rates(bench_row& row, const problem_cost& c, double ceiling) {
  const double ms = row.cold.median;
  if (ms <= 0) return;
  row.gbytes_per_s = c.bytes / ms / 1e6;
  row.gflops = c.operations / ms / 1e6;
  if (ceiling > 0) row.of_ceiling = row.gbytes_per_s / ceiling;
}

void add_cpu_times(bench_row& row, const launcher_spec& c, const problem_size& s, const test_case& t) {
  if (work(c, s) <= most_one_thread_work) row.cpu_one_thread_ms = time_on_cpu(c.one_thread, t.given());
  if (work(c, s) <= most_all_threads_work) row.cpu_all_threads_ms = time_on_cpu(c.all_threads, t.given());
  row.cpu_fast_ms = time_on_cpu(c.fast, t.given());
}

// Who among library 0 and the rivals gives the right answer at this size; empty if library 0 does not.
std::vector<std::uint32_t> qualified(bench_run& x, const test_case& t, call_result& ours) {
  ours = x.runs.call(t);
  if (ours.verdict != verdict_kind::pass) return {};
  std::vector<std::uint32_t> fit{0};
  for (std::uint32_t l = 1; l <= x.rivals.size(); ++l) {
    const auto theirs = x.runs.call(t, l).verdict;
    if (theirs == verdict_kind::pass || (theirs == verdict_kind::wrong_answer && !x.rivals[l - 1].judged))
      fit.push_back(l);
    else if (x.o.progress)
      x.o.progress(fmt::format("leaving out {}: {}", x.rivals[l - 1].name, word(theirs)));
  }
  return fit;
}

// Ours is timed twice where there are rivals, so that the noise of a ratio is known.
void add_ratios(bench_row& row, const bench_run& x, const std::vector<std::uint32_t>& who, const measurement& cold) {
  const auto& ours = cold.milliseconds[0];
  row.cold = summary(ours);
  row.gpu = cold.gpu;
  row.head_start = cold.head_start;
  for (std::size_t i = 1; i < who.size(); ++i) {
    const auto ratio = ratios(ours, cold.milliseconds[i]);
    if (who[i] == 0)
      row.against_itself = ratio;
    else
      row.peers.push_back({x.rivals[who[i] - 1].name, summary(cold.milliseconds[i]).median, ratio});
  }
}

call_result race(bench_run& x, const test_case& t, const std::vector<std::uint32_t>& who, bench_row& row) {
  measurement_plan c{who, 1, cold_copies(x, x.runs.runner().device(), t)};
  const auto pilot = measure(x.runs, t, c);
  if (pilot.found.verdict != verdict_kind::pass) return pilot.found;
  c.repeats = rounds(x, pilot);
  const auto cold = measure(x.runs, t, c);
  if (cold.found.verdict != verdict_kind::pass) return cold.found;
  add_ratios(row, x, who, cold);
  row.warm = row.cold;
  if (c.copies > 1) {
    const auto warm = measure(x.runs, t, {{0}, c.repeats, 1});
    if (warm.found.verdict != verdict_kind::pass) return warm.found;
    row.warm = summary(warm.milliseconds[0]);
  }
  const auto whole = measure(x.runs, t, {{0}, std::min(c.repeats, 7u), 1, true});
  if (whole.found.verdict == verdict_kind::pass) row.with_copies = summary(whole.milliseconds[0]);
  return whole.found;
}

// Recorded with one set of inputs, played with another, so that a record of answers gets no time.
void add_kernel_time(bench_row& row, const bench_run& x, const launcher_spec& c, const problem_size& s,
                     const test_case& t) {
  if (x.o.progress) x.o.progress(fmt::format("timing {} {} without its host code", c.name, s.name()));
  const auto who = oracle_for(c, s);
  const auto fresh = drawn(c, s, x.seed + 1, inputs::real);
  const test_case other{c, s, x.seed + 1, with_scalars_of(t.given(), fresh), who};
  const auto number = [&](int i) -> const test_case& { return i == 0 ? t : other; };
  const auto alone = time_kernels(x.o, x.kernel, c.memory, std::min(x.o.repeats, 15), number);
  row.kernel_only = summary(alone.ms);
  row.operations = alone.why_not.empty() ? alone.summary : "not timed alone: " + alone.why_not;
}

bench_row time_one(bench_run& x, const launcher_spec& c, const problem_size& s) {
  if (x.o.progress) x.o.progress(fmt::format("timing {} {}", c.name, s.name()));
  bench_row row{x.lab.name, x.which.word, c.name, s.name()};
  if (too_large(c, s, x.o)) {
    row.verdict = verdict_kind::skipped;
    row.message = fmt::format("too large for the simulator; to time it nevertheless: --size {}", s.name());
    return row;
  }
  const test_case t{c, s, x.seed, inputs::real, oracle_for(c, s)};
  judged_case one{{case_phase::values, c.name, s, inputs::real}};
  auto who = qualified(x, t, one.found);
  if (who.size() > 1) who.push_back(0);
  if (!who.empty()) one.found = race(x, t, who, row);
  if (one.found.verdict != verdict_kind::pass) {
    const auto failed = as_case(x.lab.name, c, one, x.seed);
    return {x.lab.name, x.which.word, c.name, s.name(), failed.verdict, failed.message};
  }
  if (x.o.kernel_only) add_kernel_time(row, x, c, s, t);
  add_rates(row, c.cost ? c.cost(s) : problem_cost{}, x.ceiling);
  if (x.o.cpu && (!c.cost || c.cost(s).bytes <= most_cpu_bytes)) add_cpu_times(row, c, s, t);
  return row;
}

void time_all(bench_run& x, bench_result& r) {
  x.ceiling = add_device(r, x.runs, x.o);
  for (const auto& c : x.lab.definition.launchers)
    for (const auto& s : sizes_for(c, x.o.sizes, c.time_sizes))
      if (!c.refuses || c.refuses(s).empty()) r.rows.push_back(time_one(x, c, s));
}

// Builds the kernel and its rivals, as far as they can be, and times them.
void compete(const entry& lab, const kernel_variant& which, const bench_options& o, bench_result& r) {
  const auto ours = build_for(lab, which.source, o);
  if (ours.verdict != verdict_kind::pass) {
    r.rows.push_back({lab.name, which.word, {}, {}, ours.verdict, ours.log});
    return;
  }
  std::vector<std::filesystem::path> libraries{ours.library};
  std::vector<rival> rivals;
  for (const auto& one : rivals_of(lab, o)) {
    const auto built = build_for(lab, one.source, o);
    if (built.verdict != verdict_kind::pass || libraries.size() + 1 == protocol::most_libraries) {
      if (o.progress) o.progress(fmt::format("leaving out {}: {}", one.name, word(built.verdict)));
      continue;
    }
    libraries.push_back(built.library);
    rivals.push_back(one);
  }
  bench_run x{lab, which, o, session{o, libraries}, rivals, o.seed ? *o.seed : fresh_seed()};
  if (o.kernel_only && o.backend == backend_kind::cuda)
    x.kernel = {ours.library, build_device_code(lab, which.source, o).library, false};
  time_all(x, r);
}

}  // namespace

bench_result bench(const entry& lab, const kernel_variant& which, const bench_options& o) {
  require_fitting(lab, o.sizes);
  bench_result r{.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                 .backend = std::string{word(o.backend)}};
  try {
    const auto why_not = why_not_here(lab, o);
    if (why_not.empty())
      compete(lab, which, o, r);
    else
      r.rows.push_back({lab.name, which.word, {}, {}, verdict_kind::skipped, why_not});
  } catch (const runner_failure& e) {
    r.rows.push_back({lab.name, which.word, {}, {}, verdict_kind::infra_error, e.what()});
  }
  return r;
}

}  // namespace lab::judge
