#include "trace/traced_call.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "diagnosis/mismatch_message.hpp"
#include "protocol/launcher_call.hpp"

namespace lab::judge {

namespace {

constexpr std::size_t longest_report = 16 << 20;
constexpr double writing_s = 10;  // what a report may take; finding source lines takes most of it

descriptor empty_file() {
  descriptor file{memfd_create("lab-report", MFD_CLOEXEC)};
  if (!file) throw std::system_error(errno, std::generic_category(), "making a file for the report");
  return file;
}

std::string text_of(const descriptor& file) {
  struct stat about {};
  if (fstat(file.get(), &about) != 0) throw std::system_error(errno, std::generic_category(), "reading the report");
  std::string text(std::min(longest_report, static_cast<std::size_t>(about.st_size)), '\0');
  std::size_t have = 0;
  for (ssize_t got = 1; got > 0 && have < text.size(); have += static_cast<std::size_t>(got)) {
    got = pread(file.get(), text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0) throw std::system_error(errno, std::generic_category(), "reading the report");
  }
  text.resize(have);
  return text;
}

std::string names_of_arrays(const launcher_spec& launcher, const arguments& given, std::string message) {
  if (launcher.memory == memory_space::host) return message;
  for (std::size_t p = 0, serial = 0; p < given.size(); ++p) {
    if (given[p].role == parameter_role::scalar) continue;
    const auto made = "allocation " + std::to_string(++serial) + " (cudaMalloc, ";
    if (const auto at = message.find(made); at != std::string::npos)
      message.replace(at, made.size(), "`" + launcher.parameters[p] + "` (");
  }
  return message;
}

// The first element that two schedules leave different; empty if there is none.
std::string difference(const launcher_spec& launcher, const arguments& a, const arguments& b) {
  for (std::size_t p = 0; p < std::min(a.size(), b.size()); ++p) {
    const auto differ = std::ranges::mismatch(a[p].bytes, b[p].bytes).in1;
    if (differ == a[p].bytes.end()) continue;
    const auto element = (differ - a[p].bytes.begin()) / static_cast<std::ptrdiff_t>(bytes_of(a[p].type));
    return place(launcher.parameters[p], a[p].shape, element);
  }
  return "";
}

// `call` calls the launcher, once or several times, and fills in what a call came to.
template <class Call>
void run(traced_call& traced, const launcher_spec& launcher, const trace_options& options, const Call& call) {
  const auto report = empty_file();
  runner_process runner{{.backend = backend_kind::sim,
                         .libraries = {options.library},
                         .confine = options.confine,
                         .report = report.get(),
                         .only_coverage = options.only_coverage,
                         .kernel_limit_s = options.kernel_limit_s,
                         .sample = options.sample,
                         .sampled_blocks = options.sampled_blocks,
                         .schedule = options.schedule}};
  call(runner);
  runner.finish(writing_s);
  const auto text = text_of(report);
  if (text.empty()) return;
  traced.report = parse_report(text);
  traced.reported = true;
  for (auto& hazard : traced.report.hazards) hazard.message = names_of_arrays(launcher, traced.given, hazard.message);
}

template <class Call>
traced_call traced(const launcher_spec& launcher, const trace_options& options, const Call& call) {
  traced_call t;
  try {
    run(t, launcher, options, [&](runner_process& runner) { call(runner, t); });
  } catch (const nlohmann::json::exception&) {
    t.verdict = verdict_kind::protocol_violation;
    t.detail = "the traced program left something that is not a report";
  } catch (const std::runtime_error& e) {
    t.verdict = verdict_kind::infra_error;
    t.detail = e.what();
  }
  return t;
}

void keep_end(traced_call& t, const outcome& end) { t.verdict = end.verdict, t.detail = end.detail; }

}  // namespace

double estimated_accesses(const launcher_spec& launcher, const problem_size& size) {
  const auto cost = cost_at(launcher, size);
  return cost.bytes / 4 + cost.operations;
}

traced_call trace(const launcher_spec& launcher, const problem_size& size, const trace_options& options) {
  return trace_in_turn(launcher, {size}, options);
}

traced_call trace(const launcher_spec& launcher, const discarded_arrays& arrays, const trace_options& options) {
  return traced(launcher, options, [&](runner_process& runner, traced_call& t) {
    keep_end(t, call_without_outputs(runner, launcher, arrays, options.timeout_s));
  });
}

traced_call trace_in_turn(const launcher_spec& launcher, const std::vector<problem_size>& sizes,
                          const trace_options& options) {
  return traced(launcher, options, [&](runner_process& runner, traced_call& t) {
    for (const auto& size : sizes) {
      t.given = drawn(launcher, size, options.seed, inputs::lattice);
      const auto layout = lay_out(t.given, zones::bare);
      auto call = call_unjudged(runner, launcher, t.given, layout, options.seed, options.timeout_s);
      keep_end(t, call.end);
      t.outputs = std::move(call.outputs);
      if (t.verdict != verdict_kind::pass) break;
    }
  });
}

bool same_place(const hazard& one, const hazard& other) {
  return one.kind == other.kind && one.kernel == other.kernel && one.file == other.file && one.line == other.line &&
         one.other_line == other.other_line && one.other_file == other.other_file;
}

void add_schedule(traced_call& call, const traced_call& other, const launcher_spec& launcher, unsigned schedule) {
  auto& known = call.report.hazards;
  for (auto h : other.report.hazards) {
    if (std::ranges::any_of(known, [&](const hazard& k) { return same_place(k, h); })) continue;
    h.message += fmt::format("; not in every order of blocks and warps, but in schedule {}", schedule);
    known.push_back(std::move(h));
  }
  const bool told = std::ranges::any_of(known, [](const hazard& found) { return found.kind == "schedule_dependent"; });
  const auto where = told || launcher.allow.inexact_lattice ? "" : difference(launcher, call.outputs, other.outputs);
  if (where.empty()) return;
  hazard h{.kind = "schedule_dependent", .severity = "error"};
  if (const auto& all = call.report.launches; !all.empty() && !all.back().lines.empty()) {
    h.kernel = all.back().kernel;
    h.file = all.back().lines.front().file;
  }
  h.message = fmt::format("the result depends on the order of blocks and warps: {} differs in schedules 0 and {}",
                          where, schedule);
  known.push_back(std::move(h));
}

}  // namespace lab::judge
