#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lab::judge {

namespace {

using clock = std::chrono::steady_clock;
constexpr double measure_timeout_s = 240;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool in_place(const arguments& all) {
  return std::ranges::any_of(all, [](const argument& a) { return a.role == parameter_role::in_out; });
}

double run_once(const host_function& f, arguments& all) {
  const auto begin = clock::now();
  f(all);
  return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

}  // namespace

samples summary(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return {};
  std::ranges::sort(milliseconds);
  const auto last = static_cast<double>(milliseconds.size() - 1);
  const auto p95 = static_cast<std::size_t>(std::ceil(0.95 * last));
  return {median(milliseconds), milliseconds.front(), milliseconds[p95], static_cast<int>(milliseconds.size())};
}

samples ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] > 0) all.push_back(b[i] / a[i]);
  return summary(all);
}

measurement measure(session& runs, const test_case& t, const measurement_plan& c) {
  const auto in = t.arrays(c.repeats), out = memory_file::writable(t.where().file_bytes);
  auto r = t.request(protocol::command::measure);
  r.libraries = static_cast<std::uint32_t>(c.libraries.size());
  std::ranges::copy(c.libraries, r.library);
  r.repeats = c.repeats;
  r.copies = c.copies;
  r.with_copies = c.with_copies;
  const auto o = runs.runner().ask(r, &in, &out, measure_timeout_s);
  measurement m;
  if (o.verdict != verdict_kind::pass) {
    runs.drop_runner();
    m.found = {o.verdict, o.detail + "\n", {}, {}};
    return m;
  }
  for (std::size_t l = 0; l < c.libraries.size(); ++l)
    m.milliseconds.emplace_back(o.reply.milliseconds[l], o.reply.milliseconds[l] + o.reply.samples);
  m.gpu = o.reply.gpu;
  m.head_start = o.reply.head_start != 0;
  for (const auto& one : m.milliseconds)
    if (!std::ranges::all_of(one, [](double ms) { return ms >= 0 && std::isfinite(ms); }))
      m.found = {verdict_kind::protocol_violation, "it reported a time that is not a number\n", {}, {}};
  // After many calls an array that is updated in place holds anything.
  if (m.found.verdict == verdict_kind::pass && !in_place(t.given())) m.found = t.judge(in.view(), copy_of(out).view());
  if (m.found.verdict == verdict_kind::wrong_answer) m.found.verdict = verdict_kind::nondeterministic;
  return m;
}

double measure_ceiling(session& runs, std::uint64_t bytes, unsigned repeats) {
  protocol::request r{};
  r.what = protocol::command::ceiling;
  r.repeats = repeats;
  r.file_bytes = bytes;
  const auto o = runs.runner().ask(r, nullptr, nullptr, measure_timeout_s);
  if (o.verdict != verdict_kind::pass) {
    runs.drop_runner();
    return 0;
  }
  const double ms = median({o.reply.milliseconds[0], o.reply.milliseconds[0] + o.reply.samples});
  return ms > 0 ? 2.0 * static_cast<double>(bytes) / ms / 1e6 : 0;
}

double time_on_cpu(const host_function& f, const arguments& given) {
  if (!f) return 0;
  auto all = given;
  allocate_outputs(all);
  const double warm_up = run_once(f, all);
  if (warm_up > 3000) return warm_up;
  std::vector<double> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(run_once(f, all));
  return median(runs);
}

}  // namespace lab::judge
