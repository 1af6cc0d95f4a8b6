#include "sim/labcc/ptx/ptx.hpp"
#include "sim/labcc/rewriter/rewriter.hpp"
#include "sim/labcc/rewriter/unsupported.hpp"

// asm statements in PTX. Their operands stay in place, so that lines and columns do not change:
//   asm volatile("text" : "=r"(d) : "r"(a) : "memory")
// becomes
//   ::lab_sim::ptx::operands(d, a) = [&](auto&& _0, auto&& _1) { calls }

namespace lab::sim {

namespace {

// The text that a string literal stands for.
std::string unquoted(std::string_view literal) {
  if (const auto raw = literal.find("R\""); raw == 0) {
    const auto open = literal.find('('), close = literal.rfind(')');
    return std::string{literal.substr(open + 1, close - open - 1)};
  }
  std::string text;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) {
      const char c = literal[++i];
      text += c == 'n' || c == 'r' || c == '\n' ? '\n' : c == 't' ? '\t' : c;
    } else {
      text += literal[i];
    }
  }
  return text;
}

// An empty text whose operand is in a register that a CPU lacks: asm volatile("" : "+f"(x)).
bool is_register_of_ptx(std::string_view constraint) {
  return constraint == "\"+f\"" || constraint == "\"+h\"" || constraint == "\"+l\"" || constraint == "\"+d\"";
}

}  // namespace

// The parts of the statement at this position; nothing if it has another form, or no PTX.
std::optional<rewriter::statement_in_ptx> rewriter::ptx_at(std::size_t position) const {
  statement_in_ptx s;
  s.open = position + 1;
  while (s.open < tokens_.size() && tokens_[s.open].kind == token_kind::identifier) ++s.open;
  if (s.open + 1 >= tokens_.size() || tokens_[s.open].words != "(") return std::nullopt;
  bool ptx = false;
  std::size_t t = s.open + 1;
  for (; t < tokens_.size() && tokens_[t].kind == token_kind::text; ++t) {
    ptx = ptx || is_ptx(tokens_[t].words);
    s.text += unquoted(tokens_[t].words);
  }
  if (!ptx && !(s.text.empty() && t + 3 < tokens_.size() && is_register_of_ptx(tokens_[t + 1].words)))
    return std::nullopt;
  s.close = closing(s.open);
  // Outputs follow the first colon, inputs the second; `::` is both. What follows the third has no operands.
  for (int colons = 0; t < s.close && colons < 2;) {
    if (tokens_[t].words != ":" && tokens_[t].words != "::") s.well_formed = false;
    colons += tokens_[t].words == "::" ? 2 : 1;
    if (colons > 2) break;  // x : : clobbers
    t = operands_at(t + 1, s);
  }
  return s;
}

// Reads operands such as "=r"(expression) up to a colon or the end.
std::size_t rewriter::operands_at(std::size_t t, statement_in_ptx& s) const {
  while (t < s.close) {
    if (tokens_[t].words == ":" || tokens_[t].words == "::") return t;
    if (tokens_[t].kind != token_kind::text || tokens_[t + 1].words != "(") {
      s.well_formed = false;
      return s.close;
    }
    s.operands.emplace_back(t + 1, closing(t + 1));
    t = s.operands.back().second + 1;
    if (tokens_[t].words == ",") ++t;
  }
  return t;
}

std::optional<std::string> rewriter::ptx_body(const statement_in_ptx& s, std::string& unsupported) const {
  if (!s.well_formed) return std::nullopt;
  const auto calls = cpp_of_ptx(s.text, unsupported);
  if (!calls) return std::nullopt;
  std::string names;
  for (std::size_t i = 0; i < s.operands.size(); ++i)
    names += (i == 0 ? "" : ", ") + std::string{"[[maybe_unused]] auto&& _"} + std::to_string(i);
  return ") = [&](" + names + ") __attribute__((always_inline)) { " + *calls + "}";
}

bool rewriter::refuses_assembly(std::size_t position) const {
  const auto s = ptx_at(position);
  std::string ignored;
  return s && !ptx_body(*s, ignored);
}

void rewriter::assembly(std::size_t position) {
  const auto s = ptx_at(position);
  if (!s) return;
  const bool directive = tokens_[position].directive;
  const std::size_t begin = tokens_[position].begin, end = tokens_[s->close].end;
  std::string unsupported = "asm";
  const auto body = ptx_body(*s, unsupported);
  if (!body)
    return edits_.replace(begin, end, refusal("inline PTX (" + unsupported + ")") + "static_cast<void>(0)", directive);
  const std::string first = "::lab_sim::ptx::operands(";
  if (s->operands.empty()) return edits_.replace(begin, end, first + *body, directive);
  std::size_t done = begin;
  for (const auto& [open, close] : s->operands) {
    edits_.replace(done, tokens_[open].begin, done == begin ? first : ", ", directive);
    done = tokens_[close].end;
  }
  edits_.replace(done, end, *body, directive);
}

}  // namespace lab::sim
