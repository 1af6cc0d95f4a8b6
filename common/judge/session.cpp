#include "judge/session.hpp"

#include "text/printed_output.hpp"

namespace lab::judge {

session::session(const run_options& options, std::vector<std::filesystem::path> libraries)
    : options_{options}, libraries_{std::move(libraries)}, timeout_s_{options.timeout_s} {}

runner_process& session::runner() {
  if (!runner_) runner_ = std::make_unique<runner_process>(runner_options_of(options_, libraries_));
  return *runner_;
}

call_result session::call(const test_case& test, std::uint32_t library, arguments* outputs) {
  try {
    if (runner().output().size() >= kept_output) drop_runner();  // it would keep nothing of what this call prints
    const auto already_printed = runner().output().size();
    const auto moving_s =
        static_cast<double>(test.where().file_bytes / 200'000'000);  // what copying the arrays may take
    auto f = test.call(runner(), library, ++calls_, timeout_s_ + moving_s, outputs);
    if (f.verdict != verdict_kind::pass)
      f.printed = printed_output(std::string_view{runner().output()}.substr(already_printed),
                                 runner().output().size() >= kept_output);
    // After a stray store or an error the device may be unusable until its process ends.
    if (f.verdict != verdict_kind::pass && f.verdict != verdict_kind::wrong_answer) drop_runner();
    return f;
  } catch (const std::runtime_error& e) {
    drop_runner();
    return {verdict_kind::infra_error, std::string{e.what()} + "\n", {}, {}};
  }
}

call_result session::call_twice(const test_case& test, std::uint32_t library) {
  auto first = call(test, library);
  if (first.verdict != verdict_kind::pass && first.verdict != verdict_kind::wrong_answer) return first;
  const auto second = call(test, library);
  const diagnosis why{
      diagnosis_kind::nondeterministic,
      "The result depends on earlier contents of memory, or on the order of threads. Look for a read of "
      "uninitialised memory, and for a missing __syncthreads()."};
  if ((first.verdict == verdict_kind::pass) == (second.verdict == verdict_kind::pass)) {
    // Wrong both times, but differently: that explains more than no pattern at all.
    const bool differs = first.what != second.what && !first.why.empty() && first.why.front().weak();
    if (differs) first.why = {why};
    return first;
  }
  const auto& wrong = first.verdict == verdict_kind::pass ? second : first;
  if (wrong.verdict != verdict_kind::wrong_answer) return wrong;
  return {.verdict = verdict_kind::nondeterministic,
          .what = "Of two calls on the same inputs one was right and one was not:\n" + wrong.what,
          .picture = wrong.picture,
          .why = {why},
          .printed = wrong.printed,
          .map = wrong.map};
}

bool ends_the_launcher(verdict_kind verdict) {
  switch (verdict) {
    case verdict_kind::crash:
    case verdict_kind::timeout:
    case verdict_kind::memory_limit:
    case verdict_kind::output_limit:
    case verdict_kind::exited_early:
    case verdict_kind::protocol_violation:
    case verdict_kind::compile_error:
    case verdict_kind::infra_error:
      return true;
    default:
      return false;
  }
}

}  // namespace lab::judge
