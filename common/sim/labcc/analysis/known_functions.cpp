#include "sim/labcc/analysis/known_functions.hpp"

#include <algorithm>
#include <set>

namespace lab::sim::loops {

namespace {

using names = std::set<std::string_view>;

// Of <math.h>, for double; with an f behind them for float.
const names& mathematics() {
  static const names all{"acos",   "acosh",    "asin",      "asinh",  "atan",   "atan2",  "atanh",   "cbrt",
                         "ceil",   "copysign", "cos",       "cosh",   "cospi",  "erf",    "erfc",    "erfcinv",
                         "erfcx",  "erfinv",   "exp",       "exp10",  "exp2",   "expm1",  "fabs",    "fdim",
                         "floor",  "fma",      "fmax",      "fmin",   "fmod",   "hypot",  "ilogb",   "ldexp",
                         "lgamma", "log",      "log10",     "log1p",  "log2",   "logb",   "normcdf", "nearbyint",
                         "pow",    "rcbrt",    "remainder", "rint",   "round",  "rsqrt",  "sin",     "sinh",
                         "sinpi",  "sqrt",     "tan",       "tanh",   "tgamma", "trunc",  "fdivide", "nextafter",
                         "rhypot", "scalbn",   "lrint",     "llrint", "lround", "llround"};
  return all;
}

const names& others() {
  static const names all{"abs",
                         "labs",
                         "llabs",
                         "min",
                         "max",
                         "isnan",
                         "isinf",
                         "isfinite",
                         "signbit",
                         "saturate",
                         "mul24",
                         "umul24",
                         "umin",
                         "umax",
                         "__popc",
                         "__popcll",
                         "__clz",
                         "__clzll",
                         "__ffs",
                         "__ffsll",
                         "__brev",
                         "__brevll",
                         "__byte_perm",
                         "__saturatef",
                         "__dp4a",
                         "__sinf",
                         "__cosf",
                         "__tanf",
                         "__expf",
                         "__exp10f",
                         "__logf",
                         "__log2f",
                         "__log10f",
                         "__powf",
                         "__fdividef",
                         "__mul24",
                         "__umul24",
                         "__mulhi",
                         "__umulhi",
                         "__mul64hi",
                         "__umul64hi",
                         "__sad",
                         "__usad",
                         "__hadd",
                         "__rhadd",
                         "__uhadd",
                         "__urhadd",
                         "__funnelshift_l",
                         "__funnelshift_r",
                         "__funnelshift_lc",
                         "__funnelshift_rc",
                         "__hiloint2double",
                         "__double2hiint",
                         "__double2loint"};
  return all;
}

const names& that_change_memory() {
  static const names all{"sincos",
                         "sincosf",
                         "__sincosf",
                         "sincospi",
                         "sincospif",
                         "frexp",
                         "frexpf",
                         "modf",
                         "modff",
                         "atomicAdd",
                         "atomicSub",
                         "atomicMin",
                         "atomicMax",
                         "atomicAnd",
                         "atomicOr",
                         "atomicXor",
                         "atomicExch",
                         "atomicInc",
                         "atomicDec",
                         "__threadfence",
                         "__threadfence_block",
                         "__ldg",
                         "clock64",
                         "LAB_SIM_WORD",
                         "LAB_SIM_WHOLE_WARPS",
                         "LAB_SIM_LANE",
                         "LAB_SIM_LANE_UP",
                         "LAB_SIM_LANE_DOWN",
                         "LAB_SIM_LANE_XOR",
                         "LAB_SIM_MEMBER_XOR"};
  return all;
}

// make_float4, __float2int_rn, __fadd_rn and their like.
bool is_of_family(std::string_view name) {
  for (const std::string_view beginning : {"make_", "__float2", "__float_as", "__int2", "__int_as", "__uint2",
                                           "__uint_as", "__double2", "__double_as", "__ll2", "__ull2", "__longlong_as"})
    if (name.starts_with(beginning)) return true;
  const bool rounds = name.ends_with("_rn") || name.ends_with("_rz") || name.ends_with("_ru") || name.ends_with("_rd");
  return rounds && (name.starts_with("__f") || name.starts_with("__d"));
}

}  // namespace

bool is_pure_function(std::string_view name) {
  if (mathematics().contains(name) || others().contains(name) || is_of_family(name)) return true;
  return name.ends_with("f") && mathematics().contains(name.substr(0, name.size() - 1));
}

bool is_harmless_function(std::string_view name) {
  return is_pure_function(name) || that_change_memory().contains(name);
}

bool names_its_thread(std::string_view name) { return name == "printf" || name == "assert" || name == "__trap"; }

bool is_keyword_before_parenthesis(std::string_view word) {
  static const names all{"if",
                         "for",
                         "while",
                         "switch",
                         "return",
                         "sizeof",
                         "alignof",
                         "decltype",
                         "alignas",
                         "static_cast",
                         "reinterpret_cast",
                         "const_cast",
                         "static_assert",
                         "constexpr",
                         "__align__",
                         "__attribute__",
                         "noexcept",
                         "bool",
                         "char",
                         "short",
                         "int",
                         "long",
                         "unsigned",
                         "signed",
                         "float",
                         "double",
                         "size_t",
                         "int8_t",
                         "int16_t",
                         "int32_t",
                         "int64_t",
                         "uint8_t",
                         "uint16_t",
                         "uint32_t",
                         "uint64_t",
                         "uint",
                         "uchar",
                         "ushort",
                         "and",
                         "or",
                         "not"};
  return all.contains(word);
}

}  // namespace lab::sim::loops
