#include <algorithm>

#include "sim/labcc/loops/emitter.hpp"

// In a loop with a barrier, the threads of a block read one row of memory after another. Each row makes them wait for
// memory, because no cache expects it. So once an index has its next value, memory is asked for what it will read:
//   s[t] = p[i]; i += n;   becomes   s[t] = p[i]; i += n;  and, for each line of a row,  LAB_SIM_ASK_FOR(p[i]);
// Asking changes no value, and it cannot fault.

namespace lab::sim::loops {

namespace {

// A read of a parameter's memory. A thread makes it under conditions, which are among the parts.
struct reading {
  std::size_t name;
  range index;
  std::vector<range> parts;
  std::string conditions;
};

class readings {
 public:
  readings(const code& source, variables& all) : c_{source}, variables_{all} {}
  const std::vector<reading>& found() const { return found_; }

  void find(const statement& s, const reading& outside = {}) {
    if (s.what == statement::kind::plain) return find_in_plain(s, outside);
    if (s.what == statement::kind::compound)
      for (const auto& inner : s.inner) find(inner, outside);
    if (s.what != statement::kind::branch || s.inner.size() != 1) return;
    auto inside = outside;
    inside.parts.push_back(s.header);
    inside.conditions += " if (" + c_.text(s.header) + ")";
    find(s.inner.front(), inside);
  }

 private:
  void find_in_plain(const statement& s, const reading& outside) {
    for (std::size_t t = s.begin; t < s.all.end; ++t) {
      const auto* const v = variables_.at(t);
      if (!v || c_.words(t + 1) != "[" || !v->parameter || v->class_type || v->is_volatile) continue;
      const std::size_t close = c_.closing(t + 1);
      if (!v->changes.empty() || v->address_taken || c_.assigns(close + 1)) continue;
      found_.push_back(outside);
      found_.back().name = t;
      found_.back().index = {t + 2, close};
      found_.back().parts.push_back(found_.back().index);
    }
  }

  const code& c_;
  variables& variables_;
  std::vector<reading> found_;
};

}  // namespace

// Whether an expression can stand after fragment f. Adds the variables that it needs.
bool emitter::may_stand_after(std::size_t f, range e, std::set<const variable*>& needs) const {
  for (std::size_t t = e.first; t < e.end; ++t) {
    const auto w = c_.words(t);
    if (w == "/" || w == "%") return false;  // they may stop the program
    if (!c_.is_identifier(t) || c_.words(t - 1) == "." || variables_.at(t) || variables_.is_number(w)) continue;
    if (!is_one_of(w, {"threadIdx", "blockIdx", "blockDim", "gridDim"})) return false;
  }
  const auto n = variables_.of(e);
  needs.insert(n.needs.begin(), n.needs.end());
  const std::size_t end = plan_.fragments()[f].all().end - 1;
  return n.pure && std::ranges::all_of(n.needs, [&](const variable* v) {
           if (!v->scope.contains(end)) return false;
           const bool fixed = plan_.is_of_block(*v) || (v->parameter && !is_kept(*v));
           return fixed || plan_.repeats(*v) || (is_kept(*v) && !stays_in_place(*v));
         });
}

// Whether fragment f gives an index the value that the next reading at `t` needs, and nothing else in its loop does.
bool emitter::moves(range index, std::size_t f, std::size_t t) const {
  const range loop = plan_.loop_around(f)->all, all = plan_.fragments()[f].all();
  bool any = false;
  for (const auto* v : variables_.of(index).needs)
    for (const auto change : v->changes) {
      if (!loop.contains(change)) continue;
      if (!all.contains(change) || (all.contains(t) && change < t)) return false;
      any = true;
    }
  return any;
}

std::string emitter::requests(std::size_t f) const {
  const auto* const loop = plan_.loop_around(f);
  if (!loop || plan_.fragments()[f].by_turns) return {};
  readings all{c_, variables_};
  for (std::size_t g = 0; g < plan_.fragments().size(); ++g)
    for (const auto* s : plan_.fragments()[g].statements)
      if (plan_.loop_around(g) == loop) all.find(*s);
  std::set<const variable*> needs;
  std::string text, sizes;
  for (const auto& one : all.found()) {
    auto more = needs;
    const auto may_stand = [&](range part) { return may_stand_after(f, part, more); };
    if (!std::ranges::all_of(one.parts, may_stand) || !moves(one.index, f, one.name)) continue;
    const std::string name{c_.words(one.name)}, size = "sizeof(*" + name + ")";
    const std::string request = one.conditions + " LAB_SIM_ASK_FOR(" + name + "[" + c_.text(one.index) + "]);";
    if (text.find(request) == text.npos) text += request;
    if (sizes.find(size) == sizes.npos) sizes += (sizes.empty() ? "" : ", ") + size;
    needs = more;
  }
  if (text.empty()) return text;
  std::set<std::size_t> declarations;
  std::string kept;
  for (const auto* v : needs) repeat(*v, c_.npos, declarations);
  for (const auto& v : variables_.all())
    if (const std::string name{v.name}; needs.contains(&v) && is_kept(v))
      kept += " const auto " + name + " = lab_keep_" + name + "[lab_thread];";
  return " LAB_SIM_EACH_LINE(" + sizes + ") { LAB_SIM_THREAD;" + repeated(declarations) + kept + text + " }";
}

}  // namespace lab::sim::loops
