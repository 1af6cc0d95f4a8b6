#include "model/kernel_profile.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "model/gimple.hpp"

namespace lab::judge {

namespace {

using gimple::basic_block;
using gimple::function;
using gimple::statement;

constexpr double unrolled = 4;  // nvcc unrolls an innermost loop so often, and moves its loads to the front
// Nsight Compute counted these on an H200: indices, parameters and the test of the bounds at the start of a thread; the
// number of iterations, addresses and the choice of the unrolled loop or the rest before a loop that nvcc unrolls.
constexpr double first_instructions = 14, loop_instructions = 30;
constexpr std::size_t most_blocks = 5;  // of the body of such a loop: with one condition

enum class kind { free, other, fp32, load, store, copy, barrier, call, branch };

bool is_index(std::string_view text) {
  for (const auto* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (text.find(name) != text.npos) return true;
  return false;
}

// "v.x", but not the compiler's name "iftmp.2_64"
bool is_member(std::string_view operand) {
  const auto dot = operand.find('.');
  return dot != operand.npos && dot > 0 && dot + 1 < operand.size() && std::isalpha(operand[dot + 1]) != 0;
}

bool is_memory(std::string_view operand) {
  if (operand.find(' ') != operand.npos && !operand.starts_with("MEM")) return false;
  return operand.starts_with('*') || operand.starts_with("MEM") || operand.find('[') != operand.npos ||
         operand.find("->") != operand.npos || is_member(operand);
}

struct parts {
  std::string_view left, right;
};
parts split(std::string_view text) {
  const auto at = text.find(" = ");
  if (at == text.npos || text.starts_with("if (")) return {"", text};
  auto right = text.substr(at + 3);
  if (right.ends_with(';')) right.remove_suffix(1);
  return {text.substr(0, at), right};
}

bool is_one_of(const std::set<std::string>& names, std::string_view ssa) {
  const std::string whole{ssa};
  return names.contains(whole) || names.contains(whole.substr(0, whole.rfind('_')));
}

bool has_operator(std::string_view right) {
  for (const auto* op : {" + ", " - ", " * ", " / "})
    if (right.find(op) != right.npos) return true;
  return right.starts_with('-');
}

bool is_barrier(std::string_view right) {
  return right.find("block_barrier") != right.npos || right.find("block_sync") != right.npos;
}

kind kind_of(const statement& one, const function& in) {
  const auto [left, right] = split(one.text);
  if (right.starts_with("if (")) return kind::branch;
  if (is_barrier(right)) return kind::barrier;
  if (right.starts_with(".FMA") || right.starts_with(".FMS") || right.starts_with(".FNM")) return kind::fp32;
  if (left.empty()) return right.find(" (") != right.npos ? kind::call : kind::free;
  if (is_index(right)) return kind::free;
  const bool loads = is_memory(right), stores = is_memory(left);
  if (loads && stores) return kind::copy;
  if (loads) return kind::load;
  if (stores) return kind::store;
  if (is_one_of(in.floats, left) && has_operator(right)) return kind::fp32;
  if (right.starts_with('(') || right.find(' ') == right.npos) return kind::free;  // a cast or a copy of a value
  if (right.ends_with(')') && right.find(" (") != right.npos) return kind::call;
  // The scale of an address is part of the addition that follows.
  return is_one_of(in.wide, left) && right.find(" * ") != right.npos ? kind::free : kind::other;
}

// Instructions of a call of the mathematical library or of a division.
double cost_of(const statement& one, kind what, const function& in) {
  const auto [left, right] = split(one.text);
  if (what == kind::free) return 0;
  if (what == kind::copy) return 2;
  if (what == kind::branch) return right.find(" != 0)") != right.npos ? 1 : 2;
  const bool divides = right.find(" / ") != right.npos || right.find(" % ") != right.npos;
  if (divides && what == kind::fp32) return 8;
  if (divides) return right.find_last_not_of("0123456789") + 1 < right.size() ? 4 : 20;
  if (what != kind::call) return 1;
  for (const auto* name : {"exp", "log", "sqrt", "tanh", "pow", "sin", "cos"})
    if (right.find(name) != right.npos) return 10;
  (void)in;
  return 2;
}

// "i_2 = i_1 + 8": the unrolled loop adds once for all its copies, whose addresses differ by constants.
bool is_step(std::string_view text) {
  const auto [left, right] = split(text);
  const auto base = left.substr(0, left.rfind('_'));
  const auto plus = right.find(" + ");
  if (base.empty() || plus == right.npos) return false;
  const auto from = right.substr(0, plus), by = right.substr(plus + 3);
  return from.substr(0, from.rfind('_')) == base && by.find_first_not_of("0123456789") == by.npos;
}

bool has_barrier(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return is_barrier(one.text); });
}

// Statements between two barriers or loop ends. They can be reordered, so their loads wait together.
struct region {
  double loads_count = 0, shared_count = 0, chain_count = 0;  // how often its blocks with such statements ran
  std::map<std::string, int, std::less<>> load_depth{}, chain_depth{};
  int deepest_load = 0, deepest_chain = 0;
  int stored_depth = 0;   // of the loaded values that it stored to global memory
  double iterations = 0;  // each time that the loop began
  double entered = 0;     // how often the loop began
  double steps = 0;       // instructions that the unrolled loop executes once for all its copies
  bool loop = false;      // an innermost loop that nvcc unrolls

