#include "labs/agreement.hpp"

#include <fmt/format.h>

#include "judge/case_result.hpp"
#include "judge/test_case.hpp"

using namespace lab;

namespace lab_test {

namespace {

constexpr std::uint64_t seed = 1;

struct program {
  const char* name;
  const host_function& function;
};

void judge_program(const judge::test_case& t, const program& p, const std::string& where,
                   std::vector<std::string>& all) {
  auto answer = t.given();
  allocate_outputs(answer);
  p.function(answer);
  const auto before = t.arrays(1);
  const auto found = t.judge(before.view(), t.answered(before.view(), answer));
  if (found.verdict != verdict_kind::pass) all.push_back(fmt::format("{} of {}: {}", p.name, where, found.what));
}

void judge_programs(const launcher_spec& c, const problem_size& s, inputs kind, std::vector<std::string>& all) {
  const judge::test_case t{c, s, seed, kind};
  const judge::case_identity what{.size = s, .kind = kind, .floating = c.floating};
  for (const auto& p :
       {program{"one_thread", c.one_thread}, program{"all_threads", c.all_threads}, program{"fast", c.fast}})
    if (p.function) judge_program(t, p, c.name + " " + what.name(), all);
}

}  // namespace

std::vector<std::string> disagreements(const lab_definition& given) {
  std::vector<std::string> all;
  for (const auto& c : given.launchers)
    for (const auto& s : c.check_sizes) {
      if (refused(c, s)) continue;
      for (const auto kind : kinds_of(c)) judge_programs(c, s, kind, all);
    }
  return all;
}

}  // namespace lab_test
