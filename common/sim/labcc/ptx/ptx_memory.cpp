#include <algorithm>

#include "sim/labcc/ptx/ptx_arithmetic.hpp"

// Loads, stores, atomics, addresses and barriers. Each calls a function in lab_sim/ptx/memory.h.

namespace lab::sim {

namespace {

using maybe_cpp = std::optional<std::string>;
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::count(all, word.substr(0, word.find("::"))) > 0;
}

// Where the data stay in the caches changes no value.
bool is_of_caches(std::string_view word) {
  return is_one_of(word, {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1", "L2"});
}

// Whether the instruction has no words but these, its name and its type.
bool knows_words(const ptx_instruction& i, std::initializer_list<std::string_view> known) {
  if (i.words.size() < 2 || !is_number_type(i.words.back()) || i.words.back() == "pred") return false;
  return std::all_of(i.words.begin() + 1, i.words.end() - 1,
                     [&](const auto& word) { return is_of_caches(word) || is_one_of(word, known); });
}

// The address as a pointer; 32 bits of shared memory or 64 of any. Local memory has no addresses of its own.
std::string pointer(const ptx_instruction& i, const ptx_operand& o) {
  return in_ptx(i.has("shared") ? "in_shared(" : "anywhere(") + o.names.at(0) +
         (o.offset.empty() ? "" : ", " + o.offset) + ")";
}

std::string order(const ptx_instruction& i) {
  for (const auto* word : {"volatile", "relaxed", "acquire", "release"})
    if (i.has(word)) return in_ptx("access::") + (word == std::string_view{"volatile"} ? "watched" : word);
  return in_ptx("access::plain");
}

std::string function(const ptx_instruction& i, std::string_view name) {
  return in_ptx(name) + "<" + in_ptx(i.words.back()) + ", " + order(i) + ">(";
}

// A cache policy may follow the operands.
std::size_t operands_without_policy(const ptx_instruction& i) {
  const bool has_policy = std::ranges::find(i.words, "L2::cache_hint") != i.words.end();
  return i.operands.size() - (has_policy ? 1 : 0);
}

std::size_t width_of(const ptx_instruction& i) { return i.has("v2") ? 2 : i.has("v4") ? 4 : 1; }

// Whether the operand holds the registers of the instruction, which moves 16 bytes at most.
bool fits(const ptx_instruction& i, const ptx_operand& o) {
  const std::size_t width = width_of(i);
  if (width * std::stoul(i.words.back().substr(1)) > 128) return false;
  return width == 1 ? o.what == ptx_operand::value || (o.what == ptx_operand::list && o.names.size() == 1)
                    : o.what == ptx_operand::list && o.names.size() == width;
}

// ld.global.nc.L1::no_allocate.v4.f32 {a, b, c, d}, [address]
maybe_cpp load(const ptx_instruction& i) {
  const bool known = knows_words(i, {"volatile", "relaxed", "acquire", "weak", "cta", "cluster", "gpu", "sys", "global",
                                     "shared", "local", "const", "v2", "v4"});
  if (!known || operands_without_policy(i) != 2 || i.operands[1].what != ptx_operand::address ||
      !fits(i, i.operands[0]))
    return std::nullopt;
  std::string result = function(i, "load_to") + pointer(i, i.operands[1]);
  for (const auto& name : i.operands[0].names) result += ", " + name;
  return result + ");";
}

// st.shared.v2.u32 [address], {a, b}
maybe_cpp store(const ptx_instruction& i) {
  const bool known = knows_words(i, {"volatile", "relaxed", "release", "weak", "cta", "cluster", "gpu", "sys", "global",
                                     "shared", "local", "v2", "v4"});
  if (!known || operands_without_policy(i) != 2 || i.operands[0].what != ptx_operand::address ||
      !fits(i, i.operands[1]))
    return std::nullopt;
  std::string result = function(i, "store_from") + pointer(i, i.operands[0]);
  for (const auto& name : i.operands[1].names) result += ", " + typed(name, i.words.back());
  return result + ");";
}

// The name in CUDA of an operation on memory, for the types that PTX gives it.
std::string atomic_function(const ptx_instruction& i) {
  struct form {
    std::string_view word, types, function;
  };
  constexpr form forms[] = {{"add", "u32 s32 u64 f32 f64", "atomicAdd"},
                            {"min", "u32 s32 u64 s64", "atomicMin"},
                            {"max", "u32 s32 u64 s64", "atomicMax"},
                            {"inc", "u32", "atomicInc"},
                            {"dec", "u32", "atomicDec"},
                            {"and", "b32 b64", "atomicAnd"},
                            {"or", "b32 b64", "atomicOr"},
                            {"xor", "b32 b64", "atomicXor"},
                            {"exch", "b32 b64", "atomicExch"},
                            {"cas", "b16 b32 b64", "atomicCAS"}};
  for (const auto& f : forms)
    if (i.has(f.word) && f.types.find(i.words.back()) != f.types.npos)
      return std::string{f.function} + (i.has("cta") ? "_block" : i.has("sys") ? "_system" : "");
  return {};
}

// atom.acq_rel.gpu.global.add.u32 d, [address], a; red.global.add.f32 [address], a
maybe_cpp atomic(const ptx_instruction& i) {
  const bool returns = i.words[0] == "atom";
  const bool known =
      knows_words(i, {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "global", "shared",
                      "add",     "min",     "max",     "inc",     "dec", "and",     "or",  "xor", "exch",   "cas"});
  const auto name = known ? atomic_function(i) : "";
  const std::size_t at = returns ? 1 : 0, values = i.has("cas") ? 2 : 1;
  if (name.empty() || operands_without_policy(i) != at + 1 + values || i.operands[at].what != ptx_operand::address)
    return std::nullopt;
  const auto& type = i.words.back();
  std::string call = "::" + name + "(static_cast<" + in_ptx(type) + "*>(" + pointer(i, i.operands[at]) + ")";
  for (std::size_t o = at + 1; o < at + 1 + values; ++o) {
    if (i.operands[o].what != ptx_operand::value) return std::nullopt;
    call += ", " + typed(i.operands[o].names[0], type);
  }
  call += ")";
  const std::string before = i.has("release") || i.has("acq_rel") ? "::__threadfence(); " : "";
  const std::string after = i.has("acquire") || i.has("acq_rel") ? " ::lab_sim::has_waited();" : "";
  const bool kept = returns && i.operands[0].names[0] != "r__";
  return "{ " + before + (kept ? in_ptx("set(") + i.operands[0].names[0] + ", " + call + ")" : call) + ";" + after +
         " }";
}

// cvta.to.shared.u64 d, a; only shared memory has addresses of its own.
maybe_cpp address_conversion(const ptx_instruction& i) {
  if (!are(i, {ptx_operand::value, ptx_operand::value}) ||
      !knows_words(i, {"to", "global", "shared", "const", "local", "param"}))
    return std::nullopt;
  const std::string from = typed(i.operands[1].names[0], i.words.back());
  const std::string to = !i.has("shared") ? from
                         : i.has("to")    ? in_ptx("to_shared(") + from + ")"
                                          : in_ptx("of_shared(") + from + ")";
  return in_ptx("set(") + i.operands[0].names[0] + ", " + to + ");";
}

// bar.sync 0; bar.sync 1, 64; bar.arrive 1, 64; bar.red.popc.u32 d, 0, p; bar.warp.sync mask
maybe_cpp barrier(const ptx_instruction& i) {
  if (i.has("cluster")) return std::nullopt;
  if (i.has("warp"))
    return are(i, {ptx_operand::value}) ? maybe_cpp{"::__syncwarp(" + i.operands[0].names[0] + ");"} : std::nullopt;
  if (i.has("sync") && are(i, {ptx_operand::value})) return "::__syncthreads();";
  if (const bool waits = i.has("sync"); waits || i.has("arrive"))
    return are(i, {ptx_operand::value, ptx_operand::value})
               ? maybe_cpp{"::lab_sim::barrier_of_part(" + i.operands[0].names[0] + ", " + i.operands[1].names[0] +
                           (waits ? ", true);" : ", false);")}
               : std::nullopt;
  if (!i.has("red") || i.operands.size() != 3) return std::nullopt;
  const std::string kind = i.has("popc") ? "count" : i.has("and") ? "and" : i.has("or") ? "or" : "";
  if (kind.empty()) return std::nullopt;
  return in_ptx("set(") + i.operands[0].names[0] + ", ::__syncthreads_" + kind + "(" + i.operands[2].names[0] + "));";
}

// membar.gl
maybe_cpp memory_fence(const ptx_instruction& i) {
  if (!i.operands.empty() || i.words.size() != 2) return std::nullopt;
  const auto& scope = i.words[1];
  if (!is_one_of(scope, {"cta", "gl", "sys"})) return std::nullopt;
  return "::__threadfence" + std::string{scope == "cta" ? "_block" : scope == "sys" ? "_system" : ""} + "();";
}

// prefetch.global.L2 [address] changes no value; a policy of the caches neither.
maybe_cpp hint(const ptx_instruction& i) {
  if (i.words[0] != "createpolicy") return are(i, {ptx_operand::address}) ? maybe_cpp{";"} : std::nullopt;
  if (i.operands.empty() || i.operands[0].what != ptx_operand::value) return std::nullopt;
  return in_ptx("set(") + i.operands[0].names[0] + ", " + in_ptx("b64") + "{});";
}

maybe_cpp trap(const ptx_instruction& i) {
  return i.operands.empty() && i.words.size() == 1 ? maybe_cpp{"::__trap();"} : std::nullopt;
}

struct memory_translation {
  std::string_view word;
  maybe_cpp (*translate)(const ptx_instruction&);
};
constexpr memory_translation memory_instructions[] = {
    {"ld", load},       {"ldu", load},        {"st", store},
    {"atom", atomic},   {"red", atomic},      {"cvta", address_conversion},
    {"bar", barrier},   {"barrier", barrier}, {"membar", memory_fence},
    {"prefetch", hint}, {"prefetchu", hint},  {"createpolicy", hint},
    {"trap", trap}};

}  // namespace

maybe_cpp of_memory(const ptx_instruction& i) {
  for (const auto& [word, translate] : memory_instructions)
    if (!i.words.empty() && i.words[0] == word) return translate(i);
  return std::nullopt;
}

}  // namespace lab::sim
