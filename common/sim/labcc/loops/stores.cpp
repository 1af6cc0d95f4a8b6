#include "sim/labcc/loops/stores.hpp"

namespace lab::sim::loops {

namespace {

// Whether a name may have another value in another thread.
bool differs(const code& c, variables& all, std::size_t t) {
  if (!c.is_identifier(t) || is_one_of(c.words(t - 1), {".", "->"})) return false;
  if (c.words(t) == "threadIdx") return true;
  if (const auto* const v = all.at(t)) return !v->uniform && !v->shared;
  return !is_one_of(c.words(t), {"blockIdx", "blockDim", "gridDim"});
}

bool differs(const code& c, variables& all, range tokens) {
  for (std::size_t t = tokens.first; t < tokens.end; ++t)
    if (differs(c, all, t)) return true;
  return false;
}

// Whether what ends before this token is the same place in all threads: pointer[index], *pointer or a shared variable.
bool is_one_place(const code& c, variables& all, std::size_t end) {
  std::size_t first = end - 1;
  bool brackets = false;
  for (; c.words(first) == "]" || c.words(first - 1) == "."; --first) {
    brackets = brackets || c.words(first) == "]";
    first = c.words(first) == "]" ? c.opening(first) : first - 1;
  }
  const auto* const v = all.at(first);
  if (!v) return c.words(first) == ")";  // *(pointer + index)
  const bool local =
      !v->shared && (v->is_array() || !(brackets || (c.words(first - 1) == "*" && c.is_unary(first - 1))));
  return !local && !differs(c, all, {first, end});
}

}  // namespace

bool stores_in_one_place(const code& c, variables& all, range body) {
  for (std::size_t t = body.first + 1; t < body.end; ++t) {
    const auto last = c.words(t - 1);
    const bool after_place = last == "]" || last == ")" || (c.is_identifier(t - 1) && !c.is_directive(t - 1));
    if (after_place && c.assigns(t) && is_one_place(c, all, t)) return true;
  }
  return false;
}

}  // namespace lab::sim::loops
