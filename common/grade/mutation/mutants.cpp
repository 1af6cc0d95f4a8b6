#include "grade/mutation/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "text/source_text.hpp"

namespace lab::grade {

namespace {

struct edit {
  mutation_kind kind;
  std::size_t at, length;
  std::string replacement;
};

// Calls found(match) for each match in the code.
template <class Found>
void for_each(const std::string& code, const std::regex& pattern, Found found) {
  for (std::sregex_iterator at{code.begin(), code.end(), pattern}, end; at != end; ++at) found(*at);
}

std::size_t place(const std::smatch& match, std::size_t group) {
  return static_cast<std::size_t>(match.position(group));
}
std::size_t length(const std::smatch& match, std::size_t group) {
  return static_cast<std::size_t>(match.length(group));
}

struct exchange {
  mutation_kind kind;
  std::string_view from, to;
};

constexpr exchange exchanges[] = {
    {mutation_kind::relation, "<", "<="},    {mutation_kind::relation, "<=", "<"},
    {mutation_kind::relation, ">", ">="},    {mutation_kind::relation, ">=", ">"},
    {mutation_kind::relation, "==", "!="},   {mutation_kind::relation, "!=", "=="},
    {mutation_kind::relation, "&&", "||"},   {mutation_kind::relation, "||", "&&"},
    {mutation_kind::arithmetic, "+", "-"},   {mutation_kind::arithmetic, "-", "+"},
    {mutation_kind::arithmetic, "*", "/"},   {mutation_kind::arithmetic, "*", "+"},
    {mutation_kind::arithmetic, "/", "*"},   {mutation_kind::arithmetic, "%", "/"},
    {mutation_kind::arithmetic, "+=", "-="}, {mutation_kind::arithmetic, "+=", "="},
    {mutation_kind::arithmetic, "<<", ">>"}, {mutation_kind::arithmetic, ">>", "<<"},
};

void exchange_operators(const std::string& code, std::vector<edit>& edits) {
  static const std::regex in_spaces{R"( (<=|>=|==|!=|&&|\|\||\+=|<<|>>|[-<>+*/%])(?= ))"};
  for_each(code, in_spaces, [&](const std::smatch& match) {
    for (const auto& e : exchanges)
      if (match.str(1) == e.from) edits.push_back({e.kind, place(match, 1), length(match, 1), std::string{e.to}});
  });
}

void exchange_dimensions(const std::string& code, std::vector<edit>& edits) {
  static const std::regex member{R"(\b(?:threadIdx|blockIdx|blockDim|gridDim)\.([xy])\b)"};
  for_each(code, member, [&](const std::smatch& match) {
    edits.push_back({mutation_kind::dimension, place(match, 1), 1, match.str(1) == "x" ? "y" : "x"});
  });
}

void change_constants(const std::string& code, std::vector<edit>& edits) {
  static const std::regex integer{R"((?:^|[^\w.'])(\d{1,9})(?![\w.']))"};
  for_each(code, integer, [&](const std::smatch& match) {
    const auto value = std::stol(match.str(1));
    edits.push_back({mutation_kind::constant, place(match, 1), length(match, 1), std::to_string(value + 1)});
    if (value > 0)
      edits.push_back({mutation_kind::constant, place(match, 1), length(match, 1), std::to_string(value - 1)});
  });
}

void leave_out_barriers(const std::string& code, std::vector<edit>& edits) {
  static const std::regex barrier{R"((?:__sync(?:threads|warp)\(\)|\b\w+\.sync\(\));)"};
  for_each(code, barrier, [&](const std::smatch& match) {
    edits.push_back({mutation_kind::barrier, place(match, 0), length(match, 0), ";"});
  });
}

void fix_conditions(const std::string& code, std::vector<edit>& edits) {
  static const std::regex condition{R"(\bif (\())"};
  for_each(code, condition, [&](const std::smatch& match) {
    const auto open = place(match, 1), close = closing_bracket(code, open);
    if (close == std::string::npos) return;
    for (const auto* fixed : {"(true)", "(false)"})
      edits.push_back({mutation_kind::condition, open, close + 1 - open, fixed});
  });
}

// The comma between the two arguments of a call, npos if there are more or fewer.
std::size_t only_comma(const std::string& code, std::size_t open, std::size_t close) {
  auto comma = std::string::npos;
  for (auto at = open + 1; at < close; ++at) {
    if (code[at] == '(' || code[at] == '[' || code[at] == '{') at = closing_bracket(code, at);
    if (at == std::string::npos || (code[at] == ',' && comma != std::string::npos)) return std::string::npos;
    if (code[at] == ',') comma = at;
  }
  return comma;
}

void make_atomics_plain(const std::string& source, const std::string& code, std::vector<edit>& edits) {
  static const std::regex atomic{R"(\batomic(Add|Sub|Exch|And|Or|Xor)(?:_block)?(\())"};
  static const std::pair<std::string_view, std::string_view> plain[] = {{"Add", "+="}, {"Sub", "-="}, {"Exch", "="},
                                                                        {"And", "&="}, {"Or", "|="},  {"Xor", "^="}};
  for_each(code, atomic, [&](const std::smatch& match) {
    const auto open = place(match, 2), close = closing_bracket(code, open);
    const auto comma = close == std::string::npos ? close : only_comma(code, open, close);
    if (comma == std::string::npos) return;
    const auto sign =
        std::ranges::find(plain, match.str(1), &std::pair<std::string_view, std::string_view>::first)->second;
    edits.push_back({mutation_kind::atomic, place(match, 0), close + 1 - place(match, 0),
                     fmt::format("(*({}) {}{})", source.substr(open + 1, comma - open - 1), sign,
                                 source.substr(comma + 1, close - comma - 1))});
  });
}

// An assignment or a call that is a statement of its own, also after an `if (...)` or a `for (...)`.
void leave_out_statements(const std::string& code, std::vector<edit>& edits) {
  static const std::regex statement{
      R"((?:^|\n|\) |; )[ ]*((?:[*]?[\w.]+(?:->\w+)*(?:\[[^;\n]*\])? (?:[-+*/|&^]|<<|>>)?= |\w+(?:<[^;()\n]*>)?\()[^;{}]*;))"};
  static const std::regex kept{R"(^(?:return|for|while|if|switch|__sync\w+)\b)"};
  for_each(code, statement, [&](const std::smatch& match) {
    const auto text = match.str(1);
    if (std::regex_search(text, kept)) return;
    edits.push_back({mutation_kind::statement, place(match, 1), length(match, 1), ";"});
  });
}

// No check judges what is printed, so spaces take the place of a call of printf and of the `if` that leads to it alone.
std::string without_printing(std::string code) {
  static const std::regex print{R"((?:\bif \([^\n;{]*\) )?(?:\bstd::)?\bf?printf(\())"};
  for (std::smatch match; std::regex_search(code, match, print);) {
    const auto begin = place(match, 0), close = closing_bracket(code, place(match, 1));
    const auto end = close == std::string::npos ? code.size() : close + 1;
    for (auto at = begin; at < end; ++at)
      if (code[at] != '\n') code[at] = ' ';
  }
  return code;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

mutant applied(const std::string& source, const edit& e) {
  const auto begin = source.rfind('\n', e.at == 0 ? 0 : e.at - 1), end = source.find('\n', e.at + e.length);
  const auto first = begin == std::string::npos ? 0 : begin + 1;
  const auto length = (end == std::string::npos ? source.size() : end) - first;
  mutant made{.kind = e.kind, .before = trimmed(source.substr(first, length)), .text = source};
  made.line =
      1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(e.at), '\n'));
  made.text.replace(e.at, e.length, e.replacement);
  made.after = trimmed(made.text.substr(first, length + e.replacement.size() - e.length));
  return made;
}

}  // namespace

std::vector<mutant> mutants_of(const std::string& source) {
  const auto code = without_printing(only_code(source));
  std::vector<edit> edits;
  exchange_operators(code, edits);
  exchange_dimensions(code, edits);
  change_constants(code, edits);
  leave_out_barriers(code, edits);
  fix_conditions(code, edits);
  make_atomics_plain(source, code, edits);
  leave_out_statements(code, edits);
  std::ranges::stable_sort(edits, {}, &edit::at);
  std::vector<mutant> all;
  for (const auto& e : edits) all.push_back(applied(source, e));
  return all;
}

}  // namespace lab::grade
