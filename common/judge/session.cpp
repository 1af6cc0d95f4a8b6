#include "judge/session.hpp"

#include <sys/random.h>

#include <system_error>

#include "judge/message.hpp"

namespace lab::judge {

session::session(const options& o, std::vector<std::filesystem::path> libraries)
    : options_{o}, libraries_{std::move(libraries)} {}

runner_process& session::runner() {
  if (!runner_)
    runner_ = std::make_unique<runner_process>(
        runner_options{.backend = options_.backend,
                                                                .device = options_.device,
                                                                .libraries = libraries_,
                                                                .memory_bytes = options_.memory_bytes,
                                                                .confine = options_.confine});
  return *runner_;
}

finding session::call(const trial& t, std::uint32_t library, arguments* outputs) {
  try {
    const auto already_printed = runner().output().size();
    const auto moving_s = static_cast<double>(t.where().file_bytes / 200'000'000);  // what copying the arrays may take
    auto f = t.call(runner(), library, ++calls_, options_.timeout_s + moving_s, outputs);
    if (f.verdict != verdict::pass) f.what += printed(std::string_view{runner().output()}.substr(already_printed));
    // After a stray store or an error the device may be unusable until its process ends.
    if (f.verdict != verdict::pass && f.verdict != verdict::wrong_answer) drop_runner();
    return f;
  } catch (const std::runtime_error& e) {
    drop_runner();
    return {verdict::infra_error, std::string{e.what()} + "\n", {}, {}};
  }
}

finding session::call_twice(const trial& t, std::uint32_t library) {
  auto first = call(t, library);
  if (first.verdict != verdict::pass && first.verdict != verdict::wrong_answer) return first;
  const auto second = call(t, library);
  const diagnosis why{
      "nondeterministic",
      "The answer depends on what memory held before, or on which thread came first: look for memory that "
      "is read before it is written, and for a missing __syncthreads()."};
  if ((first.verdict == verdict::pass) == (second.verdict == verdict::pass)) {
    // Wrong both times, but differently: that explains more than no pattern at all.
    const bool differs = first.what != second.what && !first.why.empty() && first.why.front().weak();
    if (differs) first.why = {why};
    return first;
  }
  const auto& wrong = first.verdict == verdict::pass ? second : first;
  if (wrong.verdict != verdict::wrong_answer) return wrong;
  return {verdict::nondeterministic,
          "Of two calls on the same inputs one was right and one was not:\n" + wrong.what,
          wrong.picture,
          {why}};
}

bool ends_the_launcher(verdict v) {
  switch (v) {
    case verdict::crash:
    case verdict::timeout:
    case verdict::memory_limit:
    case verdict::output_limit:
    case verdict::exited_early:
    case verdict::protocol_violation:
    case verdict::compile_error:
    case verdict::infra_error:
      return true;
    default:
      return false;
  }
}

std::uint64_t fresh_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) throw std::system_error(errno, std::generic_category());
  return seed >> 11;  // 53 bits, what every reader of JSON keeps
}

}  // namespace lab::judge
