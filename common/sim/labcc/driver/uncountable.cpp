#include "sim/labcc/driver/uncountable.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/labcc/rewriter/tokens.hpp"

namespace lab::sim {

namespace {

using tokens = std::vector<token>;

struct objection {
  std::size_t at;  // position in the text
  std::string what;
};
using maybe = std::optional<objection>;

// Names of the tracer and of the simulator, and of what tells a traced build from another.
constexpr std::string_view name_parts[] = {"lab_sim",       "LAB_SIM",         "__tsan",          "SANITIZE",
                                           "no_sanitize",   "no_instrument",   "__builtin_ia32_", "__has_feature",
                                           "__ubsan",       "__builtin_mem",   "__builtin___",    "__builtin_str",
                                           "__builtin_stp", "__builtin_bcopy", "__builtin_bzero"};
constexpr std::string_view addresses_of_code[] = {"__builtin_return_address", "__builtin_frame_address",
                                                  "__builtin_extract_return_addr", "__builtin_apply"};
constexpr std::string_view assembly[] = {"asm", "__asm", "__asm__"};
constexpr std::string_view harmless_attributes[] = {"aligned",       "packed",
                                                    "unused",        "maybe_unused",
                                                    "nodiscard",     "noreturn",
                                                    "fallthrough",   "likely",
                                                    "unlikely",      "const",
                                                    "pure",          "deprecated",
                                                    "inline",        "noinline",
                                                    "always_inline", "gnu",
                                                    "using",         "cold",
                                                    "hot",           "may_alias",
                                                    "vector_size",   "warn_unused_result",
                                                    "nothrow",       "no_unique_address",
                                                    "sizeof",        "alignof"};
constexpr std::string_view harmless_pragmas[] = {"unroll", "nounroll", "once", "diag_suppress", "nv_diag_suppress"};

template <class Range>
bool holds(const Range& all, std::string_view word) {
  return std::ranges::find(all, word) != std::ranges::end(all);
}

bool has_part_of(std::string_view text, const auto& parts) {
  return std::ranges::any_of(parts, [&](auto part) { return text.find(part) != text.npos; });
}

std::string_view bare(std::string_view attribute) {
  while (attribute.starts_with('_')) attribute.remove_prefix(1);
  while (attribute.ends_with('_')) attribute.remove_suffix(1);
  return attribute;
}

// Whether ## could make a name with this part of these tokens: the end of one, whole ones, the begin of one.
bool can_be_pasted(std::string_view part, const tokens& all) {
  std::vector<bool> reached(part.size());
  const auto operand = [](const token& one) { return one.kind != token_kind::text && !one.words.empty(); };
  for (const auto& one : all)
    for (std::size_t n = 1; operand(one) && n < part.size(); ++n)
      if (one.words.ends_with(part.substr(0, n))) reached[n] = true;
  for (std::size_t n = 1; n < part.size(); ++n) {
    const auto rest = part.substr(n);
    for (const auto& one : all) {
      if (!reached[n] || !operand(one)) continue;
      if (one.words.starts_with(rest)) return true;
      if (rest.starts_with(one.words)) reached[n + one.words.size()] = true;
    }
  }
  return false;
}

std::string quoted(std::string_view word) { return "`" + std::string{word} + "`"; }

// One pass over the tokens of a text.
class examination {
 public:
  examination(const tokens& all, bool raw) : all_{all}, raw_{raw} {
    const auto pasted = [&](auto part) { return can_be_pasted(part, all); };
    hides_names_ = raw && std::ranges::any_of(name_parts, pasted);
  }

  maybe first() {
    for (std::size_t t = 0; t < all_.size(); ++t)
      if (auto found = at(t)) return found;
    return std::nullopt;
  }

 private:
  std::string_view word(std::size_t t) const { return t < all_.size() ? all_[t].words : std::string_view{}; }
  objection object(std::size_t t, std::string what) const { return {all_[t].begin, std::move(what)}; }

  maybe at(std::size_t t) const {
    if (all_[t].kind == token_kind::number) return std::nullopt;
    if (all_[t].directive && (word(t) == "#" || (word(t) == "%" && word(t + 1) == ":")))
      if (auto found = in_directive(t)) return found;
    return raw_ ? in_source(t) : in_expansion(t);
  }

  // What the preprocessor's text does not show any more, or only beside what the simulator's headers add.
  maybe in_source(std::size_t t) const {
    const auto w = word(t);
    const bool pastes = (w == "#" && word(t + 1) == "#") || (w == "%" && word(t + 1) == ":" && word(t + 2) == "%");
    // A header of the C library pastes with __CONCAT.
    if (hides_names_ && (pastes || w.starts_with("__CONCAT")))
      return object(t, "pastes names with ##, which could make a name of the tracer of other words of this file");
    if (has_part_of(w, name_parts) && !asks_for_the_simulator(t))
      return object(t, "names " + quoted(w) + ", a part of the tracer");
    return std::nullopt;
  }

