#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "sim/labcc/ptx/ptx_arithmetic.hpp"

// The instructions that the simulator supports, each as a call of a function in lab_sim/ptx/ptx.h.

namespace lab::sim {

bool are(const ptx_instruction& i, std::initializer_list<ptx_operand::kind> kinds) {
  return std::ranges::equal(i.operands, kinds, {}, &ptx_operand::what);
}

namespace {

using maybe_cpp = std::optional<std::string>;
using strings = std::vector<std::string>;

std::string joined(const strings& all) {
  std::string result;
  for (const auto& one : all) result += (result.empty() ? "" : ", ") + one;
  return result;
}

std::string call(const std::string& name, const strings& constants, const strings& arguments) {
  const auto of_template = constants.empty() ? "" : "<" + joined(constants) + ">";
  return "::lab_sim::ptx::" + name + of_template + "(" + joined(arguments) + ");";
}

std::string list(const ptx_operand& o) { return "::lab_sim::ptx::list(" + joined(o.names) + ")"; }

std::string results(const ptx_operand& o) { return "::lab_sim::ptx::results(" + joined(o.names) + ")"; }

// Four lists, the first of which the instruction writes.
strings one_result(const ptx_instruction& i) {
  strings all;
  for (const auto& o : i.operands) all.push_back(all.empty() ? results(o) : list(o));
  return all;
}

std::string address(const ptx_operand& o) { return o.names.at(0) + (o.offset.empty() ? "" : " + " + o.offset); }

std::string truth(bool value) { return value ? "true" : "false"; }

maybe_cpp element(const std::string& word) {
  constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"f16", "half"}, {"bf16", "bfloat16"}, {"tf32", "tf32"}, {"f32", "float32"}, {"f64", "float64"}, {"s8", "int8"},
      {"u8", "uint8"}, {"s4", "int4"},       {"u4", "uint4"},  {"b1", "bit"},      {"s32", "int32"}};
  for (const auto& [ptx, ours] : types)
    if (word == ptx) return "::lab_sim::element::" + std::string{ours};
  return std::nullopt;
}

// The types among the words of an instruction, in their order.
strings elements(const ptx_instruction& i) {
  strings result;
  for (const auto& word : i.words)
    if (auto type = element(word)) result.push_back(*type);
  return result;
}

// m16n8k16
struct shape {
  int m = 0, n = 0, k = 0;
  strings numbers() const { return {std::to_string(m), std::to_string(n), std::to_string(k)}; }
};

shape shape_of(const ptx_instruction& i) {
  shape s;
  for (const auto& word : i.words)
    if (std::sscanf(word.c_str(), "m%dn%dk%d", &s.m, &s.n, &s.k) == 3) return s;
  return {};
}

bool is_synchronous(const ptx_instruction& i) { return i.has("sync") && i.has("aligned"); }

strings operator+(strings a, const strings& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d}, {a}, {b}, {c}
maybe_cpp mma(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  const auto types = elements(i);
  const shape s = shape_of(i);
  const bool known = (s.m == 16 && s.n == 8) || (s.m == 8 && s.n == 8 && !i.has("f16"));
  if (!is_synchronous(i) || !known || types.size() != 4 || !i.has("row") || !i.has("col") || i.has("sp") ||
      !are(i, {list, list, list, list}))
    return std::nullopt;
  const strings flags = {truth(i.has("satfinite")), truth(i.has("and"))};
  return call("mma", s.numbers() + strings{types[1], types[2], types[3], types[0]} + flags, one_result(i));
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r0, r1, r2, r3}, [address]
maybe_cpp eights(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  const bool loads = i.words[0] == "ldmatrix";
  if (!is_synchronous(i) || !i.has("m8n8") || !i.has("b16") ||
      !(loads ? are(i, {list, address}) : are(i, {address, list})))
    return std::nullopt;
  const auto& registers = i.operands[loads ? 0 : 1];
  if (!i.has("x" + std::to_string(registers.names.size()))) return std::nullopt;
  const strings both = {loads ? results(registers) : sim::list(registers), sim::address(i.operands[loads ? 1 : 0])};
  return call(i.words[0], {truth(i.has("trans"))}, loads ? both : strings{both[1], both[0]});
}

// wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {registers}, [address], stride
maybe_cpp fragment_move(const ptx_instruction& i, const shape& s) {
  using enum ptx_operand::kind;
  const bool loads = i.has("load");
  if (!(loads ? are(i, {list, address, value}) : are(i, {address, list, value}))) return std::nullopt;
  const auto types = elements(i);
  if (types.size() != 1) return std::nullopt;
  const std::string which = i.words[2] == "a" ? "a" : i.words[2] == "b" ? "b" : "sums";
  const strings constants = strings{"::lab_sim::operand::" + which} + s.numbers() +
                            strings{types[0], truth(i.has("row")), truth(i.has("shared"))};
  const auto registers = loads ? results(i.operands[0]) : sim::list(i.operands[1]),
             where = sim::address(i.operands[loads ? 1 : 0]);
  const auto& stride = i.operands[2].names[0];
  return call(loads ? "wmma_load" : "wmma_store", constants,
              loads ? strings{registers, where, stride} : strings{where, registers, stride});
}

// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {d}, {a}, {b}, {c}: the factors are halves if two types are named.
maybe_cpp fragment_product(const ptx_instruction& i, const shape& s) {
  using enum ptx_operand::kind;
  const auto types = elements(i);
  if (!are(i, {list, list, list, list}) || (types.size() != 2 && types.size() != 4)) return std::nullopt;
  const auto factor = types.size() == 4 ? types[1] : *element("f16");
  return call("wmma_mma", s.numbers() + strings{factor, types.back(), types[0], truth(i.has("satfinite"))},
              one_result(i));
}

maybe_cpp wmma(const ptx_instruction& i) {
  const shape s = shape_of(i);
  if (!is_synchronous(i) || s.m == 0 || i.words.size() < 3) return std::nullopt;
  return i.words[1] == "mma" ? fragment_product(i, s) : fragment_move(i, s);
}

// cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [to], [map, {x, y}], [barrier]
maybe_cpp box_copy(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  const bool to_shared = i.has("async") && i.has("tensor") && i.has("global") && i.has("mbarrier");
  const bool to_one = are(i, {address, address, address}), to_blocks = are(i, {address, address, address, value});
  if (!to_shared || i.has("im2col") || !(to_one || (to_blocks && i.has("multicast")))) return std::nullopt;
  const auto& map = i.operands[1].names;
  strings arguments = {to_one ? "0" : i.operands[3].names[0], sim::address(i.operands[0]), map.at(0),
                       sim::address(i.operands[2])};
  return call("copy_tensor", {}, arguments + strings(map.begin() + 1, map.end()));
}

std::string shared_pointer(const ptx_operand& o) { return "::lab_sim::ptx::shared_pointer(" + address(o) + ")"; }

// cp.async.cg.shared.global [to], [from], 16, bytes to read; cp.async.commit_group; cp.async.wait_group n;
// cp.async.mbarrier.arrive.noinc [b]
maybe_cpp copies(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (i.has("bulk")) return box_copy(i);
  if (!i.has("async")) return std::nullopt;
  if (i.has("mbarrier") && i.has("arrive") && are(i, {address}))
    return "::lab_sim::arrive_after_copies(" + shared_pointer(i.operands[0]) + ", " + truth(i.has("noinc")) + ");";
  if (i.has("mbarrier")) return std::nullopt;
  if (i.has("commit_group") && i.operands.empty()) return "::lab_sim::close_copies();";
  if (i.has("wait_all") && i.operands.empty()) return "::lab_sim::await_all_copies();";
  if (i.has("wait_group") && are(i, {value})) return "::lab_sim::await_copies(" + i.operands[0].names[0] + ");";
  const bool whole = are(i, {address, address, value}), filled = are(i, {address, address, value, value});
  if (!i.has("global") || !(whole || filled)) return std::nullopt;
  return call("cp_async", {},
              {sim::address(i.operands[0]), sim::address(i.operands[1]), i.operands[2].names[0],
               i.operands[filled ? 3 : 2].names[0]});
}

// .reg .pred p
maybe_cpp declaration(const ptx_instruction& i) {
  if (i.words.size() != 2 || i.words[1].size() < 2 || !is_number_type(i.words[1].substr(1))) return std::nullopt;
  std::string result;
  for (const auto& o : i.operands)
    result += "[[maybe_unused]] ::lab_sim::ptx::" + i.words[1].substr(1) + " " + o.names.at(0) + "{}; ";
  return result;
}

// To a predicate, unless there is none, or it is _.
std::string assigned(const std::string& name, const std::string& value) {
  return name.empty() || name == "r__" ? "" : name + " = " + value + "; ";
}

// Whether the first result may have a predicate beside it.
bool may_have_predicate(const ptx_instruction& i) {
  return i.words[0] == "setp" || i.words[0] == "shfl" || i.words[0] == "match";
}

