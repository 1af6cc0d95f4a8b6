#include "sim/labcc/analysis/callee.hpp"

#include <algorithm>
#include <functional>

namespace lab::sim::loops {

std::vector<range> list_parts(const code& c, range list) {
  std::vector<range> parts;
  std::size_t first = list.first;
  for (std::size_t t = list.first; t < list.end; ++t) {
    const auto w = c.words(t);
    if (w == "(" || w == "[" || w == "{") t = c.closing(t);
    if (w == "<" && c.is_identifier(t - 1))
      if (const std::size_t after = c.after_template(t); after != c.npos && after <= list.end) t = after - 1;
    if (w == ",") parts.push_back({first, t}), first = t + 1;
  }
  if (first < list.end) parts.push_back({first, list.end});
  return parts;
}

namespace {

bool has(const code& c, range r, std::string_view word) {
  for (std::size_t t = r.first; t < r.end; ++t)
    if (c.words(t) == word) return true;
  return false;
}

// A default value is not part of the type.
std::size_t end_of_declarator(const code& c, range r) {
  std::size_t end = r.first;
  while (end < r.end && c.words(end) != "=") ++end;
  return end;
}

parameter template_parameter(const code& c, range r) {
  const std::size_t end = end_of_declarator(c, r);
  if (end < r.first + 2 || !c.is_identifier(end - 1) || has(c, r, ".")) throw declined{};
  parameter p;
  p.name = c.words(end - 1);
  p.is_type = is_one_of(c.words(r.first), {"typename", "class"});
  return p;
}

parameter read_parameter(const code& c, range r) {
  std::size_t end = end_of_declarator(c, r);
  parameter p;
  p.is_array = end > r.first && c.words(end - 1) == "]";
  if (p.is_array) end = c.opening(end - 1);
  p.type = {r.first, end - 1};
  if (end < r.first + 2 || !c.is_identifier(end - 1) || has(c, p.type, "(") || has(c, p.type, "auto")) throw declined{};
  p.name = c.words(end - 1);
  p.is_pointer = p.is_array || has(c, p.type, "*");
  p.is_reference = has(c, p.type, "&");
  p.is_const = has(c, p.type, "const");
  p.is_volatile = has(c, p.type, "volatile");
  p.is_group = has(c, p.type, "thread_block");
  return p;
}

bool is_specifier(std::string_view w) {
  return is_one_of(w, {"inline", "static", "__device__", "__host__", "__forceinline__", "__noinline__", "__inline__",
                       "constexpr", "const"});
}

}  // namespace

callee::callee(const code& c, range definition) : name{definition.first - 1}, body{definition} {
  const std::size_t close = c.closing(definition.first);
  if (c.words(close + 1) != "{") throw declined{};
  body.first = close + 1;
  read_head(c);
  for (const auto& part : list_parts(c, {definition.first + 1, close}))
    if (c.words(part.first) != "void" || part.end > part.first + 1) parameters.push_back(read_parameter(c, part));
}

void callee::read_head(const code& c) {
  std::size_t t = c.statement_start(name);
  if (c.words(t) == "template") {
    const std::size_t end = c.after_template(t + 1);
    if (end == c.npos || end > name) throw declined{};
    for (const auto& part : list_parts(c, {t + 2, end - 1})) types.push_back(template_parameter(c, part));
    t = end;
  }
  bool device = false;
  for (; t < name && is_specifier(c.words(t)); ++t) device = device || c.words(t) == "__device__";
  result = {t, name};
  for (; t < name; ++t)
    if (is_specifier(c.words(t)) || is_one_of(c.words(t), {"auto", "&", "~", "operator", "extern"})) throw declined{};
  if (!device || result.first == name || c.words(name - 1) == "::") throw declined{};
  returns = c.words(result.first) != "void" || name > result.first + 1;
}

bool functions::may_change(std::string_view name, std::size_t parameter, bool pointers) const {
  const auto* const all = definitions(name);
  return all && std::ranges::any_of(*all, [&](range definition) {
           if (definition.end == 0) return false;  // a kernel
           const auto parts = list_parts(c_, {definition.first + 1, c_.closing(definition.first)});
           if (parameter >= parts.size()) return true;  // a pack
           const range p = parts[parameter];
           return !has(c_, p, "const") && (has(c_, p, "&") || (pointers && (has(c_, p, "*") || has(c_, p, "["))));
         });
}

void functions::find_members() {
  for (std::size_t t = 0; t < c_.size(); ++t) {
    if (!is_one_of(c_.words(t), {"struct", "class", "union"})) continue;
    while (t < c_.size() && !is_one_of(c_.words(t), {"{", ";", "(", ")", ">", ","})) ++t;
    if (c_.words(t) != "{") continue;
    for (const std::size_t end = c_.closing(t++); t < end; ++t) {
      if (c_.words(t) == "(" || c_.words(t) == "{") t = c_.closing(t);
      if (!c_.is_identifier(t)) continue;
      if (c_.words(t - 1) == "*") pointers_.insert(c_.words(t));
      if (c_.words(t + 1) == "[") arrays_.insert(c_.words(t));
    }
  }
}

bool functions::is_array_member(std::string_view name) const {
  return arrays_.contains(name) && !pointers_.contains(name);
}

namespace {

bool may_wait(std::string_view w) {
  return is_one_of(w, {"__syncthreads", "sync", "__syncwarp"}) || w.find("shfl") != w.npos;
}

}  // namespace

bool waits(const code& c, const functions& all, std::string_view name) {
  std::set<std::string_view> seen;
  const std::function<bool(std::string_view)> visit = [&](std::string_view one) {
    const auto* const bodies = all.definitions(one);
    if (!bodies || !seen.insert(one).second) return false;
    for (const auto& body : *bodies)
      for (std::size_t t = body.first; t < body.end; ++t)
        if (!c.is_directive(t) && (may_wait(c.words(t)) || visit(c.words(t)))) return true;
    return false;
  };
  return visit(name);
}

}  // namespace lab::sim::loops
