#include "sim/labcc/analysis/functions.hpp"

#include <algorithm>

#include "sim/labcc/analysis/known_functions.hpp"

namespace lab::sim::loops {

namespace {

constexpr std::string_view excluded[] = {
    "goto",     "asm",      "__asm__",  "__asm",     "volatile", "try",  "catch",    "throw",    "struct",
    "class",    "union",    "operator", "new",       "delete",   "this", "template", "co_await", "co_return",
    "co_yield", "__shared", "friend",   "namespace", "virtual",  "<<<",  "typename", "malloc",   "free"};

// Parts of names of what waits, or asks for other threads.
constexpr std::string_view waiting[] = {"sync",        "shfl",      "ballot",      "activemask", "coalesced",
                                        "cooperative", "barrier",   "this_thread", "this_grid",  "tiled_partition",
                                        "nanosleep",   "atomicCAS", "clock"};

}  // namespace

functions::functions(const code& source, hidden_code elsewhere)
    : c_{source}, read_index_{elsewhere.reads_index}, operators_act_{elsewhere.operators_act} {
  find_macros();
  find_bodies();
  find_hidden_calls();
  find_operators();
  find_members();
  find_variables("__device__", variables_);
  find_variables("__managed__", variables_);
  find_variables("__constant__", constants_);
}

void functions::find_macros() {
  for (std::size_t t = 0; t + 2 < c_.size(); ++t) {
    if (!c_.is_directive(t) || c_.words(t) != "#" || c_.words(t + 1) != "define") continue;
    std::size_t first = t + 3, end = t + 3;
    if (c_.words(first) == "(" && c_.touches_next(first - 1)) first = c_.closing(first) + 1;
    // A directive ends where a line does that no backslash continues.
    for (end = first; end < c_.size() && c_.is_directive(end); ++end) {
      const auto from = c_.tokens()[end - 1].end;
      const auto between = c_.source().substr(from, c_.tokens()[end].begin - from);
      const auto line = between.find('\n');
      if (line != between.npos && between.substr(0, line).find('\\') == between.npos) break;
    }
    macros_[c_.words(t + 2)].push_back({first, end});
    t = end - 1;
  }
}

void functions::find_bodies() {
  for (std::size_t t = 1; t < c_.size(); ++t) {
    if (c_.words(t) != "{" || c_.is_directive(t)) continue;
    std::size_t close = t - 1;
    while (close > 0 && is_one_of(c_.words(close), {"const", "noexcept", "override", "final"})) --close;
    if (c_.words(close) != ")") continue;
    const std::size_t name = c_.opening(close) - 1;
    if (name >= c_.size() || !c_.is_identifier(name) || is_keyword_before_parenthesis(c_.words(name))) continue;
    bool kernel = false;
    for (std::size_t w = c_.statement_start(name); w < name; ++w) kernel = kernel || c_.words(w) == "__global__";
    const range body{c_.opening(close), c_.closing(t) + 1};  // with the parameters, which may be volatile
    bodies_[c_.words(name)].push_back(kernel ? range{} : body);
    if (kernel) kernels_.push_back(body);
  }
}

void functions::find_variables(std::string_view qualifier, std::set<std::string_view>& names) {
  for (std::size_t t = 0; t < c_.size(); ++t) {
    if (c_.words(t) != qualifier) continue;
    for (std::size_t end = t + 1; end < c_.size(); ++end) {
      const auto w = c_.words(end);
      if (w == "(" || w == "{") break;
      if (w == "=" || w == ";" || w == "[" || w == ",") names.insert(c_.words(end - 1));
      if (w == "=" || w == ";") break;
    }
  }
}

const std::vector<range>* functions::definitions(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : &found->second;
}

const std::vector<range>* functions::macro(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool functions::jumps(std::string_view name, int depth) const {
  const auto* const texts = macro(name);
  if (!texts || depth == 0) return texts != nullptr;
  for (const auto& text : *texts) {
    bool loops = false;
    for (std::size_t t = text.first; t < text.end; ++t)
      loops = loops || is_one_of(c_.words(t), {"for", "while", "do", "switch"});
    for (std::size_t t = text.first; t < text.end; ++t) {
      const auto w = c_.words(t);
      if (w == "return" || (!loops && is_one_of(w, {"break", "continue"}))) return true;
      if (c_.is_identifier(t) && w != name && jumps(w, depth - 1)) return true;
    }
  }
  return false;
}

bool functions::inside(std::string_view name, const std::vector<range>& bodies) {
  if (refused_.contains(name)) throw declined{};
  if (const auto before = known_.find(name); before != known_.end()) return before->second;
  known_[name] = false;  // while it is checked: it may call itself
  bool reports = false;
  try {
    for (const auto& body : bodies) {
      if (body.end == 0) throw declined{};  // a kernel
      reports = check(body, {}, false) || reports;
    }
  } catch (const declined&) {
    refused_.insert(name);
    throw;
  }
  return known_[name] = reports;
}

// Whether the parentheses that end here hold a type, so that what follows is no argument.
bool functions::is_cast(std::size_t close) const {
  const std::size_t open = c_.opening(close);
  if (open > 0 && c_.is_identifier(open - 1) && !is_keyword_before_parenthesis(c_.words(open - 1))) return false;
  for (std::size_t t = open + 1; t < close; ++t) {
    const auto w = c_.words(t);
    if (!c_.is_identifier(t) && !is_one_of(w, {"*", "::", "<", ">", ",", "&"})) return false;
  }
  return c_.is_identifier(open + 1);
}

bool functions::call(std::size_t name, const std::set<std::string_view>& types) {
  const auto w = c_.words(name);
  const auto before = name > 0 ? c_.words(name - 1) : "";
  if (is_keyword_before_parenthesis(w)) return false;
  if (before == "." || before == "->") throw declined{};
  const bool declares = name > 0 && c_.is_identifier(name - 1) && !is_one_of(before, {"return", "else", "do", "case"});
  if (declares) throw declined{};
  if (names_its_thread(w)) return true;
  if (types.contains(w) || is_harmless_function(w)) return false;
  const auto own = bodies_.find(w);
  if (own == bodies_.end()) throw declined{};
  return inside(w, own->second);
}

bool functions::identifier(std::size_t t, const std::set<std::string_view>& types) {
  const auto w = c_.words(t), next = c_.words(t + 1);
  const bool member = t > 0 && (c_.words(t - 1) == "." || c_.words(t - 1) == "->");
  if (!member && std::ranges::any_of(waiting, [&](auto part) { return w.find(part) != w.npos; }) && w != "clock64")
    throw declined{};
  if (w == "extern" && c_.words(t + 1) != "__shared__") throw declined{};
  if (w == "static" && !is_one_of(c_.words(t + 1), {"__shared__", "constexpr"})) throw declined{};
  if (next == "::" && is_one_of(w, {"cg", "cuda", "nvcuda", "cub", "thrust", "wmma"})) throw declined{};
  bool reports = false;
  if (const auto* texts = member ? nullptr : macro(w)) {
    reports = inside(w, *texts);
    if (next == "(") return reports;
  }
  if (next == "(") return call(t, types) || reports;
  if (next == "<")
    if (const std::size_t after = c_.after_template(t + 1); after != c_.npos && c_.words(after) == "(")
      return call(t, types) || reports;
  const auto before = t > 0 ? c_.words(t - 1) : "";
  const bool alone = next == ";" && is_one_of(before, {";", "{", "}", ")", "else", "do"});
  if (alone && !is_one_of(w, {"return", "break", "continue"})) throw declined{};  // it may be a macro
  return reports;
}

bool functions::check(range tokens, const std::set<std::string_view>& types, bool of_kernel) {
  bool reports = false;
  const bool of_macro = c_.is_directive(tokens.first);
  for (std::size_t t = tokens.first; t < tokens.end; ++t) {
    if (c_.is_directive(t) != of_macro) {
      if (!of_kernel && c_.words(t) == "#" && c_.words(t + 1) != "pragma") throw declined{};
      continue;
    }
    const std::size_t known = of_kernel ? std::max(c_.end_of_barrier(t), c_.end_of_group(t)) : 0;
    if (known > 0 && is_one_of(c_.words(t - 1), {";", "{", "}", ")", "else", "do"})) {
      t = known - 1;
      continue;
    }
    const auto w = c_.words(t);
    const bool of_pointer = of_kernel && w == "volatile";  // `require_no_exchange` looks at these
    if (!of_pointer && std::ranges::find(excluded, w) != std::end(excluded)) throw declined{};
    reports = reports || (!of_kernel && !of_macro && is_index(t));
    if (of_kernel && jumps(w)) throw declined{};  // it would leave the loop over threads
    if (c_.is_identifier(t)) reports = identifier(t, types) || reports;
    if (w == "[" && c_.is_unary(t)) {
      if (c_.words(t + 1) != "[") throw declined{};  // a lambda
      t = c_.closing(t);
    }
    if (c_.words(t + 1) == "(" && (w == "]" || (w == ")" && !of_macro && !is_cast(t)))) {
      if (w == "]") throw declined{};
      const std::size_t open = c_.opening(t);
      const bool of_keyword = open > 0 && is_keyword_before_parenthesis(c_.words(open - 1));  // if (a) (b)
      if (!of_keyword) throw declined{};
    }
  }
  return reports;
}

}  // namespace lab::sim::loops
