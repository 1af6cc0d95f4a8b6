#include "sim/labcc/loops/emitter.hpp"

#include <algorithm>

namespace lab::sim::loops {

// Whether each thread keeps its value from one loop to the next.
bool emitter::is_kept(const variable& v) const {
  if (v.shared || plan_.is_of_block(v) || plan_.repeats(v)) return false;
  if (v.parameter) return !is_one_loop() && (!v.changes.empty() || v.address_taken);
  return plan_.crosses(v) || (v.pointed_at && plan_.fragments().size() > 1);
}

// Whether a parameter only needs a copy in each thread.
bool emitter::is_copied(const variable& v) const {
  return v.parameter && is_one_loop() && (!v.changes.empty() || v.address_taken);
}

bool emitter::uses(const variable& v, std::size_t f) const {
  const auto all = plan_.fragments()[f].all();
  return std::ranges::any_of(v.uses, [&](std::size_t t) { return all.contains(t); });
}

bool emitter::changes(const variable& v, std::size_t f) const {
  const auto all = plan_.fragments()[f].all();
  return std::ranges::any_of(v.changes, [&](std::size_t t) { return all.contains(t); });
}

bool emitter::declares(const variable& v, std::size_t f) const {
  return !v.parameter && f != c_.npos && plan_.fragments()[f].all().contains(v.declaration.first);
}

// The type as it stands in front of a name, without words that do not belong to a variable of the thread.
std::string emitter::type_of(const variable& v) const {
  std::string type;
  for (std::size_t t = v.type.first; t < v.type.end; ++t) {
    if (c_.words(t) == "auto" || c_.words(t) == "static" || c_.words(t) == "constexpr") throw declined{};
    if (c_.words(t) != "register") type += std::string{c_.words(t)} + " ";
  }
  return type + v.pointer;
}

std::string emitter::head(bool one_by_one) const {
  std::string text = one_by_one ? " LAB_SIM_THREAD_LOOPS(true);" : " LAB_SIM_THREAD_LOOPS(false);";
  for (const auto& v : variables_.all()) {
    const std::string name{v.name};
    if (!v.parameter) continue;
    // A structure that functions get may be large, and one loop only copies it.
    if (is_kept(v) && !plan_.has_barriers() && v.changes.empty()) throw declined{};
    if (is_kept(v)) text += room(v, "decltype(" + name + ")") + " LAB_SIM_FILL(" + name + ");";
    if (is_copied(v)) text += " const auto lab_given_" + name + " = " + name + ";";
  }
  return text;
}

std::string emitter::room(const variable& v, const std::string& type) const {
  const std::string macro = v.pointed_at ? " LAB_SIM_KEEP_POINTED_AT(" : " LAB_SIM_KEEP(";
  return macro + type + ", " + std::string{v.name} + ");";
}

std::string emitter::storage(std::size_t f) const {
  std::string text;
  for (const auto& v : variables_.all())
    if (is_kept(v) && declares(v, f)) {
      if (v.reference) throw declined{};
      if (plan_.has_turns()) require_simple(v);
      const auto dimensions = c_.text(v.dimensions);
      text += room(v, "LAB_SIM_TYPE(" + type_of(v) + dimensions + ")");
    }
  return text;
}

void emitter::repeat(const variable& v, std::size_t f, std::set<std::size_t>& declarations) const {
  if (!plan_.repeats(v) || declares(v, f)) return;
  for (const auto* need : plan_.needs(v))
    if (!need->parameter) repeat(*need, f, declarations);
  declarations.insert(v.declaration.first);
  for (const auto& other : variables_.all())  // the whole declaration is repeated
    if (!other.parameter && other.declaration.first == v.declaration.first)
      for (const auto* need : plan_.needs(other))
        if (!need->parameter && need->declaration.first != v.declaration.first) repeat(*need, f, declarations);
}

// Uses of what only other loops use, so that the compiler does not warn.
std::string emitter::named(std::size_t f) const {
  std::string text;
  for (const auto& v : variables_.all())
    if (plan_.repeats(v) && declares(v, f) && plan_.crosses(v) && (plan_.has_turns() || !uses(v, f)))
      text += " static_cast<void>(" + std::string{v.name} + ");";
  return text;
}

std::string emitter::repeated(const std::set<std::size_t>& declarations) const {
  std::string text;
  for (const auto first : declarations)
    for (const auto& v : variables_.all())
      if (!v.parameter && v.declaration.first == first) {
        text += " LAB_SIM_MAYBE_UNUSED " + c_.text(v.declaration);
        break;
      }
  return text;
}

// What a thread takes up again at the beginning of a loop.
std::string emitter::arrivals(std::size_t f) const {
  std::set<std::size_t> declarations;
  for (const auto& v : variables_.all())
    if (uses(v, f)) repeat(v, f, declarations);
  std::string text = repeated(declarations);
  for (const auto& v : variables_.all()) {
    const std::string name{v.name};
    if (is_copied(v)) text += " auto " + name + " = lab_given_" + name + ";";
    if (!is_kept(v) || declares(v, f) || !uses(v, f)) continue;
    const std::string type = stays_in_place(v) ? "auto&" : v.parameter ? "auto" : type_of(v);
    text += " " + type + " " + name + " = lab_keep_" + name + "[lab_thread];";
  }
  return text;
}

std::string emitter::departures(std::size_t f) const {
  std::string text;
  const auto& one = plan_.fragments()[f];
  if (f + 1 == plan_.fragments().size() && one.last && !one.by_turns) return text;  // no other loop follows
  for (const auto& v : variables_.all()) {
    if (!is_kept(v) || stays_in_place(v)) continue;
    if (declares(v, f) || (uses(v, f) && (v.address_taken || changes(v, f))))
      text += " lab_keep_" + std::string{v.name} + "[lab_thread] = " + std::string{v.name} + ";";
  }
  return text;
}

// Arrays, and what pointers may point at, stay in one place from loop to loop:
//   float sum[4] = {};   becomes   float lab_first_sum[4] = {}; auto& sum = ...;
void emitter::keep_in_place(std::size_t f) {
  for (const auto& v : variables_.all()) {
    if (!is_kept(v) || !stays_in_place(v) || !declares(v, f)) continue;
    const std::string name{v.name};
    const auto& token = c_.tokens()[v.scope.first];
    out_.replace(token.begin, token.end, "lab_first_" + name);
    std::string text = " auto& " + name + " = lab_keep_" + name + "[lab_thread]; ";
    text += v.has_initializer() ? "::lab_sim::keep_all(" + name + ", lab_first_" + name + ");"
                                : "static_cast<void>(lab_first_" + name + ");";
    out_.insert(c_.tokens()[v.declaration.end - 1].end, text);
  }
}

void emitter::write_fragment(std::size_t f, bool in_order) {
  const auto& one = plan_.fragments()[f];
  if (one.by_turns) return write_turns(f, in_order);
  if (const auto guards = plan_.guards_of(one); guards && !in_order) return write_rows(f, *guards);
  const auto all = one.all();
  const std::string begin = storage(f) + " LAB_SIM_EACH_THREAD { LAB_SIM_THREAD;" + arrivals(f) + " {";
  const std::string end = named(f) + departures(f) + " }", done = in_order ? " LAB_SIM_THREAD_DONE; }" : " }";
  bool returns = false;
  out_.insert(c_.tokens()[all.first - 1].end, begin);
  for (std::size_t t = all.first; t < all.end; ++t) {
    if (c_.words(t) != "return" || c_.is_directive(t)) continue;
    if (c_.words(t + 1) != ";") throw declined{};
    out_.replace(c_.tokens()[t].begin, c_.tokens()[t].end, "goto lab_next");
    returns = true;
  }
  keep_in_place(f);
  out_.insert(c_.tokens()[all.end - 1].end, end + (returns ? " lab_next:;" + done : done));
}

void emitter::write(range body, bool one_by_one, bool in_order) {
  const auto before = out_;
  try {
    out_.insert(c_.tokens()[body.first].end, head(one_by_one));
    for (const auto& b : plan_.barriers())
      out_.replace(c_.tokens()[b.first].begin, c_.tokens()[b.end - 1].begin, "static_cast<void>(0)");
    for (std::size_t f = 0; f < plan_.fragments().size(); ++f) {
      write_fragment(f, in_order);
      out_.insert(c_.tokens()[plan_.fragments()[f].all().end - 1].end, requests(f));
    }
  } catch (const declined&) {
    out_ = before;
    throw;
  }
}

}  // namespace lab::sim::loops
