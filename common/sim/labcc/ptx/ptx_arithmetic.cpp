#include "sim/labcc/ptx/ptx_arithmetic.hpp"

#include <algorithm>

// Instructions that compute one register of others. Each calls a function in lab_sim/ptx/integers.h,
// carries.h or reals.h.

namespace lab::sim {

namespace {

using maybe_cpp = std::optional<std::string>;

constexpr std::string_view number_types[] = {"u8", "u16", "u32", "u64", "s8",  "s16", "s32", "s64",
                                             "b8", "b16", "b32", "b64", "f32", "f64", "pred"};

// The instruction's words without its type; an operand for each letter: t of this type, u of 32 bits, w of twice the
// width. `types` begin the types that it has.
struct operation {
  std::string_view words, function, operands, types;
};
constexpr std::string_view integers = "us", bits = "b", any_numbers = "usf";
constexpr operation operations[] = {
    {"add", "add", "tt", any_numbers},
    {"add.rn", "add", "tt", "f"},
    {"add.sat", "add_sat", "tt", "s"},
    {"sub", "sub", "tt", any_numbers},
    {"sub.rn", "sub", "tt", "f"},
    {"sub.sat", "sub_sat", "tt", "s"},
    {"mul", "mul", "tt", "f"},
    {"mul.rn", "mul", "tt", "f"},
    {"mul.lo", "mul_lo", "tt", integers},
    {"mul.hi", "mul_hi", "tt", integers},
    {"mul.wide", "mul_wide", "tt", integers},
    {"mad.lo", "mad_lo", "ttt", integers},
    {"mad.hi", "mad_hi", "ttt", integers},
    {"mad.wide", "mad_wide", "ttw", integers},
    {"add.cc", "add_cc", "tt", integers},
    {"addc", "addc", "tt", integers},
    {"addc.cc", "addc_cc", "tt", integers},
    {"sub.cc", "sub_cc", "tt", integers},
    {"subc", "subc", "tt", integers},
    {"subc.cc", "subc_cc", "tt", integers},
    {"mad.lo.cc", "mad_lo_cc", "ttt", integers},
    {"mad.hi.cc", "mad_hi_cc", "ttt", integers},
    {"madc.lo", "madc_lo", "ttt", integers},
    {"madc.lo.cc", "madc_lo_cc", "ttt", integers},
    {"madc.hi", "madc_hi", "ttt", integers},
    {"madc.hi.cc", "madc_hi_cc", "ttt", integers},
    {"mul24.lo", "mul24_lo", "tt", integers},
    {"mul24.hi", "mul24_hi", "tt", integers},
    {"mad24.lo", "mad24_lo", "ttt", integers},
    {"mad24.hi", "mad24_hi", "ttt", integers},
    {"sad", "sad", "ttt", integers},
    {"div", "div", "tt", integers},
    {"rem", "rem", "tt", integers},
    {"abs", "abs", "t", "sf"},
    {"neg", "neg", "t", "sf"},
    {"min", "min", "tt", integers},
    {"max", "max", "tt", integers},
    {"and", "and_", "tt", "bp"},
    {"or", "or_", "tt", "bp"},
    {"xor", "xor_", "tt", "bp"},
    {"not", "not_", "t", "bp"},
    {"cnot", "cnot", "t", bits},
    {"shl", "shl", "tu", bits},
    {"shr", "shr", "tu", "usb"},
    {"popc", "popc", "t", bits},
    {"clz", "clz", "t", bits},
    {"brev", "brev", "t", bits},
    {"bfind", "bfind", "t", integers},
    {"bfind.shiftamt", "bfind_shiftamt", "t", integers},
    {"bfe", "bfe", "tuu", integers},
    {"bfi", "bfi", "ttuu", bits},
    {"bmsk.clamp", "bmsk_clamp", "uu", bits},
    {"bmsk.wrap", "bmsk_wrap", "uu", bits},
    {"lop3", "lop3", "tttu", bits},
    {"shf.l.clamp", "shf_l_clamp", "uuu", bits},
    {"shf.l.wrap", "shf_l_wrap", "uuu", bits},
    {"shf.r.clamp", "shf_r_clamp", "uuu", bits},
    {"shf.r.wrap", "shf_r_wrap", "uuu", bits},
    {"prmt", "prmt", "uuu", bits},
    {"min", "least", "tt", "f"},
    {"max", "greatest", "tt", "f"},
    {"fma.rn", "fused", "ttt", "f"},
    {"mad", "fused", "ttt", "f"},
    {"mad.rn", "fused", "ttt", "f"},
    {"div", "quotient", "tt", "f"},
    {"div.rn", "quotient", "tt", "f"},
    {"div.full", "quotient", "tt", "f"},
    {"div.approx", "quotient", "tt", "f"},
    {"copysign", "with_sign_of", "tt", "f"},
    {"rcp.rn", "rcp", "t", "f"},
    {"rcp.approx", "rcp", "t", "f"},
    {"sqrt.rn", "root", "t", "f"},
    {"sqrt.approx", "root", "t", "f"},
    {"rsqrt.approx", "rsqrt", "t", "f"},
    {"ex2.approx", "ex2", "t", "f"},
    {"lg2.approx", "lg2", "t", "f"},
    {"sin.approx", "sine", "t", "f"},
    {"cos.approx", "cosine", "t", "f"},
    {"tanh.approx", "tangent", "t", "f"},
};

bool are_values(const ptx_instruction& i, std::size_t count) {
  return i.operands.size() == count &&
         std::ranges::all_of(i.operands, [](const auto& o) { return o.what == ptx_operand::value; });
}

std::string assigned(const ptx_instruction& i, const std::string& value) {
  return in_ptx("set(") + i.operands[0].names[0] + ", " + value + ");";
}

// All words but the type, and .ftz, which flushes subnormal floats.
std::string words_but_last(const ptx_instruction& i) {
  std::string all;
  for (std::size_t w = 0; w + 1 < i.words.size(); ++w)
    if (i.words[w] != "ftz") all += (w ? "." : "") + i.words[w];
  return all;
}

std::string flushed(const ptx_instruction& i, const std::string& value) {
  return i.has("ftz") ? in_ptx("flushed(") + value + ")" : value;
}

// prmt.b32.f4e names its mode after the type.
maybe_cpp permutation(const ptx_instruction& i) {
  constexpr std::string_view modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  if (i.words.size() != 3 || i.words[1] != "b32" || !are_values(i, 4) || !std::ranges::count(modes, i.words[2]))
    return std::nullopt;
  std::string arguments;
  for (std::size_t o = 1; o < 4; ++o) arguments += (o > 1 ? ", " : "") + typed(i.operands[o].names[0], "u32");
  return assigned(i, in_ptx("prmt_" + i.words[2]) + "<" + in_ptx("u32") + ">(" + arguments + ")");
}

}  // namespace

std::string in_ptx(std::string_view name) { return "::lab_sim::ptx::" + std::string{name}; }

bool is_number_type(std::string_view word) { return std::ranges::count(number_types, word) > 0; }

std::string typed(const std::string& name, std::string_view type) {
  return in_ptx("as<") + in_ptx(type) + ">(" + name + ")";
}

maybe_cpp arithmetic(const ptx_instruction& i) {
  if (i.words.size() < 2) return std::nullopt;
  const std::string &type = i.words.back(), wanted = words_but_last(i);
  if (i.words[0] == "prmt" && type != "b32") return permutation(i);
  const auto row = std::ranges::find_if(
      operations, [&](const operation& o) { return o.words == wanted && o.types.find(type[0]) != o.types.npos; });
  const bool small = type.size() == 2 && row != std::end(operations) && row->words != "and";
  if (row == std::end(operations) || !is_number_type(type) || small || !are_values(i, row->operands.size() + 1) ||
      (i.has("ftz") && type != "f32"))
    return std::nullopt;
  std::string arguments;
  for (std::size_t o = 0; o < row->operands.size(); ++o) {
    const auto& name = i.operands[o + 1].names[0];
    const char what = row->operands[o];
    arguments += o ? ", " : "";
    arguments += what == 'w' ? in_ptx("as<") + in_ptx("wide<") + in_ptx(type) + ">>(" + name + ")"
                             : flushed(i, typed(name, what == 'u' ? "u32" : type));
  }
  return assigned(i, flushed(i, in_ptx(row->function) + "<" + in_ptx(type) + ">(" + arguments + ")"));
}

}  // namespace lab::sim
