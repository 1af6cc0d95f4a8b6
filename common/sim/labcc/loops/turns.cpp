#include <algorithm>

#include "sim/labcc/loops/emitter.hpp"

// Loops without a barrier whose threads take every n-th element:
//   for (int i = first; i < n; i += blockDim.x * gridDim.x) p[i] = q[i];
// The threads of a block take turns, one iteration each, as they do on a GPU. Neighbours then access neighbours.
// Kernels whose threads exchange values keep the usual order, in which a missing barrier gives wrong values.

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
  if (v.is_array()) throw declined{};
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

}  // namespace lab::sim::loops
