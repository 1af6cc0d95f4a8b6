#include "sim/labcc/loops/expansion.hpp"

#include <algorithm>
#include <cctype>

namespace lab::sim::loops {

using kind = statement::kind;

void declare_all(const code& c, variables& found, const std::vector<statement>& sequence) {
  for (const auto& s : sequence) {
    if (s.what == kind::plain) found.add({s.begin, s.all.end}, s.all);
    if (s.what == kind::counted) {
      std::size_t end = s.header.first;
      while (end < s.header.end && c.words(end) != ";") ++end;
      if (end == s.header.end) throw declined{};
      if (end > s.header.first) found.add({s.header.first, end + 1}, s.all);
    }
    declare_all(c, found, s.inner);
  }
}

expansion::expansion(const code& source, const functions& all, const callee& function, variables& caller,
                     std::size_t number)
    : c_{source}, functions_{all}, f_{function}, caller_{caller}, number_{number} {}

std::string expansion::own(std::string_view name) const {
  return "lab_in" + std::to_string(number_) + "_" + std::string{name};
}

// The tokens with their new names, on one line.
std::string expansion::words(range r) const {
  std::string text;
  for (std::size_t t = r.first; t < r.end; ++t) {
    if (c_.is_directive(t)) continue;  // a pragma
    const auto w = c_.words(t);
    if (w.find('\n') != w.npos) throw declined{};
    const bool member = t > 0 && is_one_of(c_.words(t - 1), {".", "->", "::"});
    const auto name = member || !c_.is_identifier(t) ? names_.end() : names_.find(w);
    text += name == names_.end() ? std::string{w} : name->second;
    if (!c_.touches_next(t)) text += ' ';
  }
  return text;
}

bool expansion::changes(std::string_view name) const {
  for (std::size_t t = f_.body.first; t < f_.body.end; ++t) {
    if (is_one_of(c_.words(t), {"sizeof", "decltype"})) return true;
    if (c_.words(t) != name) continue;
    if (c_.assigns(t + 1) || c_.is_stepped_before(t) || c_.words(t - 1) == "&") return true;
  }
  return false;
}

std::string expansion::one_token(range argument) const {
  return argument.end == argument.first + 1 && c_.is_identifier(argument.first) ? std::string{c_.words(argument.first)}
                                                                                : std::string{};
}

bool expansion::is_shared_of_caller(std::string_view name) const {
  bool found = false;
  for (const auto& v : caller_.all()) {
    if (v.name != name) continue;
    if (!v.shared || !v.is_array()) return false;
    found = true;
  }
  return found;
}

void expansion::name_types(const call_of_function& call) {
  const auto given = list_parts(c_, call.types);
  if (given.size() != f_.types.size()) throw declined{};
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto text = c_.text(given[i]);
    names_[f_.types[i].name] = f_.types[i].is_type || !one_token(given[i]).empty() ? text : "(" + text + ")";
  }
}

std::string expansion::type_of(const parameter& p) const {
  std::string text = words(p.type);
  for (const std::string_view word : {"&", "__restrict__", "__restrict", "restrict"})
    if (const auto at = text.find(word); at != text.npos) text.erase(at, word.size());
  return text + (p.is_array ? " * " : " ");
}

void expansion::name_parameter(const parameter& p, range argument, bool has_references) {
  const auto token = one_token(argument), text = c_.text(argument);
  const bool shared = p.is_pointer && !p.is_reference && !p.is_volatile && is_shared_of_caller(token);
  if ((p.is_reference && !p.is_const) || p.is_group || (shared && !changes(p.name))) {
    if (token.empty()) throw declined{};
    names_[p.name] = token;
    given_.insert(token);
    return;
  }
  // A copy stands for a constant reference if nothing can change the original.
  const bool may_change = has_references || text.find_first_of("[*>") != text.npos;
  if (p.is_reference && (p.is_pointer || may_change)) throw declined{};
  const bool list = text.find(',') != text.npos;
  parameters_ += type_of(p) + own(p.name) + (list ? " = (" : " = ") + text + (list ? "); " : "; ");
  names_[p.name] = own(p.name);
}

void expansion::name_parameters(const call_of_function& call) {
  const auto given = list_parts(c_, call.arguments);
  if (given.size() != f_.parameters.size()) throw declined{};
  const bool references =
      std::ranges::any_of(f_.parameters, [](const parameter& p) { return p.is_reference && !p.is_const; });
  for (std::size_t i = 0; i < given.size(); ++i) name_parameter(f_.parameters[i], given[i], references);
}

