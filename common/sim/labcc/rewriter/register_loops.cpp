#include "sim/labcc/rewriter/register_loops.hpp"

#include <set>
#include <string_view>

namespace lab::sim {

namespace {

using words = std::set<std::string_view>;

const words plain_types{"int", "unsigned", "float", "double", "bool"};
const words statements{"for", "if", "while", "switch", "constexpr"};
const words kept_elsewhere{"__shared__", "__constant__", "static", "extern", "volatile"};

class register_loop {
 public:
  register_loop(const std::vector<token>& tokens, std::size_t position) : tokens_{tokens}, position_{position} {}

  bool confirmed() const {
    const auto end = end_of_loop(position_);
    if (end == 0 || !counts(position_)) return false;
    for (auto t = position_; t < end; ++t)
      if (!harmless(t)) return false;
    return true;
  }

 private:
  std::string_view at(std::size_t t) const { return t < tokens_.size() ? tokens_[t].words : std::string_view{}; }
  bool is_name(std::size_t t) const {
    return t < tokens_.size() && tokens_[t].kind == token_kind::identifier && !tokens_[t].directive;
  }

  bool is_punctuation(std::size_t t) const { return t < tokens_.size() && tokens_[t].kind == token_kind::punctuation; }

  // 0 if it is never closed.
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (auto t = open; t < tokens_.size(); ++t) {
      if (tokens_[t].directive) continue;
      const auto w = at(t);
      if (w == "(" || w == "[" || w == "{") ++depth;
      if ((w == ")" || w == "]" || w == "}") && --depth == 0) return t;
    }
    return 0;
  }

  // After the body; 0 if the statement is none of those that this analysis knows.
  std::size_t end_of_loop(std::size_t position) const {
    if (at(position) != "for" || at(position + 1) != "(") return 0;
    const auto close = closing(position + 1);
    if (close == 0) return 0;
    auto t = close + 1;
    while (t < tokens_.size() && tokens_[t].directive) ++t;
    if (at(t) == "for") return end_of_loop(t);
    if (at(t) == "{") return closing(t) + 1;
    for (; t < tokens_.size() && at(t) != "{"; ++t)
      if (at(t) == ";") return t + 1;
    return 0;
  }

  // for (int i = first; i < bound; ++i), also with i++ and i += step. The body leaves i and the bound as they are, so
  // the loop ends.
  bool counts(std::size_t position) const {
    const auto first = position + 2, close = closing(position + 1), end = end_of_loop(position);
    const auto counter = at(first + 1);
    if ((at(first) != "int" && at(first) != "unsigned") || at(first + 2) != "=") return false;
    auto t = first + 3;
    while (t < close && at(t) != ";") ++t;
    if (at(t + 1) != counter || at(t + 2) != "<") return false;
    for (t += 3; t < close && at(t) != ";"; ++t)
      if (at(t) == counter || !unchanged(at(t), close + 1, end)) return false;
    return steps(t + 1, close, counter) && unchanged(counter, close + 1, end);
  }

  bool steps(std::size_t first, std::size_t end, std::string_view counter) const {
    const auto plus = [&](std::size_t t) { return at(t) == "+"; };
    if (plus(first) && plus(first + 1)) return at(first + 2) == counter && end == first + 3;
    if (at(first) != counter || !plus(first + 1)) return false;
    if (plus(first + 2)) return end == first + 3;
    const bool constant = tokens_[first + 3].kind == token_kind::number || is_number(at(first + 3));
    return at(first + 2) == "=" && constant && at(first + 3) != "0" && end == first + 4;
  }

  bool unchanged(std::string_view name, std::size_t first, std::size_t end) const {
    for (auto t = first; t < end; ++t)
      if (at(t) == name && changes(t)) return false;
    return true;
  }

  // ++name, name++, name = value, name += value and name <<= value
  bool changes(std::size_t name) const {
    const auto twice = [&](std::size_t t, std::string_view sign) { return at(t) == sign && at(t + 1) == sign; };
    for (const auto* sign : {"+", "-"})
      if (twice(name - 2, sign) || twice(name + 1, sign)) return true;
    if (twice(name + 1, "<") || twice(name + 1, ">")) return at(name + 3) == "=";
    if (at(name + 1) == "=") return at(name + 2) != "=";
    constexpr std::string_view signs{"+-*/%&|^"};
    return at(name + 2) == "=" && is_punctuation(name + 1) && signs.find(at(name + 1)) != signs.npos;
  }

  bool harmless(std::size_t t) const {
    const auto& token = tokens_[t];
    if (token.directive) return at(t) != "if" && at(t) != "else" && at(t) != "endif" && at(t) != "define";
    if (token.kind == token_kind::text || at(t) == "->" || at(t) == "::" || at(t) == "&" || at(t) == ".") return false;
    if (at(t) == "*" && !ends_operand(t - 1)) return false;
    if (at(t) == "for") return t == position_ || counts(t);
    if (token.kind != token_kind::identifier || plain_types.contains(at(t)) || is_one_of_few(at(t))) return true;
    return at(t + 1) != "(" && (is_local(t) || is_number(at(t)));
  }

