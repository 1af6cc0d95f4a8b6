#include "bench/kernel_clock.hpp"

#include <fmt/format.h>

#include <cmath>

#include "build/run_options.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

namespace {

double patience(const run_options& o, const test_case& t) {
  return o.timeout_s + 5 + static_cast<double>(t.where().file_bytes / 200'000'000);  // what copying the arrays may take
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The answers count, and so does that the same operations give them wherever they are done.
std::string objection(const call_result& f) {
  if (f.verdict == verdict_kind::pass) return "";
  if (f.verdict == verdict_kind::skipped) return first_line(f.what);
  return fmt::format("its device code, run without its host code, comes to {}: {}", word(f.verdict),
                     first_line(f.what));
}

}  // namespace

recording_attempt read_recording(std::span<const std::byte> file, std::uint64_t images) {
  try {
    auto recording = replay::from_bytes(file.subspan(images));
    if (recording.images != images) throw replay::malformed("its images are of another size");
    return {.recording = std::move(recording)};
  } catch (const replay::malformed& e) {
    return {.why_not = fmt::format("the record of its operations is not one: {}", e.what()), .forged = true};
  }
}

recording_attempt record(const run_options& o, const std::filesystem::path& library, const test_case& t) {
  const auto images = t.where().file_bytes;
  const auto in = t.arrays(1), out = memory_file::writable(images + replay::most_bytes);
  auto r = t.request(protocol::command::record);
  r.recording_bytes = replay::most_bytes;
  session runs{o, {library}};
  const auto end = runs.runner().ask(r, &in, &out, patience(o, t));
  if (end.verdict == verdict_kind::protocol_violation) return {.why_not = end.detail, .forged = true};
  if (end.verdict != verdict_kind::pass)
    return {.why_not = fmt::format("recorded, it comes to {}: {}", word(end.verdict), first_line(end.detail))};
  if (!end.detail.empty()) return {.why_not = first_line(end.detail)};
  return read_recording(copy_of(out).view(), images);
}

call_result replay(session& runs, const test_case& t, const replay_settings& p, unsigned number) {
  const auto bytes = replay::to_bytes(p.recording);
  const auto in = t.arrays(number, bytes), out = memory_file::writable(t.where().file_bytes);
  auto r = t.request(protocol::command::replay);
  r.recording_bytes = bytes.size();
  r.untrusted = p.untrusted;
  const auto end = runs.runner().ask(r, &in, &out, p.timeout_s);
  if (end.verdict != verdict_kind::pass) {
    runs.drop_runner();
    return {end.verdict, end.detail, {}, {}};
  }
  if (!end.detail.empty()) return {verdict_kind::skipped, end.detail, {}, {}};
  auto f = t.judge(in.view().first(t.where().file_bytes), copy_of(out).view());
  f.ms = end.reply.milliseconds[0][0];
  if (end.reply.samples != 1 || !std::isfinite(f.ms) || f.ms <= 0)
    return {verdict_kind::infra_error, "the runner reported no time", {}, {}};
  return f;
}

test_cases fresh_test_cases(const launcher_spec& c, const problem_size& s, std::uint64_t seed, oracle who) {
  struct state {
    arguments recorded;
    std::unique_ptr<test_case> now;
  };
  return [&c, s, seed, who, all = std::make_shared<state>()](int number) -> const test_case& {
    auto given = drawn(c, s, seed + static_cast<unsigned>(number), inputs::real);
    if (number == 0)
      all->recorded = given;
    else
      given = with_scalars_of(all->recorded, std::move(given));
    all->now.reset();  // two at a time would take twice the memory
    all->now = std::make_unique<test_case>(c, s, seed + static_cast<unsigned>(number), std::move(given), who);
    return *all->now;
  };
}

kernel_times time_kernels(const run_options& o, const built_twice& kernel, memory_space where, int calls,
                          const test_cases& number) {
  if (o.backend == backend_kind::sim) return {.why_not = "there is no GPU whose work could be timed alone"};
  if (kernel.device_code.empty()) return {.why_not = "its device code does not build by itself"};
  if (where == memory_space::host) return {.why_not = "the launcher copies its arrays by itself"};
  try {
    const auto known = record(o, kernel.library, number(0));
    if (!known.why_not.empty()) return {.why_not = known.why_not, .forged = known.forged};
    kernel_times all{.summary = replay::summary(known.recording)};
    session runs{o, {kernel.device_code}};
    for (int i = 0; i <= calls; ++i) {
      const auto& t = number(i + 1);
      const auto f = replay(runs, t, {known.recording, kernel.untrusted, patience(o, t)}, static_cast<unsigned>(i));
      if (f.verdict != verdict_kind::pass) return {.why_not = objection(f), .summary = all.summary};
      if (i > 0) all.ms.push_back(f.ms);
    }
    return all;
  } catch (const runner_failure& e) {
    return {.why_not = first_line(e.what())};
  }
}

arguments with_scalars_of(const arguments& recorded, arguments fresh) {
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (fresh[i].role == parameter_role::scalar) fresh[i].bytes = recorded[i].bytes;
  return fresh;
}

}  // namespace lab::judge