void expansion::name_locals(const call_of_function& call) {
  const auto body = parse_body(c_, f_.body.first);
  variables locals{c_, functions_, {}};
  declare_all(c_, locals, body);
  std::string place{c_.words(f_.name)};
  for (const char letter : c_.text(call.types))
    place += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  std::map<std::string_view, std::string> found;
  for (const auto& v : locals.all()) {
    const std::string name = v.shared ? "lab_of_" + place + "_" + std::string{v.name} : own(v.name);
    if (names_.contains(v.name) || found.emplace(v.name, name).first->second != name) throw declined{};
    if (v.shared && (shared_.empty() || shared_.back().first != v.declaration.first)) shared_.push_back(v.declaration);
  }
  names_.merge(found);
}

bool expansion::is_of_caller(std::string_view name) const {
  return std::ranges::any_of(caller_.all(), [&](const variable& v) { return v.name == name; });
}

// A macro must name no variable: the one of the function has another name here, the one of the caller is another.
void expansion::require_no_capture_by(std::string_view macro, int depth) const {
  const auto* const texts = functions_.macro(macro);
  if (!texts) return;
  if (depth > 8) throw declined{};
  for (const auto& text : *texts)
    for (std::size_t t = text.first; t < text.end; ++t) {
      const auto w = c_.words(t);
      if (names_.contains(w) || is_of_caller(w)) throw declined{};
      if (c_.is_identifier(t)) require_no_capture_by(w, depth + 1);
    }
}

// Throws `declined` if a name of the function would find a variable of the caller.
void expansion::require_no_capture() const {
  for (std::size_t t = f_.body.first; t < f_.body.end; ++t) {
    const auto w = c_.words(t);
    if (is_one_of(w, {"assert", "__LINE__", "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"})) throw declined{};
    if (!c_.is_identifier(t) || c_.is_directive(t)) continue;
    require_no_capture_by(w, 0);
    if (names_.contains(w) || is_one_of(c_.words(t - 1), {".", "->", "::"})) continue;
    if (is_of_caller(w) || given_.contains(std::string{w})) throw declined{};
  }
}

// The body without the declarations of shared variables, which become the kernel's. Its return assigns the result.
std::string expansion::statements(std::vector<std::string>& shared) {
  const auto body = parse_body(c_, f_.body.first);
  std::size_t returns = 0;
  for (std::size_t t = f_.body.first; t < f_.body.end; ++t) returns += c_.words(t) == "return" ? 1 : 0;
  const bool at_end = !body.empty() && c_.words(body.back().begin) == "return";
  if (returns != (at_end ? 1U : 0U) || (f_.returns && !at_end)) throw declined{};
  std::string text;
  for (const auto& s : body) {
    if (std::ranges::any_of(shared_, [&](range d) { return d.first == s.begin; }))
      shared.push_back(words({s.begin, s.all.end}));
    else if (&s != &body.back() || !at_end)
      text += words({s.begin, s.all.end}) + " ";
    else if (f_.returns)
      text += own("result") + " = " + words({s.begin + 1, s.all.end}) + " ";
  }
  if (shared.size() != shared_.size()) throw declined{};  // one is in an inner statement
  return text;
}

// With a value, for g++ would warn at the student's line of a variable that the student does not have.
std::string expansion::result_variable() const { return words(f_.result) + " " + own("result") + "{}; "; }

void expansion::write(const call_of_function& call, const statement& around, bool is_declaration,
                      std::size_t kernel_body, std::set<std::string>& placed, edits& out) {
  name_types(call);
  name_parameters(call);
  name_locals(call);
  require_no_capture();
  std::vector<std::string> shared;
  const std::string text = "{ " + parameters_ + statements(shared) + "}";
  for (const auto& one : shared)
    if (placed.insert(one).second) out.insert(c_.tokens()[kernel_body].end, " " + one);
  const auto begin = [&](range r) { return c_.tokens()[r.first].begin; };
  const auto end = [&](range r) { return c_.tokens()[r.end - 1].end; };
  const range whole{around.begin, around.all.end};
  if (call.all.first == whole.first && call.all.end + 1 == whole.end)
    return out.replace(begin(whole), end(whole),
                       (f_.returns ? "{ " + result_variable() : "") + text + (f_.returns ? " }" : ""));
  if (!f_.returns) throw declined{};
  out.insert(begin(whole), (is_declaration ? "" : "{ ") + result_variable() + text + " ");
  out.replace(begin(call.all), end(call.all), own("result"));
  if (!is_declaration) out.insert(end(whole), " }");
}

}  // namespace lab::sim::loops
