#include <algorithm>
#include <iterator>

#include "sim/labcc/ptx/ptx_arithmetic.hpp"

// cvt: each form calls a function of lab_sim/ptx/conversions.h.

namespace lab::sim {

namespace {

using maybe_cpp = std::optional<std::string>;

std::string in_conversions(std::string_view name) { return "::lab_sim::ptx::" + std::string{name}; }

struct rounding_word {
  std::string_view word, direction;
  bool to_whole;
};
constexpr rounding_word roundings[] = {{"rn", "nearest", false}, {"rz", "zero", false},    {"rm", "down", false},
                                       {"rp", "up", false},      {"rni", "nearest", true}, {"rzi", "zero", true},
                                       {"rmi", "down", true},    {"rpi", "up", true}};

// cvt.modifiers.to.from
struct form {
  const rounding_word* round = nullptr;
  bool saturates = false, flushes = false, no_negative = false;
  std::string to, from;

  // As an initializer of lab_sim::ptx::conversion.
  std::string words() const {
    const auto truth = [](bool value) { return value ? "true" : "false"; };
    return "{" + in_conversions("direction::") + (round ? std::string{round->direction} : "none") + ", " +
           truth(round && round->to_whole) + ", " + truth(saturates) + ", " + truth(flushes) + ", " +
           truth(no_negative) + "}";
  }
};

bool is_narrow(std::string_view type) { return type == "f16" || type == "bf16"; }
bool is_pair(std::string_view type) { return type == "f16x2" || type == "bf16x2"; }
bool is_integer(std::string_view type) { return type.starts_with('u') || type.starts_with('s'); }
bool is_plain(std::string_view type) {
  return is_number_type(type) && (is_integer(type) || type == "f32" || type == "f64");
}

std::string format_of(std::string_view type) {
  return type.starts_with('b') ? "::lab_sim::bfloat16_format" : "::lab_sim::half_format";
}

std::optional<form> form_of(const ptx_instruction& i) {
  if (i.words.size() < 3) return std::nullopt;
  form result;
  result.from = i.words.back();
  result.to = i.words[i.words.size() - 2];
  for (std::size_t w = 1; w + 2 < i.words.size(); ++w) {
    const auto round = std::ranges::find(roundings, i.words[w], &rounding_word::word);
    if (round != std::end(roundings))
      result.round = round;
    else if (i.words[w] == "sat")
      result.saturates = true;
    else if (i.words[w] == "ftz")
      result.flushes = true;
    else if (i.words[w] == "relu")
      result.no_negative = true;
    else
      return std::nullopt;
  }
  return result;
}

// A conversion that may lose something must say how it rounds, one that cannot must not.
bool rounds_as_it_must(const form& f) {
  const bool from_real = !is_integer(f.from), to_real = !is_integer(f.to);
  if (from_real && !to_real) return f.round && f.round->to_whole;
  if (!from_real && !to_real) return !f.round;
  if (!from_real) return f.round && !f.round->to_whole;
  const auto bytes = [](std::string_view type) { return type == "f64" ? 8 : type == "f32" ? 4 : 2; };
  if (bytes(f.to) < bytes(f.from)) return f.round && !f.round->to_whole;
  return !f.round || (f.round->to_whole && f.to == f.from && !is_narrow(f.to));
}

// The operand as a number that C++ knows.
std::string number(const std::string& name, const std::string& type) {
  if (!is_narrow(type)) return typed(name, type);
  return in_conversions("widened<") + format_of(type) + ">(" + typed(name, "u16") + ")";
}

std::string narrowed(const std::string& name, const form& f) {
  return in_conversions("narrowed<") + format_of(f.to) + ">(" + number(name, f.from) + ", " + f.words() + ")";
}

// cvt.rn.f16x2.f32 d, high, low
maybe_cpp to_pair(const ptx_instruction& i, const form& f) {
  const bool known = f.round && !f.round->to_whole && (f.round->word == "rn" || f.round->word == "rz");
  if (f.from != "f32" || !known || f.saturates || i.operands.size() != 3) return std::nullopt;
  return in_conversions("pair_of(") + narrowed(i.operands[1].names[0], f) + ", " + narrowed(i.operands[2].names[0], f) +
         ")";
}

maybe_cpp to_one(const ptx_instruction& i, const form& f) {
  if (i.operands.size() != 2 || !rounds_as_it_must(f)) return std::nullopt;
  const auto& from = i.operands[1].names[0];
  const bool wide = f.from == "s64" || f.from == "u64";
  if (is_narrow(f.to)) return wide || f.flushes ? std::nullopt : maybe_cpp{narrowed(from, f)};
  if (f.no_negative) return std::nullopt;
  return in_conversions("convert<") + in_conversions(f.to) + ">(" + number(from, f.from) + ", " + f.words() + ")";
}

// cvt.rn.satfinite.relu.e4m3x2.f32 d, high, low; cvt.rn.satfinite.e5m2x2.f16x2 d, a; cvt.rn.f16x2.e4m3x2 d, a
maybe_cpp of_fp8(const ptx_instruction& i) {
  const bool relu = i.words.size() > 2 && i.has("relu");
  const auto is = [&](std::initializer_list<std::string_view> words, std::size_t operands) {
    std::vector<std::string> rest;
    std::ranges::copy_if(i.words, std::back_inserter(rest), [](const auto& w) { return w != "relu"; });
    return std::ranges::equal(rest, words) && i.operands.size() == operands;
  };
  const auto& all = i.operands;
  for (const auto* format : {"e4m3", "e5m2"}) {
    const std::string two = format + std::string{"x2"}, last = relu ? ", true)" : ", false)";
    const auto name = [&](const char* f) { return in_conversions(f) + "<" + in_conversions(format) + ">("; };
    if (is({"cvt", "rn", "satfinite", two, "f32"}, 3))
      return name("fp8_of_floats") + typed(all[1].names[0], "f32") + ", " + typed(all[2].names[0], "f32") + last;
    if (is({"cvt", "rn", "satfinite", two, "f16x2"}, 2))
      return name("fp8_of_halves") + typed(all[1].names[0], "u32") + last;
    if (is({"cvt", "rn", "f16x2", two}, 2)) return name("halves_of_fp8") + typed(all[1].names[0], "u16") + last;
  }
  return std::nullopt;
}

// cvt.rna.tf32.f32 d, a
bool is_to_tf32(const ptx_instruction& i) {
  return std::ranges::equal(i.words, std::initializer_list<std::string_view>{"cvt", "rna", "tf32", "f32"}) &&
         i.operands.size() == 2;
}

maybe_cpp value_of(const ptx_instruction& i) {
  if (const auto narrowest = of_fp8(i)) return narrowest;
  if (is_to_tf32(i)) return in_conversions("tf32_of(") + typed(i.operands[1].names[0], "f32") + ")";
  const auto f = form_of(i);
  if (!f || !(is_plain(f->from) || is_narrow(f->from))) return std::nullopt;
  if (is_pair(f->to)) return to_pair(i, *f);
  return is_plain(f->to) || is_narrow(f->to) ? to_one(i, *f) : std::nullopt;
}

}  // namespace

maybe_cpp conversion(const ptx_instruction& i) {
  const bool values = std::ranges::all_of(i.operands, [](const auto& o) { return o.what == ptx_operand::value; });
  const auto value = values ? value_of(i) : std::nullopt;
  return value ? maybe_cpp{in_conversions("set(") + i.operands[0].names[0] + ", " + *value + ");"} : std::nullopt;
}

}  // namespace lab::sim