bool has_predicate(const ptx_operand& o) { return !o.predicate.empty(); }

bool has_misplaced_predicate(const ptx_instruction& i) {
  const auto first = i.operands.begin(), end = i.operands.end();
  return std::any_of(may_have_predicate(i) && first != end ? first + 1 : first, end, has_predicate);
}

// setp.ne.b32 p|q, a, b; lo, ls, hi and hs compare without a sign, and q is the opposite of p.
maybe_cpp comparison(const ptx_instruction& i) {
  constexpr std::pair<std::string_view, std::string_view> operators[] = {
      {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
      {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
  using enum ptx_operand::kind;
  if (i.words.size() != 3 || !are(i, {value, value, value}) || !is_number_type(i.words[2])) return std::nullopt;
  for (const auto& [word, sign] : operators)
    if (i.words[1] == word)
      return "{ const bool holds = " + typed(i.operands[1].names[0], i.words[2]) + " " + std::string{sign} + " " +
             typed(i.operands[2].names[0], i.words[2]) + "; " + assigned(i.operands[0].names[0], "holds") +
             assigned(i.operands[0].predicate, "!holds") + "}";
  return std::nullopt;
}

// The value of a special register.
maybe_cpp special_register(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> registers[] = {
      {"cluster_ctarank", "::lab_sim::rank_in_cluster()"},
      {"cluster_nctarank", "::lab_sim::blocks_of_cluster()"},
      {"cluster_ctaid.x", "::lab_sim::place_in_cluster().x"},
      {"cluster_ctaid.y", "::lab_sim::place_in_cluster().y"},
      {"cluster_ctaid.z", "::lab_sim::place_in_cluster().z"},
      {"cluster_nctaid.x", "::lab_sim::cluster_dim().x"},
      {"cluster_nctaid.y", "::lab_sim::cluster_dim().y"},
      {"cluster_nctaid.z", "::lab_sim::cluster_dim().z"},
      {"clusterid.x", "::lab_sim::cluster_index().x"},
      {"clusterid.y", "::lab_sim::cluster_index().y"},
      {"clusterid.z", "::lab_sim::cluster_index().z"},
      {"nclusterid.x", "::lab_sim::clusters_in_grid().x"},
      {"nclusterid.y", "::lab_sim::clusters_in_grid().y"},
      {"nclusterid.z", "::lab_sim::clusters_in_grid().z"},
      {"laneid", "::lab_sim::lane()"},
      {"warpid", "::lab_sim::ptx::warp_of_block()"},
      {"nwarpid", "::lab_sim::ptx::warps_of_block()"},
      {"smid", "::lab_sim::ptx::multiprocessor()"},
      {"nsmid", "::lab_sim::ptx::multiprocessors()"},
      {"gridid", "0ull"},
      {"lanemask_eq", "(1u << ::lab_sim::lane())"},
      {"lanemask_lt", "((1u << ::lab_sim::lane()) - 1)"},
      {"lanemask_le", "(~0u >> (31 - ::lab_sim::lane()))"},
      {"lanemask_ge", "(~0u << ::lab_sim::lane())"},
      {"lanemask_gt", "(~1u << ::lab_sim::lane())"},
      {"tid.x", "threadIdx.x"},
      {"tid.y", "threadIdx.y"},
      {"tid.z", "threadIdx.z"},
      {"ntid.x", "blockDim.x"},
      {"ntid.y", "blockDim.y"},
      {"ntid.z", "blockDim.z"},
      {"ctaid.x", "blockIdx.x"},
      {"ctaid.y", "blockIdx.y"},
      {"ctaid.z", "blockIdx.z"},
      {"nctaid.x", "gridDim.x"},
      {"nctaid.y", "gridDim.y"},
      {"nctaid.z", "gridDim.z"},
      {"clock", "static_cast<unsigned>(::clock64())"},
      {"clock_hi", "static_cast<unsigned>(::clock64() >> 32)"},
      {"clock64", "::clock64()"},
      {"globaltimer_lo", "static_cast<unsigned>(::lab_sim::ptx::global_timer())"},
      {"globaltimer_hi", "static_cast<unsigned>(::lab_sim::ptx::global_timer() >> 32)"},
      {"globaltimer", "::lab_sim::ptx::global_timer()"}};
  for (const auto& [ptx, cpp] : registers)
    if (name == ptx) return std::string{cpp};
  return std::nullopt;
}

constexpr std::string_view special_mark = "special_";

// mov.b64 d, {a, b} and mov.b64 {a, b}, d
maybe_cpp move_of_parts(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  const std::string type = i.words[1] == "b64" || i.words[1] == "b32" ? "::lab_sim::ptx::" + i.words[1] : "";
  const bool packs = are(i, {value, list});
  const auto& parts = i.operands[packs ? 1 : 0].names;
  if (type.empty() || (parts.size() != 2 && parts.size() != 4)) return std::nullopt;
  if (packs)
    return "::lab_sim::ptx::set(" + i.operands[0].names[0] + ", ::lab_sim::ptx::packed<" + type + ">(" + joined(parts) +
           "));";
  return "::lab_sim::ptx::unpack(" + typed(i.operands[1].names[0], i.words[1]) + ", " + joined(parts) + ");";
}

// mov.u32 d, a: from an operand or a special register
maybe_cpp move(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (i.words.size() != 2 || !is_number_type(i.words[1])) return std::nullopt;
  if (are(i, {value, list}) || are(i, {list, value})) return move_of_parts(i);
  if (!are(i, {value, value})) return std::nullopt;
  const std::string &to = i.operands[0].names[0], &from = i.operands[1].names[0];
  if (to.starts_with(special_mark)) return std::nullopt;
  if (!from.starts_with(special_mark)) return "::lab_sim::ptx::set(" + to + ", " + typed(from, i.words[1]) + ");";
  const auto read = special_register(std::string_view{from}.substr(special_mark.size()));
  return read ? maybe_cpp{"::lab_sim::ptx::set(" + to + ", " + *read + ");"} : std::nullopt;
}

maybe_cpp selection(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (i.words.size() != 2 || !is_number_type(i.words[1]) || !are(i, {value, value, value, value})) return std::nullopt;
  const auto name = [&](int o) { return i.operands[static_cast<std::size_t>(o)].names[0]; };
  return "::lab_sim::ptx::set(" + name(0) + ", " + name(3) + " ? " + typed(name(1), i.words[1]) + " : " +
         typed(name(2), i.words[1]) + ");";
}

maybe_cpp branch(const ptx_instruction& i) {
  if (!are(i, {ptx_operand::value})) return std::nullopt;
  return "goto " + i.operands[0].names[0] + ";";
}

// mapa.shared::cluster.u32 d, a, rank; mapa.u64 d, a, rank
maybe_cpp mapping(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (!are(i, {value, value, value})) return std::nullopt;
  const char* const function = i.has("shared") ? "shared_in_block(" : "generic_in_block(";
  return i.operands[0].names[0] + " = ::lab_sim::ptx::" + function + typed(i.operands[1].names[0], i.words.back()) +
         ", " + i.operands[2].names[0] + ");";
}

// getctarank.shared::cluster.u32 d, a; getctarank.u64 d, a
maybe_cpp rank_of_address(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (!are(i, {value, value})) return std::nullopt;
  const char* const pointer = i.has("shared") ? "::lab_sim::ptx::shared_pointer(" : "(const void*)(";
  return i.operands[0].names[0] + " = ::lab_sim::rank_of_owner(" + pointer +
         typed(i.operands[1].names[0], i.words.back()) + "));";
}

maybe_cpp cluster_barrier(const ptx_instruction& i) {
  if (!i.has("cluster")) return of_memory(i);
  if (!i.operands.empty()) return std::nullopt;
  if (i.has("wait")) return "::lab_sim::cluster_wait(LAB_SIM_HERE);";
  return std::string{"::lab_sim::cluster_arrive(LAB_SIM_HERE"} + (i.has("relaxed") ? ", false);" : ");");
}

// mbarrier.init [b], n; mbarrier.arrive _, [b]; mbarrier.arrive.expect_tx _, [b], bytes; mbarrier.try_wait.parity p,
// [b], n
maybe_cpp mbarrier(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  const auto on = [&](std::size_t o) { return shared_pointer(i.operands[o]); };
  if (i.has("init") && are(i, {address, value}))
    return "::lab_sim::barrier_begins(" + on(0) + ", " + i.operands[1].names[0] + ");";
  if (i.has("inval") && are(i, {address})) return "";
  if (i.has("arrive") && !i.has("noComplete") && i.operands.size() >= 2 && i.operands[0].names[0] == "r__" &&
      i.operands[1].what == address) {
    const std::string count = i.operands.size() > 2 ? i.operands[2].names[0] : i.has("expect_tx") ? "0" : "1";
    return "::lab_sim::barrier_expects(" + on(1) +
           (i.has("expect_tx") ? ", " + count + ", 1);" : ", 0, " + count + ");");
  }
  if (i.has("expect_tx") && are(i, {address, value}))
    return "::lab_sim::barrier_expects(" + on(0) + ", " + i.operands[1].names[0] + ", 0);";
  const bool waits = i.has("try_wait");
  if (i.has("parity") && (waits || i.has("test_wait")) &&
      (are(i, {value, address, value}) || are(i, {value, address, value, value})))
    return i.operands[0].names[0] + " = ::lab_sim::barrier_is_over(" + on(1) + ", " + i.operands[2].names[0] + ", " +
           truth(waits) + ");";
  return std::nullopt;
}

maybe_cpp fence(const ptx_instruction& i) {
  if (!i.operands.empty()) return std::nullopt;
  if (i.has("mbarrier_init")) return "::lab_sim::barriers_known();";
  if (i.has("proxy"))
    return i.has("async") ? std::optional<std::string>{"::lab_sim::fence_of_proxies();"} : std::nullopt;
  return "__threadfence();";
}

maybe_cpp registers(const ptx_instruction& i) {
  if (!is_synchronous(i) || !are(i, {ptx_operand::value})) return std::nullopt;
  return "::lab_sim::set_registers(" + i.operands[0].names[0] + ", " + truth(i.has("inc")) + ");";
}

// wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {sums}, a, b, adds, sign of a, of b, a by columns, b by rows
maybe_cpp wgmma(const ptx_instruction& i) {
  using enum ptx_operand::kind;
  if (!is_synchronous(i)) return std::nullopt;
  if (i.has("fence")) return "::lab_sim::fence_products();";
  if (i.has("commit_group")) return "::lab_sim::close_products();";
  if (i.has("wait_group") && are(i, {value})) return "::lab_sim::await_products(" + i.operands[0].names[0] + ");";
  const shape s = shape_of(i);
  const auto types = elements(i);
  const bool has_columns = s.n % 8 == 0 && s.n >= 8 && s.n <= 256;
  const bool known = s.m == 64 && has_columns && s.k == 16 && types.size() == 3 && i.has("f32") && types[1] == types[2];
  if (!i.has("mma_async") || !known || !are(i, {list, value, value, value, value, value, value, value}))
    return std::nullopt;
  strings sums, arguments;
  for (const auto& name : i.operands[0].names) sums.push_back("&" + name);
  for (const auto& o : i.operands) arguments.push_back(arguments.empty() ? "{" + joined(sums) + "}" : o.names[0]);
  return call("wgmma", {std::to_string(s.n), truth(i.has("f16"))}, arguments);
}

struct translation {
  std::string_view word;
  maybe_cpp (*translate)(const ptx_instruction&);
};
constexpr translation table[] = {{"mma", mma},
                                 {"wmma", wmma},
                                 {"ldmatrix", eights},
                                 {"stmatrix", eights},
                                 {"cp", copies},
                                 {"cvt", conversion},
                                 {"setp", comparison},
                                 {"reg", declaration},
                                 {"selp", selection},
                                 {"bra", branch},
                                 {"mov", move},
                                 {"mapa", mapping},
                                 {"getctarank", rank_of_address},
                                 {"mbarrier", mbarrier},
                                 {"fence", fence},
                                 {"barrier", cluster_barrier},
                                 {"setmaxnreg", registers},
                                 {"wgmma", wgmma}};

}  // namespace

maybe_cpp cpp_of(const ptx_instruction& one) {
  for (const auto& [word, translate] : table)
    if (!one.words.empty() && one.words[0] == word) return translate(one);
  if (auto access = of_memory(one)) return access;
  if (auto exchange = of_warp(one)) return exchange;
  const auto of_numbers = arithmetic(one);
  return of_numbers ? of_numbers : video(one);
}

maybe_cpp cpp_of_ptx(std::string_view text, std::string& unsupported) {
  std::string result;
  for (const auto& one : parse_ptx(text)) {
    if (!one.label.empty()) result += one.label + ":; ";
    if (one.words.empty()) continue;
    const auto cpp = cpp_of(one);
    unsupported = one.name;
    const bool special =
        !one.words.empty() && one.words[0] != "mov" && std::ranges::any_of(one.operands, [](const auto& o) {
          return std::ranges::any_of(o.names, [](const auto& name) { return name.starts_with(special_mark); });
        });
    if (!cpp || special || has_misplaced_predicate(one)) return std::nullopt;
    result += (one.guard.empty() ? "" : "if (" + one.guard + ") ") + *cpp + " ";
  }
  return result;
}

}  // namespace lab::sim
