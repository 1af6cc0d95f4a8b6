#include "sim/labcc/analysis/variables.hpp"

#include <algorithm>

#include "sim/labcc/analysis/known_functions.hpp"

namespace lab::sim::loops {

namespace {

bool is_type_word(std::string_view w) {
  return is_one_of(w, {"unsigned", "signed", "long", "short", "int", "char", "float", "double", "bool", "auto"});
}

bool is_qualifier(std::string_view w) {
  return is_one_of(w, {"const", "constexpr", "static", "extern", "register", "volatile", "__shared__"});
}

// Whether operators on values of this type may be functions of the program.
bool may_be_class(const code& c, range type) {
  for (std::size_t t = type.first; t < type.end; ++t) {
    const auto w = c.words(t);
    if (w == "*" || (w != "auto" && is_type_word(w)) || w == "size_t" || w.ends_with("int_t")) return false;
    if (is_one_of(w, {"int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"}))
      return false;
  }
  return true;
}

}  // namespace

void variables::add_parameters(range list, range body) {
  std::size_t name = c_.npos, depth = 0, first = list.first;
  bool has_default = false, is_volatile = false;
  for (std::size_t t = list.first; t <= list.end; ++t) {
    const auto w = c_.words(t);
    if (w == "<") ++depth;
    if (w == ">" && depth > 0) --depth;
    if (t == list.end || (w == "," && depth == 0)) {
      if (name != c_.npos) {
        all_.emplace_back();
        all_.back().name = c_.words(name);
        all_.back().scope = body;
        all_.back().parameter = true;
        all_.back().is_volatile = is_volatile;
        all_.back().class_type = may_be_class(c_, {first, t});
      }
      name = c_.npos;
      first = t + 1;
      has_default = is_volatile = false;
      continue;
    }
    if (w == "...") throw declined{};
    has_default = has_default || w == "=";
    is_volatile = is_volatile || w == "volatile";
    if (w == "(" || w == "[" || w == "{")
      t = c_.closing(t);
    else if (c_.is_identifier(t) && depth == 0 && !has_default)
      name = t;
  }
}

// The first token after the type of a declaration; `npos` if there is no type.
std::size_t variables::after_type(std::size_t t, std::size_t end, variable& made) const {
  bool any = false;
  for (; t < end; ++t) {
    const auto w = c_.words(t);
    if (w == "__align__" || w == "alignas" || w == "__attribute__") {
      t = c_.closing(t + 1);
      continue;
    }
    made.shared = made.shared || w == "__shared__";
    made.is_volatile = made.is_volatile || w == "volatile";
    if (is_qualifier(w)) continue;
    if (is_type_word(w)) {
      any = true;
      continue;
    }
    if (any || !c_.is_identifier(t)) break;
    any = true;
    for (;; t += 2) {  // a::b<c>::d
      if (c_.words(t + 1) == "<") {
        const std::size_t after = c_.after_template(t + 1);
        if (after == c_.npos) return c_.npos;
        t = after - 1;
      }
      if (c_.words(t + 1) != "::") break;
    }
  }
  return any ? t : c_.npos;
}

bool variables::add(range tokens, range scope, range loop) {
  variable made;
  const std::size_t type_end = after_type(tokens.first, tokens.end, made);
  if (type_end == c_.npos || type_end >= tokens.end) return false;
  made.type = {tokens.first, type_end};
  made.declaration = tokens;
  made.loop = loop;
  bool first = true;
  for (std::size_t t = type_end;; ++t, first = false) {
    variable v = made;
    for (; is_one_of(c_.words(t), {"*", "&", "const", "__restrict__", "__restrict", "restrict"}); ++t) {
      v.reference = v.reference || c_.words(t) == "&";
      if (c_.words(t) == "*") v.pointer += '*';
    }
    const auto next = c_.words(t + 1);
    const bool declares = c_.is_identifier(t) && t < tokens.end && is_one_of(next, {"=", ";", ",", "[", "{"});
    if (!declares && first) return false;
    if (!declares) throw declined{};
    if (next == "=" && c_.touches_next(t + 1) && c_.words(t + 2) == "=") return false;
    v.name = c_.words(t);
    v.scope = {t, scope.end};
    ++t;
    const std::size_t dimensions = t;
    while (c_.words(t) == "[") t = c_.closing(t) + 1;
    v.dimensions = {dimensions, t};
    if (c_.words(t) == "{") {
      v.initializer = {t, c_.closing(t) + 1};
      t = v.initializer.end;
    } else if (c_.words(t) == "=") {
      v.initializer.first = ++t;
      for (; t < tokens.end && c_.words(t) != "," && c_.words(t) != ";"; ++t)
        if (is_one_of(c_.words(t), {"(", "[", "{"})) t = c_.closing(t);
      v.initializer.end = t;
    }
    if (v.shared) v.uniform = v.is_array();
    v.class_type = v.pointer.empty() && may_be_class(c_, v.type);
    v.uniform = v.uniform && (v.shared || (!v.is_array() && !v.reference));
    all_.push_back(std::move(v));
    if (c_.words(t) == ";") return true;
    if (c_.words(t) != ",") throw declined{};
  }
}

variable* variables::named(std::string_view name, std::size_t t) {
  variable* found = nullptr;
  for (auto& v : all_)
    if (v.name == name && v.scope.contains(t) && (!found || v.scope.first > found->scope.first)) found = &v;
  return found;
}

variable* variables::at(std::size_t t) {
  if (!c_.is_identifier(t) || c_.is_directive(t)) return nullptr;
  if (t > 0 && is_one_of(c_.words(t - 1), {".", "->", "::"})) return nullptr;
  return named(c_.words(t), t);
}

// What this use may do to the variable.
void variables::use(variable& v, std::size_t t, range body) {
  if (t == v.scope.first && !v.parameter) return;
  v.uses.push_back(t);
  const bool pointed_at = c_.words(t - 1) == "*" && c_.is_unary(t - 1) && c_.words(t + 1) == "=";  // *pointer = ...
  if (!pointed_at && (c_.assigns(after_place(v, t)) || c_.is_stepped_before(t))) v.changes.push_back(t);
  const bool logical = c_.words(t - 2) == "&" && c_.touches_next(t - 2);
  if (c_.words(t - 1) == "&" && c_.is_unary(t - 1) && !logical) {
    const std::size_t callee = c_.callee_around(t, body.first);
    v.address_taken = true;
    v.pointed_at = callee == c_.npos || functions_.is_own(c_.words(callee)) || !is_harmless_function(c_.words(callee));
  }
  if (may_change(v, t, body) || is_bound(t)) v.address_taken = true;
}

void variables::find_uses(range body) {
  for (auto& one : all_)
    for (auto& other : all_)
      if (&one != &other && one.name == other.name && one.scope.contains(other.scope.first)) throw declined{};
  for (std::size_t t = body.first + 1; t < body.end; ++t) {
    if (auto* const v = at(t)) use(*v, t, body);
    if (c_.is_identifier(t) && !c_.is_directive(t) && functions_.macro(c_.words(t))) uses_of_macro(t);
  }
  bind_references();
}

// A macro's text may name variables that are not among its arguments.
void variables::uses_of_macro(std::size_t t) {
  for (const auto& text : *functions_.macro(c_.words(t)))
    for (std::size_t m = text.first; m < text.end; ++m) {
      if (c_.assigns(m)) throw declined{};
      if (!c_.is_identifier(m)) continue;
      if (auto* const v = named(c_.words(m), t)) v->uses.push_back(t);
      if (functions_.macro(c_.words(m)) && c_.words(m) != c_.words(t)) {
        for (const auto& inner : *functions_.macro(c_.words(m)))
          for (std::size_t i = inner.first; i < inner.end; ++i)
            if (c_.assigns(i) || named(c_.words(i), t)) throw declined{};
      }
    }
}

std::optional<std::vector<assignment>> variables::assignments(range e) {
  std::vector<assignment> found;
  while (e.first < e.end) {
    std::size_t end = e.first;
    for (; end < e.end && c_.words(end) != ","; ++end)
      if (is_one_of(c_.words(end), {"(", "[", "{"})) end = c_.closing(end);
    const bool stepped = c_.is_stepped_before(e.first + 2);
    const std::size_t name = stepped ? e.first + 2 : e.first;
    if (name >= end || !at(name) || at(name)->is_array()) return std::nullopt;
    std::size_t value = name + 1;
    if (!stepped) {
      if (!c_.assigns(value)) return std::nullopt;
      const bool step = c_.words(value) != "=" && c_.words(value + 1) == c_.words(value) && c_.words(value) != "<" &&
                        c_.words(value) != ">";
      while (value < end && is_one_of(c_.words(value), {"+", "-", "*", "/", "%", "&", "|", "^", "<", ">"})) ++value;
      if (step ? value != end || value != name + 3 : c_.words(value) != "=") return std::nullopt;
      if (!step) ++value;
    } else if (value != end) {
      return std::nullopt;
    }
    found.push_back({name, {value, end}});
    e.first = end + 1;
  }
  return found;
}

}  // namespace lab::sim::loops