  // Parts of the iterations that wait for loads of their own: one for each turn of the unrolled loop, and the rest.
  double waits_share() const {
    const double turns = std::floor(iterations / unrolled);
    return (turns + iterations - turns * unrolled) / iterations;
  }
};

bool is_of_simulator(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return one.in_library; }) &&
         std::ranges::none_of(block.statements, [](const statement& one) { return one.line > 0 && !one.in_library; });
}

// The blocks of an innermost loop of the kernel without a barrier and with at most one condition; 0 for another loop.
std::size_t blocks_of_loop(const std::vector<basic_block>& all, std::size_t header) {
  std::size_t end = header;
  for (; end < all.size() && all[end].depth >= all[header].depth; ++end) {
    if (end > header && all[end].header) return 0;
    if (has_barrier(all[end]) || is_of_simulator(all[end])) return 0;
    if (all[header].loops_to_itself) return 1;
  }
  return end - header <= most_blocks ? end - header : 0;
}

// How often a loop began. g++ copies the test at a loop's end and guesses how often each copy leaves the loop. Where
// the blocks around the loop give a whole number of iterations, that is the number.
double entered(const std::vector<basic_block>& all, std::size_t header) {
  const auto& first = all[header];
  const auto around = [&](std::size_t i) { return all[i].depth >= first.depth - 1; };
  double outer = 0;
  const auto look = [&](std::size_t i) {
    if (all[i].depth == first.depth - 1) outer = std::max(outer, all[i].count);
  };
  for (std::size_t i = header; i-- > 0 && around(i);) look(i);
  for (std::size_t i = header; i < all.size() && around(i); ++i) look(i);
  const double iterations = outer > 0 ? first.count / outer : 0;
  const bool whole = iterations > 0.99 && std::abs(iterations - std::round(iterations)) < 0.01 * iterations;
  return whole ? outer : first.count - first.repeated;
}

constexpr int deepest_call = 4;

class reader {
 public:
  reader(const function& in, const std::vector<line_access>& lines, const std::vector<function>& all, int depth = 0)
      : in_{in}, lines_{lines}, all_{all}, depth_{depth} {}

  kernel_profile run() {
    const basic_block* before = nullptr;
    for (const auto& block : in_.blocks) {
      if (before && (block.header || block.depth != before->depth)) end_region();
      if (block.header) begin_loop(block);
      for (const auto& one : block.statements) take(one, block);
      if (block.loops_to_itself) end_region();
      if (block.header) result_.registers = std::max(result_.registers, 32. + 2 * std::max(0, block.phis - 8));
      before = &block;
    }
    end_region();
    result_.kernel = in_.name;
    result_.threads = in_.blocks.empty() ? 0 : in_.blocks.front().count;
    if (depth_ == 0) add_serial(first_instructions * result_.threads);
    return result_;
  }

 private:
  void add_serial(double instructions) {
    result_.instructions += instructions;
    result_.serial += instructions;
  }

  void begin_loop(const basic_block& block) {
    const auto place = static_cast<std::size_t>(&block - in_.blocks.data());
    region_.entered = entered(in_.blocks, place);
    region_.loop = region_.entered > 0 && blocks_of_loop(in_.blocks, place) > 0;
    if (region_.loop) region_.iterations = block.count / region_.entered;
  }

  const line_access* access_at(const statement& one) const {
    const auto at =
        std::ranges::find_if(lines_, [&](const line_access& a) { return a.line == one.line && a.file == one.file; });
    return at == lines_.end() ? nullptr : &*at;
  }

  void take(const statement& one, const basic_block& block) {
    const auto what = kind_of(one, in_);
    auto cost = cost_of(one, what, in_);
    if (one.in_library && what != kind::call) cost = 0;
    if (what == kind::call && add_callee(one, block)) return;
    if (what == kind::barrier) {
      result_.barriers += block.count;
      end_region();
    }
    if (what == kind::load || what == kind::copy || what == kind::store) {
      const auto* access = access_at(one);
      if (!access) cost = 0;  // an array that the device keeps in registers
      if (access && what != kind::store) take_load(one, *access, block);
    }
    result_.instructions += cost * block.count;
    if (what == kind::branch && (block.loops_to_itself || block.header)) region_.steps += cost * block.count;
    if (what == kind::other && is_step(one.text)) region_.steps += cost * block.count;
    if (what == kind::fp32) result_.fp32 += block.count;
    follow(one, what, block);
  }

