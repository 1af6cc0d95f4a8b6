#include <algorithm>
#include <utility>

#include "sim/labcc/ptx/ptx_arithmetic.hpp"

// The video instructions as calls of the functions in lab_sim/ptx/video.h.

namespace lab::sim {

namespace {

using maybe_cpp = std::optional<std::string>;

constexpr std::string_view scalar_names[] = {"add", "sub", "absdiff", "min", "max", "shl", "shr", "set"};
constexpr std::string_view simd_names[] = {"add", "sub", "absdiff", "min", "max", "avrg", "set"};
constexpr std::string_view comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

std::string in_video(std::string_view name) { return "::lab_sim::ptx::" + std::string{name}; }

bool is_type(std::string_view word) { return word == "u32" || word == "s32"; }

// "_1.b2" is a register and its part.
std::pair<std::string, std::string> selected(const std::string& operand) {
  const auto dot = operand.find('.');
  return dot == operand.npos ? std::pair{operand, std::string{}}
                             : std::pair{operand.substr(0, dot), operand.substr(dot + 1)};
}

maybe_cpp part(const std::string& selector) {
  if (selector.empty()) return "{0, 32}";
  const int place = selector.size() == 2 ? selector[1] - '0' : -1;
  if (selector[0] == 'b' && place >= 0 && place < 4) return "{" + std::to_string(place * 8) + ", 8}";
  if (selector[0] == 'h' && place >= 0 && place < 2) return "{" + std::to_string(place * 16) + ", 16}";
  return std::nullopt;
}

// The types that follow the name, and the words after them.
struct video_words {
  std::string name;
  std::vector<std::string> types, rest;
};

video_words words_of(const ptx_instruction& i) {
  video_words w{i.words[0].substr(1), {}, {}};
  for (std::size_t n = 1; n < i.words.size(); ++n)
    (is_type(i.words[n]) && w.rest.empty() ? w.types : w.rest).push_back(i.words[n]);
  return w;
}

bool take(std::vector<std::string>& words, std::string_view word) { return std::erase(words, word) > 0; }

// A comparison, or the operation itself.
maybe_cpp operation_of(video_words& w) {
  if (w.name != "set") return "::lab_sim::ptx::video::" + w.name;
  for (const auto word : comparisons)
    if (take(w.rest, word)) return "::lab_sim::ptx::video::" + std::string{word};
  return std::nullopt;
}

std::string template_types(const video_words& w) {
  const bool compares = w.types.size() == 2;
  return "<" + in_video(compares ? "u32" : w.types[0]) + ", " + in_video(w.types[compares ? 0 : 1]) + ", " +
         in_video(w.types[compares ? 1 : 2]) + ">(";
}

// vadd.dtype.atype.btype{.sat}{.add} d, a.b1, b.h0, c
maybe_cpp scalar(const ptx_instruction& i, video_words w) {
  const bool shifts = w.name == "shl" || w.name == "shr", wraps = take(w.rest, "wrap");
  if (shifts && !wraps && !take(w.rest, "clamp")) return std::nullopt;
  const auto what = operation_of(w);
  const bool saturates = take(w.rest, "sat");
  if (!what || w.types.size() != (w.name == "set" ? 2 : 3) || i.operands.size() < 3) return std::nullopt;
  const auto d = selected(i.operands[0].names[0]), a = selected(i.operands[1].names[0]),
             b = selected(i.operands[2].names[0]);
  const auto d_part = part(d.second), a_part = part(a.second), b_part = part(b.second);
  if (!d_part || !a_part || !b_part) return std::nullopt;
  std::string then = d.second.empty() ? "nothing" : "merges";
  for (const auto& [word, name] : {std::pair{"add", "adds"}, {"min", "min"}, {"max", "max"}})
    if (take(w.rest, word)) then = name;
  if (!w.rest.empty() || i.operands.size() != (then == "nothing" ? 3u : 4u)) return std::nullopt;
  std::string second = typed(b.first, "u32");
  std::string second_part = *b_part;
  if (shifts) {
    second = in_video(wraps ? "shift_wrapped(" : "shift_clamped(") + "static_cast<unsigned>(" + in_video("part_of<") +
             in_video("u32") + ">(" + second + ", " + *b_part + ")))";
    second_part = "{0, 32}";
  }
  const std::string third = i.operands.size() == 4 ? ", " + typed(i.operands[3].names[0], "u32") : "";
  return "::lab_sim::ptx::set(" + d.first + ", " + in_video("video_scalar") + template_types(w) + *what + ", " +
         (saturates ? "true" : "false") + ", ::lab_sim::ptx::after::" + then + ", " + *d_part + ", " + *a_part + ", " +
         second_part + ", " + typed(a.first, "u32") + ", " + second + third + "));";
}

// ".b3210" as digits of a number, the lowest digit first; the standard places if there is none.
maybe_cpp places(const std::string& selector, char kind, unsigned lanes, const std::string& standard) {
  const std::string digits = selector.empty() ? standard : selector.substr(1);
  const auto known = [&](char c) { return c >= '0' && c < static_cast<char>('0' + 2 * lanes); };
  if ((!selector.empty() && selector[0] != kind) || digits.size() != lanes || !std::ranges::all_of(digits, known))
    return std::nullopt;
  return "0x" + digits;
}

maybe_cpp mask_of(const std::string& selector, char kind, unsigned lanes) {
  if (selector.empty()) return std::to_string((1u << lanes) - 1);
  unsigned mask = 0;
  for (const char c : selector.substr(1)) {
    if (c < '0' || c >= static_cast<char>('0' + lanes)) return std::nullopt;
    mask |= 1u << (c - '0');
  }
  return selector[0] == kind ? maybe_cpp{std::to_string(mask)} : std::nullopt;
}

// vabsdiff4.dtype.atype.btype{.add} d.b3210, a.b3210, b.b7654, c
maybe_cpp simd(const ptx_instruction& i, video_words w, unsigned lanes) {
  const auto what = operation_of(w);
  const bool saturates = take(w.rest, "sat"), adds = take(w.rest, "add");
  if (!what || !w.rest.empty() || w.types.size() != (w.name == "set" ? 2 : 3) || i.operands.size() != 4)
    return std::nullopt;
  const char kind = lanes == 2 ? 'h' : 'b';
  const auto d = selected(i.operands[0].names[0]), a = selected(i.operands[1].names[0]),
             b = selected(i.operands[2].names[0]);
  const auto mask = mask_of(d.second, kind, lanes), first = places(a.second, kind, lanes, lanes == 2 ? "10" : "3210"),
             second = places(b.second, kind, lanes, lanes == 2 ? "32" : "7654");
  if (!mask || !first || !second) return std::nullopt;
  return "::lab_sim::ptx::set(" + d.first + ", " + in_video("video_simd") + template_types(w) + *what + ", " +
         std::to_string(lanes) + ", " + (saturates ? "true" : "false") + ", " + (adds ? "true" : "false") + ", " +
         *mask + ", " + *first + ", " + *second + ", " + typed(a.first, "u32") + ", " + typed(b.first, "u32") + ", " +
         typed(i.operands[3].names[0], "u32") + "));";
}

// dp4a.atype.btype d, a, b, c and dp2a.lo.atype.btype d, a, b, c
maybe_cpp dot(const ptx_instruction& i) {
  const bool two = i.words[0] == "dp2a", high = i.words.size() > 1 && i.words[1] == "hi";
  if (i.words.size() != (two ? 4 : 3) || (two && !high && i.words[1] != "lo") || i.operands.size() != 4)
    return std::nullopt;
  const auto &a_type = i.words[two ? 2 : 1], &b_type = i.words[two ? 3 : 2];
  if (!is_type(a_type) || !is_type(b_type)) return std::nullopt;
  const std::string which = two ? "dot_2" : "dot_4", first = two ? (high ? "true, " : "false, ") : "";
  return "::lab_sim::ptx::set(" + i.operands[0].names[0] + ", " + in_video(which) + "<" + in_video(a_type) + ", " +
         in_video(b_type) + ">(" + first + typed(i.operands[1].names[0], "u32") + ", " +
         typed(i.operands[2].names[0], "u32") + ", " + typed(i.operands[3].names[0], "u32") + "));";
}

}  // namespace

maybe_cpp video(const ptx_instruction& i) {
  if (i.words.empty()) return std::nullopt;
  if (i.words[0] == "dp4a" || i.words[0] == "dp2a") return dot(i);
  const bool values = std::ranges::all_of(i.operands, [](const auto& o) { return o.what == ptx_operand::value; });
  if (!i.words[0].starts_with('v') || !values) return std::nullopt;
  auto w = words_of(i);
  const char lanes = w.name.empty() ? '0' : w.name.back();
  if (lanes != '2' && lanes != '4')
    return std::ranges::count(scalar_names, w.name) ? scalar(i, std::move(w)) : std::nullopt;
  w.name.pop_back();
  return std::ranges::count(simd_names, w.name) ? simd(i, std::move(w), static_cast<unsigned>(lanes - '0'))
                                                : std::nullopt;
}

}  // namespace lab::sim
