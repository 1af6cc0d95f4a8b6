#include "sim/labcc/loops/thread_loops.hpp"

#include <algorithm>

#include "sim/labcc/loops/emitter.hpp"
#include "sim/labcc/loops/exchange.hpp"
#include "sim/labcc/loops/inlining.hpp"
#include "sim/labcc/loops/stores.hpp"

// A kernel's statements between barriers become loops over the threads of the block:
//   { LAB_SIM_THREAD_LOOPS; LAB_SIM_EACH_THREAD { LAB_SIM_THREAD; first; } LAB_SIM_EACH_THREAD { LAB_SIM_THREAD;
//   second; } }
// The kernel's function then runs all threads of a block at once. include/lab_sim/thread_loops.h has the macros.

namespace lab::sim {

namespace {

using namespace loops;

std::set<std::string_view> template_parameters(const code& source, std::size_t kernel) {
  std::set<std::string_view> names;
  std::size_t t = source.statement_start(kernel);
  if (source.words(t) != "template" || source.words(t + 1) != "<") return names;
  const std::size_t end = source.after_template(t + 1);
  for (; t < end && end != source.npos; ++t)
    if (source.is_identifier(t)) names.insert(source.words(t));
  return names;
}

void kernel(const code& source, functions& all, std::size_t position, bool by_turns, edits& out) {
  std::size_t body = position;
  while (source.words(body) != "{" && source.words(body) != ";" && body < source.size()) ++body;
  if (source.words(body) != "{" || source.words(body - 1) != ")") return;
  const std::size_t open = source.opening(body - 1), end = source.closing(body);
  const auto types = template_parameters(source, position);
  const bool reports = all.check({body, end}, types, true) || all.read_index();
  variables found{source, all, types};
  found.add_parameters({open + 1, body - 1}, {body, end});
  const auto statements = parse_body(source, body);
  plan how{source, found, statements, {body, end}, by_turns};
  const bool in_order = stores_in_one_place(source, found, {body, end});
  emitter{source, found, how, out}.write({body, end}, reports, in_order);
}

// Whether the kernel became loops. It keeps its usual form otherwise.
bool attempt(const code& source, functions& all, std::size_t position, edits& out) {
  for (const bool by_turns : {true, false}) {
    try {
      kernel(source, all, position, by_turns, out);
      return true;
    } catch (const declined&) {
      continue;
    }
  }
  return false;
}

struct outcome {
  std::optional<std::string> text;
  std::set<std::size_t> declined;  // kernels
};

outcome attempt_all(std::string_view text, hidden_code elsewhere, const std::set<std::size_t>& left) {
  const code source{text};
  functions all{source, elsewhere};
  edits out{text};
  outcome result;
  const auto kernels = source.kernels();
  for (std::size_t k = 0; k < kernels.size(); ++k)
    if (left.contains(k) || !attempt(source, all, kernels[k], out)) result.declined.insert(k);
  if (!out.empty()) result.text = out.apply();
  return result;
}

}  // namespace

std::optional<std::string> thread_loops(std::string_view text, hidden_code elsewhere,
                                        const std::set<std::size_t>& left) {
  if (text.find("__global__") == text.npos) return std::nullopt;
  try {
    auto calling = left;
    for (;;) {
      const auto inlined = inline_waiting_functions(text, calling);
      const auto exchanging = exchange_by_barriers(inlined.text, calling);
      auto all = attempt_all(exchanging.text, elsewhere, left);
      const auto before = calling.size();
      for (const auto number : all.declined)  // it waits as it is written
        if (inlined.kernels.contains(number) || exchanging.kernels.contains(number)) calling.insert(number);
      if (calling.size() == before) return all.text;
    }
  } catch (const declined&) {
    return std::nullopt;
  }
}

std::vector<line_range> kernel_lines(std::string_view text) {
  std::vector<line_range> all;
  try {
    const code source{text};
    const auto line = [&](std::size_t t) {
      const auto before = text.substr(0, source.tokens()[t].begin);
      return static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    };
    for (const std::size_t t : source.kernels()) {
      std::size_t body = t;
      while (body + 1 < source.size() && !is_one_of(source.words(body), {"{", ";"})) ++body;
      all.push_back({line(t), line(source.words(body) == "{" ? source.closing(body) : body)});
    }
  } catch (const declined&) {
    return {};
  }
  return all;
}

hidden_code code_outside_kernels(std::string_view text) {
  if (text.find("threadIdx") == text.npos && text.find("operator") == text.npos) return {};
  try {
    const code source{text};
    const functions all{source, {}};
    return {all.any_reads_index(), all.operators_act()};
  } catch (const declined&) {
    return {true, true};
  }
}

}  // namespace lab::sim