  maybe in_expansion(std::size_t t) const {
    const auto w = word(t);
    if (all_[t].kind == token_kind::text) return std::nullopt;
    if (holds(assembly, w) && !of_the_rewriter(t)) return object(t, "has inline assembly");
    if (w == "_Pragma" || w == "__pragma") return object(t, "has " + quoted(w));
    if (holds(addresses_of_code, w) || w.starts_with("__builtin_ia32_") || w.starts_with("_mm"))
      return object(t, "uses " + quoted(w));
    if (w == "__attribute__" || w == "__attribute") return in_attribute(t + 1, "(", ")");
    if (w == "[" && word(t + 1) == "[") return in_attribute(t, "[", "]");
    if (w == "<" && word(t + 1) == ":") return object(t, "has the digraph <:");
    return std::nullopt;
  }

  // __has_include(<lab_sim.h>) tells the simulator from a GPU, but not a traced build from another.
  bool asks_for_the_simulator(std::size_t t) const {
    return all_[t].directive && word(t) == "lab_sim" && word(t + 1) == "." && word(t + 2) == "h" && t >= 3 &&
           word(t - 3) == "__has_include";
  }

  // What the rewriter makes of `extern __shared__`.
  bool of_the_rewriter(std::size_t t) const {
    return word(t + 1) == "(" && word(t + 2) == "\"lab_sim_dynamic\"" && word(t + 3) == ")";
  }

  maybe in_directive(std::size_t t) const {
    const auto name = t + (word(t) == "#" ? 1 : 2);
    const auto w = word(name);
    if (name >= all_.size() || !all_[name].directive) return std::nullopt;
    if (raw_ && (w == "line" || all_[name].kind == token_kind::number)) return object(t, "changes line numbers");
    if (raw_ || w != "pragma" || holds(harmless_pragmas, word(name + 1))) return std::nullopt;
    return object(t, "has #pragma " + std::string{word(name + 1)});
  }

  maybe in_attribute(std::size_t t, std::string_view open, std::string_view close) const {
    int depth = 0, inner = 0;
    for (; t < all_.size(); ++t) {
      const auto w = word(t);
      if (w == open) ++depth;
      if (w == close && --depth == 0) return std::nullopt;
      if (w == "(" && open == "[") ++inner;
      if (w == ")" && open == "[") --inner;
      const bool names = open == "[" ? inner == 0 : depth == 2;  // deeper are its arguments
      if (!names || all_[t].kind != token_kind::identifier) continue;
      if (holds(harmless_attributes, bare(w)) || w == "tls_model") continue;
      return object(t, "has the attribute " + quoted(w));
    }
    return std::nullopt;
  }

  const tokens& all_;
  bool raw_, hides_names_ = false;
};

std::size_t line_at(std::string_view text, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

std::string message(const std::string& name, std::size_t line, const std::string& what) {
  return name + ":" + std::to_string(line) + ": error: " + what +
         ". Such code can hide accesses from the tracer, so its traffic cannot be counted";
}

// Joins lines that end in a backslash, as the preprocessor does. The newlines follow, so that lines keep their numbers.
std::string joined(std::string_view source) {
  std::string text;
  std::size_t owed = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\\') {
      auto end = i + 1;
      while (end < source.size() && source[end] != '\n' && std::isspace(static_cast<unsigned char>(source[end]))) ++end;
      if (end < source.size() && source[end] == '\n') {
        ++owed;
        i = end;
        continue;
      }
    }
    text += source[i];
    if (source[i] == '\n') text.append(std::exchange(owed, 0), '\n');
  }
  return text;
}

// The lines of a preprocessed text that do not come from system headers; the others are left empty.
struct own_lines {
  std::string text;
  std::vector<std::pair<std::string, std::size_t>> places;  // of each line: file and number
};

// "# 12 "file" 1 3": 3 stands for a system header.
bool is_marker(std::string_view line) {
  return line.size() > 4 && line[0] == '#' && line[1] == ' ' && std::isdigit(static_cast<unsigned char>(line[2]));
}

own_lines without_system_headers(std::string_view preprocessed) {
  own_lines own;
  bool of_system = false;
  std::string file;
  std::size_t number = 0;
  while (!preprocessed.empty()) {
    const auto end = std::min(preprocessed.find('\n'), preprocessed.size());
    const auto line = preprocessed.substr(0, end);
    preprocessed.remove_prefix(std::min(end + 1, preprocessed.size()));
    if (is_marker(line)) {
      const auto open = line.find('"'), close = line.rfind('"');
      std::from_chars(line.data() + 2, line.data() + line.size(), number);
      file = open < close ? line.substr(open + 1, close - open - 1) : "";
      of_system = close != line.npos && line.substr(close).find('3') != line.npos;
      continue;
    }
    if (!of_system) own.text += std::string{line} + "\n", own.places.emplace_back(file, number);
    ++number;
  }
  return own;
}

}  // namespace

std::string uncountable_source(std::string_view source, const std::string& name) {
  const auto text = joined(source);
  for (const std::string_view trigraph : {"?\?=", "?\?/", "?\?("})
    if (const auto at = text.find(trigraph); at != text.npos) return message(name, line_at(text, at), "has a trigraph");
  const auto all = tokenize(text);
  const auto found = examination{all, true}.first();
  return found ? message(name, line_at(text, found->at), found->what) : "";
}

std::string uncountable_expansion(std::string_view preprocessed) {
  const auto own = without_system_headers(preprocessed);
  const auto all = tokenize(own.text);
  const auto found = examination{all, false}.first();
  if (!found) return {};
  const auto& [file, line] = own.places.at(line_at(own.text, found->at) - 1);
  return message(file, line, found->what);
}

}  // namespace lab::sim