  bool ends_operand(std::size_t t) const {
    const auto kind = tokens_[t].kind;
    return kind == token_kind::number || (kind == token_kind::identifier && !plain_types.contains(at(t))) ||
           at(t) == "]" || at(t) == ")";
  }

  static bool is_one_of_few(std::string_view w) { return w == "const" || w == "if" || w == "else"; }

  // Whether a variable of this name is declared here that lives in registers, or as an array that only one thread has.
  bool declared_at(std::size_t t, std::string_view name, bool as_array) const {
    if (at(t) != name || t == 0 || tokens_[t].directive || (at(t + 1) == "[") != as_array) return false;
    return plain_types.contains(at(t - 1)) ? !is_kept_elsewhere(t) : at(t - 1) == "," && is_further_variable(t);
  }

  bool is_kept_elsewhere(std::size_t t) const {
    for (auto before = t; before-- > 0;) {
      const auto w = at(before);
      if (w == ";" || w == "{" || w == "}" || w == "(" || w == "," || w == "<") return false;
      if (kept_elsewhere.contains(w)) return true;
    }
    return false;
  }

  // As in  float first[4], second[4]: the statement begins with the type.
  bool is_further_variable(std::size_t t) const {
    int closed = 0;
    while (t-- > 0) {
      const auto w = at(t);
      if (w == ")" || w == "]" || w == "}") ++closed;
      if (closed == 0 && (w == ";" || w == "{" || w == "(")) break;
      if (w == "(" || w == "[" || w == "{") --closed;
      if (w == "}" && closed == 1 && at(t + 1) != ",") break;
    }
    const auto first = at(t + 1) == "const" ? t + 2 : t + 1;
    const bool in_list = at(t) == "(" || (at(t) == "{" && !opens_block(t));
    return !in_list && plain_types.contains(at(first));
  }

  // A block, not the values of an array.
  bool opens_block(std::size_t brace) const {
    const auto w = at(brace - 1);
    return w == ")" || w == ";" || w == "{" || w == "}" || w == "else" || w == "do";
  }

  // Whether anything else of this name may be declared here: a reference, a pointer, a shared array, another type.
  bool hidden_at(std::size_t t, std::string_view name) const {
    if (at(t) != name || t < 3 || tokens_[t].directive) return false;
    const auto before = at(t - 1), first = at(t - 3);
    const bool refers = (before == "&" || before == "*" || before == ">") && at(t - 2) != ")";
    const bool begins =
        first == ";" || first == "{" || first == "}" || first == "(" || first == "," || first == "const";
    return (refers && begins) || (is_name(t - 1) && before != "else" && before != "return");
  }

  // Looks through the blocks around the use, then at the parameters of the function and of its template.
  bool is_local(std::size_t use) const {
    const auto name = at(use);
    const bool as_array = at(use + 1) == "[";
    int closed = 0;
    for (auto t = use + 1; t-- > 0;) {  // the use may be the declaration
      if (tokens_[t].directive) continue;
      const auto w = at(t);
      if (w == "}") ++closed;
      if (w == "{" && closed > 0)
        --closed;
      else if (w == "{" && opens_function(t))
        return !as_array && is_parameter(t, name);
      if (closed > 0) continue;
      if (declared_at(t, name, as_array)) return true;
      if (hidden_at(t, name)) return false;
    }
    return false;
  }

  // The brace after `)` of a definition, not of a statement.
  bool opens_function(std::size_t brace) const {
    if (at(brace - 1) != ")") return false;
    int depth = 0;
    for (auto t = brace; t-- > 0;) {
      if (at(t) == ")") ++depth;
      if (at(t) == "(" && --depth == 0) return is_name(t - 1) && !statements.contains(at(t - 1));
    }
    return false;
  }

  bool is_parameter(std::size_t brace, std::string_view name) const {
    for (auto t = brace; t-- > 0 && at(t) != ";" && at(t) != "}" && at(t) != "{";)
      if (declared_at(t, name, false)) return true;
    return false;
  }

  // A constant of this source, or a macro that stands for a number.
  bool is_number(std::string_view name) const {
    for (std::size_t t = 1; t + 2 < tokens_.size(); ++t) {
      if (at(t) != name) continue;
      if (tokens_[t].directive && at(t - 1) == "define")
        return tokens_[t + 1].kind == token_kind::number && (!tokens_[t + 2].directive || at(t + 2) == "#");
      if (plain_types.contains(at(t - 1)) && t > 1 && at(t - 2) == "constexpr") return at(t + 1) == "=";
    }
    return false;
  }

  const std::vector<token>& tokens_;
  std::size_t position_;
};

}  // namespace

bool computes_in_registers(const std::vector<token>& tokens, std::size_t position) {
  return register_loop{tokens, position}.confirmed();
}

}  // namespace lab::sim
