#pragma once

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/mismatch_message.hpp"
#include "protocol/runner_process.hpp"

namespace lab::judge {

/// What one call of a launcher came to.
struct call_result {
  verdict_kind verdict = verdict_kind::pass;
  std::string what;  ///< what is wrong and where; several lines
  std::string picture;
  diagnoses why;
  bool sporadic = false;  ///< few elements are wrong, and those were written
  std::string printed{};  ///< what the kernel printed, for the message
  double ms = 0;          ///< from before the runner could know the inputs until the judge owned the outputs
  element_map map{};      ///< the picture as data
};

/// Who computes the expected outputs: the lab's reference, or, where that takes minutes, its fastest CPU program.
enum class oracle { reference, fastest };
oracle oracle_for(const launcher_spec& launcher, const problem_size& size);

/// One case: a launcher, a size, inputs drawn from a seed, and the outputs they must give.
class test_case {
 public:
  test_case(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind,
            oracle who = oracle::reference);

  /// The same for inputs that the caller brings; they must have the shapes that the lab makes at this size.
  test_case(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, arguments given, oracle who);

  const arguments& given() const { return given_; }

  /// Calls the launcher once, on poison of its own, and judges what came back. `number` is that of the call; `outputs`,
  /// if given, receives what the launcher left in its outputs, or nothing if it did not return.
  call_result call(runner_process& runner, std::uint32_t library, unsigned number, double timeout_s,
                   arguments* outputs = nullptr) const;

  /// The request for a call or a measurement of this case.
  protocol::request request(protocol::command what) const;
  const array_layout& where() const { return layout_; }

  /// Places the arrays in another way from now on.
  void place(zones around) { layout_ = lay_out(given_, around); }
  memory_file arrays(unsigned number, std::span<const std::byte> more = {}) const;

  /// What comes back from a launcher that leaves these outputs and nothing else.
  std::vector<std::byte> answered(std::span<const std::byte> before, const arguments& answer) const;

  /// Whether judge() would pass them, without looking for the cause if not.
  bool accepts(std::span<const std::byte> before, std::span<const std::byte> after) const;

  /// Judges the arrays that came back.
  call_result judge(std::span<const std::byte> before, std::span<const std::byte> after) const;

 private:
  test_case(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind, arguments given,
            oracle who);
  bool must_refuse() const { return !refusal_.empty(); }
  mismatch mismatch_for(std::size_t parameter, const comparison& compared, std::span<const std::byte> before,
                        std::span<const std::byte> after) const;
  call_result judge_stray(const stray_store& store, std::span<const std::byte> before,
                          std::span<const std::byte> after) const;
  call_result judge_refusing_error(const std::string& detail) const;
  call_result judge_refusal(std::span<const std::byte> before, std::span<const std::byte> after) const;
  /// The first output that is not right, and how.
  std::optional<std::pair<std::size_t, comparison>> wrong_output(std::span<const std::byte> before,
                                                                 std::span<const std::byte> after) const;
  call_result judge_outputs(std::span<const std::byte> before, std::span<const std::byte> after) const;

  const launcher_spec& launcher_;
  std::uint64_t seed_;
  inputs kind_;
  std::string refusal_;
  double operations_;
  tolerance allow_;
  arguments given_, expected_, magnitude_;
  array_layout layout_;
};

}  // namespace lab::judge
