#include "sim/labcc/loops/inlining.hpp"

#include <algorithm>
#include <optional>

#include "sim/labcc/loops/expansion.hpp"

namespace lab::sim::loops {

namespace {

using kind = statement::kind;

constexpr std::size_t most_expansions = 40;  // of a kernel, so that a function that calls itself ends

const statement* plain_around(const std::vector<statement>& sequence, std::size_t t) {
  for (const auto& s : sequence) {
    if (!s.all.contains(t)) continue;
    return s.what == kind::plain ? &s : plain_around(s.inner, t);
  }
  return nullptr;
}

// One kernel of a source, and the calls in it.
class calling_kernel {
 public:
  calling_kernel(const code& c, std::size_t number) : c_{c}, all_{c, {}}, body_{c.kernel_body(number)} {}

  /// Expands the first call of a function that waits. Returns nothing if there is none.
  std::optional<std::string> expand(std::size_t number, std::set<std::string>& placed) const {
    for (std::size_t t = body_.first; t < body_.end; ++t)
      if (const auto call = waiting_call(t)) return expand(*call, number, placed);
    return std::nullopt;
  }

 private:
  std::optional<call_of_function> waiting_call(std::size_t t) const {
    if (!c_.is_identifier(t) || c_.is_directive(t) || !all_.definitions(c_.words(t))) return std::nullopt;
    if (is_one_of(c_.words(t - 1), {".", "->", "::"}) || !waits(c_, all_, c_.words(t))) return std::nullopt;
    call_of_function call;
    std::size_t open = t + 1;
    if (c_.words(open) == "<" && c_.after_template(open) != c_.npos) {
      open = c_.after_template(open);
      call.types = {t + 2, open - 1};
    }
    if (c_.words(open) != "(") throw declined{};
    call.arguments = {open + 1, c_.closing(open)};
    call.all = {t, call.arguments.end + 1};
    return call;
  }

  std::string expand(const call_of_function& call, std::size_t number, std::set<std::string>& placed) const {
    const auto* const definitions = all_.definitions(c_.words(call.all.first));
    if (definitions->size() != 1 || definitions->front().end == 0) throw declined{};
    const callee function{c_, definitions->front()};
    const auto body = parse_body(c_, body_.first);
    const auto* const around = plain_around(body, call.all.first);
    if (!around || c_.words(around->begin) == "switch") throw declined{};
    require_always(*around);
    variables alone{c_, all_, {}}, caller{c_, all_, {}};
    const bool is_declaration = alone.add({around->begin, around->all.end}, around->all);
    const range whole{around->begin, around->all.end - 1};
    if (is_declaration ? alone.all().size() > 1 : list_parts(c_, whole).size() > 1) throw declined{};
    caller.add_parameters({c_.opening(body_.first - 1) + 1, body_.first - 1}, body_);
    declare_all(c_, caller, body);
    edits out{c_.source()};
    expansion{c_, all_, function, caller, number}.write(call, *around, is_declaration, body_.first, placed, out);
    return out.apply();
  }

  // The statement must make its calls in any case.
  void require_always(const statement& s) const {
    for (std::size_t t = s.begin; t < s.all.end; ++t) {
      const auto w = c_.words(t);
      const bool twice = c_.touches_next(t) && c_.words(t + 1) == w;
      if (w == "?" || w == "&&" || w == "||" || (twice && (w == "&" || w == "|"))) throw declined{};
    }
  }

  const code& c_;
  const functions all_;
  range body_;
};

}  // namespace

inlined inline_waiting_functions(std::string_view source, const std::set<std::size_t>& left) {
  inlined all{std::string{source}, {}};
  const std::size_t kernels = code{source}.kernels().size();
  for (std::size_t k = 0; k < kernels; ++k) {
    if (left.contains(k)) continue;
    const std::string before = all.text;
    std::set<std::string> placed;
    try {
      for (std::size_t number = 0;; ++number) {
        if (number > most_expansions) throw declined{};
        const code now{all.text};
        auto next = calling_kernel{now, k}.expand(number, placed);
        if (!next) break;
        all.text = std::move(*next);
        all.kernels.insert(k);
      }
    } catch (const declined&) {
      all.text = before;
      all.kernels.erase(k);
    }
  }
  return all;
}

}  // namespace lab::sim::loops