  bool stores_global(const statement& one) const {
    const auto left = split(one.text).left;
    const bool array = left.find('[') != left.npos && !left.starts_with("MEM");
    const auto* access = access_at(one);
    return access && access->stores && !array && !in_.restricted;
  }

  // nvcc inlines the functions of a kernel; g++ leaves some of them.
  bool add_callee(const statement& one, const basic_block& block) {
    const auto right = split(one.text).right;
    const auto name = right.substr(0, right.find(" ("));
    const auto at = std::ranges::find_if(all_, [&](const function& f) { return f.name == name && &f != &in_; });
    if (at == all_.end() || depth_ == deepest_call || name.starts_with("lab_sim::")) return false;
    const auto callee = reader{*at, lines_, all_, depth_ + 1}.run();
    if (callee.threads <= 0) return false;
    const double share = block.count / callee.threads;
    result_.instructions += share * callee.instructions;
    result_.fp32 += share * callee.fp32;
    result_.global_loads += share * callee.global_loads;
    result_.chain += share * callee.chain;
    // Its waits join those of the statements around it, unless it waits more than once.
    const auto join = [&](double waits, double& joined, double& sum) {
      waits > callee.threads ? sum += share* waits : joined = std::max(joined, share * waits);
    };
    join(callee.rounds, region_.loads_count, result_.rounds);
    join(callee.shared_exposures, region_.shared_count, result_.shared_exposures);
    if (region_.loads_count > 0) region_.deepest_load = std::max(region_.deepest_load, 1);
    result_.barriers += share * callee.barriers;
    result_.serial += share * callee.serial;
    result_.registers = std::max(result_.registers, callee.registers);
    return true;
  }

  void take_load(const statement& one, const line_access& access, const basic_block& block) {
    const auto right = split(one.text).right;
    const bool array = right.find('[') != right.npos && !right.starts_with("MEM");
    const bool global = access.global && !(access.shared && array);
    (global ? region_.loads_count : region_.shared_count) =
        std::max(global ? region_.loads_count : region_.shared_count, block.count);
    if (!global) return;
    result_.global_loads += block.count;
    region_.deepest_load = std::max(region_.deepest_load, 1);
    loaded_ = true;
  }

  // Depths of the values that a statement uses: of loads that wait for loads, and of multiply-adds.
  void follow(const statement& one, kind what, const basic_block& block) {
    const auto [left, right] = split(one.text);
    int loads = 0, chain = 0;
    const std::string_view used = left.empty() ? std::string_view{} : right;
    for (std::size_t at = 0; at < used.size();) {
      const auto begin = used.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", at);
      if (begin == used.npos) break;
      auto end = used.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789", begin);
      if (end == used.npos) end = used.size();
      const auto name = used.substr(begin, end - begin);
      if (const auto d = region_.load_depth.find(name); d != region_.load_depth.end())
        loads = std::max(loads, d->second);
      if (const auto d = region_.chain_depth.find(name); d != region_.chain_depth.end())
        chain = std::max(chain, d->second);
      at = end;
    }
    if (what == kind::fp32) {
      ++chain;
      region_.deepest_chain = std::max(region_.deepest_chain, chain);
      region_.chain_count = std::max(region_.chain_count, block.count);
    }
    if (what == kind::store && stores_global(one)) region_.stored_depth = std::max(region_.stored_depth, loads);
    if (std::exchange(loaded_, false)) {
      loads = 1 + std::max(loads, region_.stored_depth);
      region_.deepest_load = std::max(region_.deepest_load, loads);
    }
    if (left.empty()) return;
    if (loads > 0) region_.load_depth[std::string{left}] = loads;
    if (chain > 0) region_.chain_depth[std::string{left}] = chain;
  }

  // A load cannot move before a store that may be to the same address.
  void end_region() {
    const bool moves = region_.loop && region_.stored_depth == 0;
    const double waits = moves ? region_.waits_share() : 1;
    result_.rounds += waits * region_.loads_count * region_.deepest_load;
    result_.shared_exposures += waits * region_.shared_count;
    if (moves) {
      result_.instructions -= (1 - waits) * region_.steps;
      add_serial(loop_instructions * region_.entered);
    }
    result_.chain += region_.chain_count * region_.deepest_chain;
    region_ = {};
  }

  const function& in_;
  const std::vector<line_access>& lines_;
  const std::vector<function>& all_;
  int depth_;
  kernel_profile result_;
  region region_;
  bool loaded_ = false;
};

}  // namespace

std::vector<kernel_profile> read_profiles(std::string_view dump, const std::vector<line_access>& lines) {
  std::vector<kernel_profile> all;
  const auto functions = gimple::read(dump);
  for (const auto& function : functions)
    if (auto profile = reader{function, lines, functions}.run(); profile.threads > 0) all.push_back(std::move(profile));
  return all;
}

}  // namespace lab::judge
