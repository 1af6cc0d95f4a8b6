#include <algorithm>

#include "sim/labcc/loops/emitter.hpp"

// Loops without a barrier whose threads take every n-th element:
//   for (int i = first; i < n; i += blockDim.x * gridDim.x) p[i] = q[i];
// The threads of a block take turns, one iteration each, as they do on a GPU. Neighbours then access neighbours.
// Kernels whose threads exchange values keep the usual order, in which a missing barrier gives wrong values.

// Code without loops, most often behind a guard:
//   int i = blockIdx.x * blockDim.x + threadIdx.x;  if (i < n) p[i] = q[i];
// If all threads of a row pass the guard, their loop has no condition, and the compiler can use vector instructions.
// include/lab_sim/wide_rows.h has the macros.

namespace lab::sim::loops {

namespace {

bool is_word_of_index(std::string_view w) {
  return is_one_of(w, {"unsigned", "long", "int", "size_t", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t"});
}

bool is_simple(std::string_view w) {
  if (is_word_of_index(w) || is_one_of(w, {"const", "short", "char", "signed", "float", "double", "bool"})) return true;
  if (w.size() < 4 || w.back() < '1' || w.back() > '4') return false;  // float4
  return is_one_of(w.substr(0, w.size() - 1), {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"});
}

// Loops and atomics of a source keep the compiler from using vectors; the others have no place in a lambda.
bool keeps_from_vectors(std::string_view w) {
  return w.starts_with("atomic") ||
         is_one_of(w, {"for", "while", "do", "switch", "goto", "static", "extern", "__shared__", "asm", "using",
                       "typedef", "struct", "printf", "assert"});
}

}  // namespace

// Whether these tokens, or the initializers of the variables that they name, have one of the words.
bool plan::mentions(range tokens, std::initializer_list<std::string_view> some, int depth) {
  for (std::size_t t = tokens.first; t < tokens.end; ++t) {
    if (is_one_of(c_.words(t), some)) return true;
    const auto* const v = depth > 0 ? variables_.at(t) : nullptr;
    if (v && v->scope.first != t && mentions(v->initializer, some, depth - 1)) return true;
  }
  return false;
}

// The body of a turn must end where it ends.
bool plan::leaves_turn(range tokens) const {
  for (std::size_t t = tokens.first; t < tokens.end; ++t)
    if (is_one_of(c_.words(t), {"break", "continue", "return", "goto", "static", "__shared__"})) return true;
  return false;
}

bool plan::exchanges_values() const {
  for (std::size_t t = body_.first; t < body_.end; ++t)
    if (is_one_of(c_.words(t), {"__shared__", "__syncthreads", "__syncwarp"})) return true;
  return std::ranges::any_of(variables_.all(), &variable::shared);
}

std::optional<turns> plan::turns_of(const statement& s) {
  if (exchanges_values()) return std::nullopt;
  if (s.what != statement::kind::counted || s.is_of_block() || s.returns || s.all.first != s.begin) return std::nullopt;
  std::size_t name = s.header.first, first = name, second = 0;
  while (is_word_of_index(c_.words(name))) ++name;
  if (name == s.header.first || !c_.is_identifier(name) || c_.words(name + 1) != "=") return std::nullopt;
  while (first < s.header.end && c_.words(first) != ";") ++first;
  for (second = first + 1; second < s.header.end && c_.words(second) != ";";) ++second;
  if (second >= s.header.end || first < name + 3 || second == first + 1) return std::nullopt;
  const turns made{{s.header.first, name}, name, {name + 2, first}, {first + 1, second}, {second + 1, s.header.end}};
  for (std::size_t t = s.header.first; t < s.header.end; ++t)
    if (c_.words(t) == "," || c_.is_directive(t)) return std::nullopt;
  const bool strides = c_.words(made.step.first) == c_.words(name) && c_.words(made.step.first + 1) == "+" &&
                       mentions(made.step, {"blockDim", "gridDim"}, 3) && mentions(made.first, {"threadIdx"}, 3);
  const range body{s.header.end, s.all.end};
  if (!strides || leaves_turn(body) || !variables_.of(made.condition).pure) return std::nullopt;
  return made;
}

void plan::declare_turns(const statement& s) {
  const auto found = turns_of(s);
  if (!found) return;
  variables_.add({s.header.first, found->condition.first}, {s.header.first, s.all.end}, s.all);
  variables_.all().back().uniform = false;
  turns_[&s] = *found;
}

void emitter::require_simple(const variable& v) const {
  if (stays_in_place(v)) throw declined{};
  for (std::size_t t = v.type.first; t < v.type.end && v.pointer.empty(); ++t)
    if (!is_simple(c_.words(t))) throw declined{};
}

//   for (int i = first; i < n; i += step) { body }   becomes
//   { LAB_SIM_TURNS(int, i, first, ...) { body } i += step; LAB_SIM_TURNS_END(...) }
void emitter::write_turns(std::size_t f, bool in_order) {
  const auto& one = plan_.fragments()[f];
  const auto& s = *one.statements.front();
  const auto& how = *one.by_turns;
  const std::string name{c_.words(how.name)}, type = c_.text(how.type), values = "lab_keep_" + name;
  std::string taken = arrivals(f);
  for (const auto& v : variables_.all())
    if (is_kept(v) && uses(v, f)) taken += " static_cast<void>(" + std::string{v.name} + ");";
  const std::string begin =
      "{ LAB_SIM_KEEP(LAB_SIM_TYPE(" + type + "), " + name + "); LAB_SIM_EACH_THREAD { LAB_SIM_THREAD;" + taken + " " +
      values + "[lab_thread] = " + c_.text(how.first) +
      "; } LAB_SIM_TURNS { lab_more = false; LAB_SIM_EACH_ROW { const auto lab_goes_on = LAB_SIM_TURN(" + type + " " +
      name + ", bool& lab_on) { LAB_SIM_THREAD;" + taken + " lab_on = static_cast<bool>(" + c_.text(how.condition) +
      "); }; const auto lab_turn = LAB_SIM_TURN(" + type + " " + name + ") { LAB_SIM_THREAD;" + taken + " ";
  const std::string end = " " + c_.text(how.step) + "; " + values + "[lab_thread] = " + name + ";" + departures(f) +
                          (in_order ? " LAB_SIM_THREAD_DONE;" : "") + " }; LAB_SIM_TAKE_TURNS(" + values + "); } } }";
  out_.replace(c_.tokens()[s.begin].begin, c_.tokens()[s.header.end].end, begin);
  out_.insert(c_.tokens()[s.all.end - 1].end, end);
}

// A condition that all rows of most blocks pass compares with the place of the block.
std::optional<guard> plan::guard_at(const statement& s, bool last) {
  if (s.what != statement::kind::branch || s.inner.size() != 1 || s.header.first != s.begin + 2) return std::nullopt;
  const auto& then = s.inner.front();
  const bool returns = then.what == statement::kind::jump && then.returns;
  if (!returns && !last) return std::nullopt;
  for (std::size_t t = s.header.first; t < s.header.end; ++t)
    if (is_one_of(c_.words(t), {";", "%"}) || c_.is_directive(t)) return std::nullopt;
  const auto n = variables_.of(s.header);
  if (!n.pure || n.uniform || !mentions(s.header, {"blockIdx"}, 3)) return std::nullopt;
  for (const auto* need : n.needs) {
    const bool fixed = need->changes.empty() && !need->address_taken && (need->parameter || is_of_block(*need));
    if (!fixed && !repeats(*need)) return std::nullopt;
  }
  return guard{s.header, returns};
}

// Whether a declaration among these tokens that a guard may need divides. A division by zero stops a program on a CPU,
// so a thread that fails a guard must not divide after it.
bool plan::divides(range tokens) {
  return std::ranges::any_of(variables_.all(), [&](const variable& v) {
    return !v.parameter && repeats(v) && tokens.contains(v.declaration.first) &&
           variables_.reach(v.declaration, [](std::string_view w) { return w == "/" || w == "%"; });
  });
}

std::optional<std::vector<guard>> plan::guards_of(const fragment& f) {
  if (variables_.reach(f.all(), keeps_from_vectors)) return std::nullopt;
  std::vector<guard> found;
  for (const auto* s : f.statements) {
    auto one = guard_at(*s, s == f.statements.back());
    if (one && !found.empty() && divides({found.front().condition.end, s->begin})) one = std::nullopt;
    if (one) found.push_back(*one);
    if (!one && s->returns) return std::nullopt;
  }
  return found;
}

std::string emitter::passes(const std::vector<guard>& guards) {
  std::set<std::size_t> declarations;
  std::string conditions;
  for (const auto& g : guards) {
    for (const auto* need : variables_.of(g.condition).needs)
      if (plan_.repeats(*need)) repeat(*need, c_.npos, declarations);
    conditions +=
        std::string{conditions.empty() ? "" : " && "} + (g.returns ? "!" : "") + "(" + c_.text(g.condition) + ")";
  }
  return repeated(declarations) + " return " + (conditions.empty() ? "true" : conditions) + ";";
}

// Rows get copies of variables. But no copy can be made of dynamic shared memory, and none lives as long as a pointer.
std::string emitter::captures(std::size_t f) const {
  std::string text;
  for (const auto& v : variables_.all()) {
    bool dynamic = false, needed = uses(v, f);
    for (std::size_t t = v.type.first; t < v.type.end; ++t) dynamic = dynamic || c_.words(t) == "extern";
    for (const auto& other : variables_.all())
      if (plan_.repeats(other))
        needed = needed || std::ranges::find(plan_.needs(other), &v) != plan_.needs(other).end();
    const bool known = v.scope.contains(plan_.fragments()[f].all().first);
    if (known && needed && (dynamic || plan_.is_pointed_into(v))) text += ", &" + std::string{v.name};
  }
  return text;
}

//   if (i < n) p[i] = q[i];   becomes   if (lab_whole || (i < n)) p[i] = q[i];
void emitter::write_rows(std::size_t f, const std::vector<guard>& guards) {
  const auto all = plan_.fragments()[f].all();
  const std::string begin = storage(f) + " { const auto lab_passes = LAB_SIM_PASSES(" + captures(f) +
                            ") { LAB_SIM_THREAD;" + passes(guards) + " }; const auto lab_body = LAB_SIM_BODY(" +
                            captures(f) + ") { LAB_SIM_THREAD;" + arrivals(f) + " {";
  out_.insert(c_.tokens()[all.first - 1].end, begin);
  for (const auto& g : guards) {
    out_.insert(c_.tokens()[g.condition.first - 1].end, g.returns ? "!lab_whole && (" : "lab_whole || (");
    out_.insert(c_.tokens()[g.condition.end].begin, ")");
  }
  keep_in_place(f);
  out_.insert(c_.tokens()[all.end - 1].end, named(f) + departures(f) + " } }; LAB_SIM_RUN_ROWS; }");
}

}  // namespace lab::sim::loops
