#include "sim/labcc/analysis/statements.hpp"

namespace lab::sim::loops {

namespace {

class parser {
 public:
  explicit parser(const code& source) : c_{source} {}

  std::vector<statement> sequence(std::size_t t, std::size_t end) {
    std::vector<statement> all;
    while (t < end) {
      all.push_back(one(t));
      t = all.back().all.end;
    }
    if (t != end) throw declined{};
    return all;
  }

 private:
  // Pragmas belong to the statement that follows.
  std::size_t skip_pragmas(std::size_t t) const {
    while (c_.is_directive(t)) {
      if (c_.words(t) == "#" && c_.words(t + 1) != "pragma") throw declined{};
      ++t;
    }
    return t;
  }

  statement one(std::size_t first) {
    statement s;
    s.begin = skip_pragmas(first);
    s.all = {first, s.begin};
    const auto w = c_.words(s.begin);
    if (w.empty() || w == "}" || w == "else" || w == "case" || w == "default") throw declined{};
    if (w == "{")
      compound(s);
    else if (w == "if")
      branch(s);
    else if (w == "for")
      loop(s, statement::kind::counted);
    else if (w == "while")
      loop(s, statement::kind::repeated);
    else if (w == "do")
      do_loop(s);
    else if (w == "switch")
      choice(s);
    else
      simple(s);
    for (std::size_t t = s.begin; t < s.all.end; ++t)
      if (c_.is_directive(t) && c_.words(t) == "#" && c_.words(t + 1) != "pragma") throw declined{};
    return s;
  }

  static void take(statement& s, statement&& inner, bool keeps_jumps) {
    s.has_barrier = s.has_barrier || inner.has_barrier;
    s.leaves = s.leaves || (inner.leaves && !keeps_jumps);
    s.returns = s.returns || inner.returns;
    s.inner.push_back(std::move(inner));
  }

  void compound(statement& s) {
    s.what = statement::kind::compound;
    const std::size_t end = c_.closing(s.begin);
    for (auto& inner : sequence(s.begin + 1, end)) take(s, std::move(inner), false);
    s.all.end = end + 1;
  }

  std::size_t read_header(statement& s, std::size_t open) {
    if (c_.words(open) != "(") throw declined{};
    const std::size_t close = c_.closing(open);
    s.header = {open + 1, close};
    return close + 1;
  }

  void branch(statement& s) {
    s.what = statement::kind::branch;
    const std::size_t open = s.begin + (c_.words(s.begin + 1) == "constexpr" ? 2 : 1);
    auto then = one(read_header(s, open));
    s.all.end = then.all.end;
    take(s, std::move(then), false);
    if (c_.words(s.all.end) != "else" || c_.is_directive(s.all.end)) return;
    auto other = one(s.all.end + 1);
    s.all.end = other.all.end;
    take(s, std::move(other), false);
  }

  void loop(statement& s, statement::kind what) {
    s.what = what;
    auto body = one(read_header(s, s.begin + 1));
    s.all.end = body.all.end;
    take(s, std::move(body), true);
  }

  void do_loop(statement& s) {
    s.what = statement::kind::repeated;
    auto body = one(s.begin + 1);
    const std::size_t end = body.all.end;
    take(s, std::move(body), true);
    if (c_.words(end) != "while") throw declined{};
    s.all.end = read_header(s, end + 1) + 1;
    if (c_.words(s.all.end - 1) != ";") throw declined{};
  }

  // Its cases are no statements, so it stays whole.
  void choice(statement& s) {
    const std::size_t body = read_header(s, s.begin + 1);
    if (c_.words(body) != "{") throw declined{};
    s.all.end = c_.closing(body) + 1;
    for (std::size_t t = body; t < s.all.end; ++t) {
      if (c_.words(t) == "continue" || c_.words(t).find("sync") != std::string_view::npos) throw declined{};
      s.returns = s.returns || c_.words(t) == "return";
    }
  }

  void simple(statement& s) {
    const auto w = c_.words(s.begin);
    if (c_.words(s.begin + 1) == ":" && c_.is_identifier(s.begin)) throw declined{};  // a label
    std::size_t t = s.begin;
    for (; c_.words(t) != ";"; ++t) {
      if (t >= c_.size()) throw declined{};
      if (const auto b = c_.words(t); b == "(" || b == "[" || b == "{") t = c_.closing(t);
      if (c_.words(t) == "}" && c_.words(t + 1) != ";" && c_.words(t + 1) != ",") throw declined{};
    }
    s.all.end = t + 1;
    if (c_.end_of_barrier(s.begin) == s.all.end) {
      s.what = statement::kind::barrier;
      s.has_barrier = true;
    }
    if (w == "break" || w == "continue" || w == "return") {
      s.what = statement::kind::jump;
      s.returns = w == "return";
      s.leaves = !s.returns;
    }
  }

  const code& c_;
};

}  // namespace

std::vector<statement> parse_body(const code& source, std::size_t open_brace) {
  return parser{source}.sequence(open_brace + 1, source.closing(open_brace));
}

}  // namespace lab::sim::loops
