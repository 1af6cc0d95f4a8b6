#include "judge/kernel_clock.hpp"

#include <fmt/format.h>

#include <cmath>

#include "judge/verdict.hpp"

namespace lab::judge {

namespace {

double patience(const options& o, const trial& t) {
  return o.timeout_s + 5 + static_cast<double>(t.where().file_bytes / 200'000'000);  // what copying the arrays may take
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The answers count, and so does that the same operations give them wherever they are done.
std::string objection(const finding& f) {
  if (f.verdict == verdict::pass) return "";
  if (f.verdict == verdict::skipped) return first_line(f.what);
  return fmt::format("its device code, run without its host code, comes to {}: {}", word(f.verdict),
                     first_line(f.what));
}

}  // namespace

taping read_tape(std::span<const std::byte> file, std::uint64_t images) {
  try {
    auto tape = tape::from_bytes(file.subspan(images));
    if (tape.images != images) throw tape::malformed("its images are of another size");
    return {.tape = std::move(tape)};
  } catch (const tape::malformed& e) {
    return {.why_not = fmt::format("the record of its operations is not one: {}", e.what()), .forged = true};
  }
}

taping record(const options& o, const std::filesystem::path& library, const trial& t) {
  const auto images = t.where().file_bytes;
  const auto in = t.images(1), out = memory_file::writable(images + tape::most_bytes);
  auto r = t.request(protocol::command::record);
  r.tape_bytes = tape::most_bytes;
  session runs{o, {library}};
  const auto end = runs.runner().ask(r, &in, &out, patience(o, t));
  if (end.verdict == verdict::protocol_violation) return {.why_not = end.detail, .forged = true};
  if (end.verdict != verdict::pass)
    return {.why_not = fmt::format("recorded, it comes to {}: {}", word(end.verdict), first_line(end.detail))};
  if (!end.detail.empty()) return {.why_not = first_line(end.detail)};
  return read_tape(copy_of(out).view(), images);
}

finding play(session& runs, const trial& t, const playing& p, unsigned number) {
  const auto bytes = tape::to_bytes(p.tape);
  const auto in = t.images(number, bytes), out = memory_file::writable(t.where().file_bytes);
  auto r = t.request(protocol::command::replay);
  r.tape_bytes = bytes.size();
  r.wary = p.wary;
  const auto end = runs.runner().ask(r, &in, &out, p.timeout_s);
  if (end.verdict != verdict::pass) {
    runs.drop_runner();
    return {end.verdict, end.detail, {}, {}};
  }
  if (!end.detail.empty()) return {verdict::skipped, end.detail, {}, {}};
  auto f = t.judge(in.view().first(t.where().file_bytes), copy_of(out).view());
  f.ms = end.reply.milliseconds[0][0];
  if (end.reply.samples != 1 || !std::isfinite(f.ms) || f.ms <= 0)
    return {verdict::infra_error, "the runner reported no time", {}, {}};
  return f;
}

trials fresh_trials(const contract& c, const size& s, std::uint64_t seed, oracle who) {
  struct state {
    arguments recorded;
    std::unique_ptr<trial> now;
  };
  return [&c, s, seed, who, all = std::make_shared<state>()](int number) -> const trial& {
    auto given = drawn(c, s, seed + static_cast<unsigned>(number), inputs::real);
    if (number == 0)
      all->recorded = given;
    else
      given = with_scalars_of(all->recorded, std::move(given));
    all->now.reset();  // two at a time would take twice the memory
    all->now = std::make_unique<trial>(c, s, seed + static_cast<unsigned>(number), std::move(given), who);
    return *all->now;
  };
}

kernel_times time_kernels(const options& o, const built_twice& kernel, memory where, int calls, const trials& number) {
  if (o.backend == backend::sim) return {.why_not = "there is no GPU whose work could be timed alone"};
  if (kernel.device_code.empty()) return {.why_not = "its device code does not build by itself"};
  if (where == memory::host) return {.why_not = "the launcher copies its arrays by itself"};
  try {
    const auto known = record(o, kernel.library, number(0));
    if (!known.why_not.empty()) return {.why_not = known.why_not, .forged = known.forged};
    kernel_times all{.summary = tape::summary(known.tape)};
    session runs{o, {kernel.device_code}};
    for (int i = 0; i <= calls; ++i) {
      const auto& t = number(i + 1);
      const auto f = play(runs, t, {known.tape, kernel.strangers, patience(o, t)}, static_cast<unsigned>(i));
      if (f.verdict != verdict::pass) return {.why_not = objection(f), .summary = all.summary};
      if (i > 0) all.ms.push_back(f.ms);
    }
    return all;
  } catch (const runner_failure& e) {
    return {.why_not = first_line(e.what())};
  }
}

arguments with_scalars_of(const arguments& recorded, arguments fresh) {
  for (std::size_t i = 0; i < fresh.size(); ++i)
    if (fresh[i].role == role::scalar) fresh[i].bytes = recorded[i].bytes;
  return fresh;
}

}  // namespace lab::judge
