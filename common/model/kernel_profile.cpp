#include "model/kernel_profile.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "model/gimple.hpp"

namespace lab::judge {

namespace {

using gimple::basic_block;
using gimple::function;
using gimple::statement;

// nvcc unrolls an innermost loop so often, and moves its loads to the front. It unrolls a short one once more, as its
// machine code for sm_90 shows; there it keeps as many loads in flight as it has registers for.
constexpr double unrolled = 4, unrolled_short = 16, in_flight = 16;
constexpr int most_loads = 2, most_strides = 1;  // of such a short loop
// Nsight Compute counted these on an H200: indices, parameters and the test of the bounds at the start of a thread; the
// number of iterations, addresses and the choice of the unrolled loop or the rest before a loop that nvcc unrolls.
constexpr double first_instructions = 14, loop_instructions = 30;
constexpr double least_share = 1. / 32;  // of the threads: one warp of the largest block
constexpr double reciprocal_root = 4;
constexpr std::size_t most_blocks = 5;  // of the body of such a loop: with one condition
constexpr std::size_t blocks_of_choice = 2;

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

// A value that one of several blocks computed.
bool is_choice(std::string_view right) { return right.starts_with("PHI <"); }

bool is_barrier(std::string_view right) {
  return right.find("block_barrier") != right.npos || right.find("block_sync") != right.npos;
}

kind kind_of(const statement& one, const function& in) {
  const auto [left, right] = split(one.text);
  if (is_choice(right)) return kind::free;
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
  const bool root = right.starts_with(".SQRT") || right.starts_with("sqrt");
  if (root && one.in_library) return reciprocal_root;  // rsqrtf of the simulator's headers
  if (what == kind::free) return 0;
  if (what == kind::copy) return 2;
  if (what == kind::branch) return right.find(" != 0)") != right.npos ? 1 : 2;
  const bool divides = right.find(" / ") != right.npos || right.find(" % ") != right.npos;
  if (divides && what == kind::fp32) return 8;
  if (divides) return right.find_last_not_of("0123456789") + 1 < right.size() ? 4 : 20;
  if (what != kind::call) return 1;
  for (const auto* name : {"exp", "log", "sqrt", "SQRT", "tanh", "pow", "sin", "cos"})
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

// "p_2 = _7 + p_1": an address that goes on by a number that nvcc does not know.
bool is_stride(std::string_view text) {
  const auto [left, right] = split(text);
  const auto base = [](std::string_view name) { return name.substr(0, name.rfind('_')); };
  const auto plus = right.find(" + ");
  if (plus == right.npos || base(left).empty()) return false;
  const auto a = right.substr(0, plus), b = right.substr(plus + 3);
  const auto other = base(a) == base(left) ? b : a;
  return (base(a) == base(left) || base(b) == base(left)) && other.find_first_not_of("0123456789") != other.npos;
}

bool has_barrier(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return is_barrier(one.text); });
}

using depths = std::map<std::string, int, std::less<>>;

// The largest depth of the values that an expression names.
int depth_in(const depths& known, std::string_view expression) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                             more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$0123456789";
  const auto whole = known.find(expression);  // an element of an array of the thread
  int most = whole == known.end() ? 0 : whole->second;
  for (std::size_t at = 0; (at = expression.find_first_of(first, at)) < expression.size();) {
    const auto end = std::min(expression.find_first_not_of(more, at), expression.size());
    if (const auto d = known.find(expression.substr(at, end - at)); d != known.end()) most = std::max(most, d->second);
    at = end;
  }
  return most;
}

// Statements between two barriers or loop ends. They can be reordered, so their loads wait together.
struct region {
  double loads_count = 0, shared_count = 0, chain_count = 0;  // how often its blocks with such statements ran
  depths load_depth{}, chain_depth{};
  depths carried_depth{};                   // of multiply-adds since the iteration before, plus one
  std::vector<std::string_view> carried{};  // the values that the next iteration takes
  int deepest_load = 0, deepest_chain = 0;
  int stored_depth = 0;   // of the loaded values that it stored to global memory
  double iterations = 0;  // each time that the loop began
  double entered = 0;     // how often the loop began
  double steps = 0;       // instructions that the unrolled loop executes once for all its copies
  bool loop = false;      // an innermost loop that nvcc unrolls
  bool used = false;      // it computes with values that it loaded
  int depth = 0;          // of the loops around its loads

  std::set<std::string_view> computed{};  // values of the loop
  double short_loads = -1;                // of an iteration of a short loop

  // Turns of the unrolled loop, of which each executes its additions and its branch once, as part of the iterations.
  // The rest of a short loop is a turn of eight, one of four, and single iterations.
  double turns_share(double waits_of_turn = 1) const {
    const auto whole = [](double n, double of) { return std::floor(n / of); };
    double turns = 0, rest = iterations;
    if (short_loads >= 0) {
      const double most = whole(rest, unrolled_short), half = unrolled_short / 2;
      turns += waits_of_turn * most, rest -= most * unrolled_short;
      turns += whole(rest, half), rest -= whole(rest, half) * half;
    }
    turns += whole(rest, unrolled), rest -= whole(rest, unrolled) * unrolled;
    return (turns + rest) / iterations;
  }
  // Parts of the iterations that wait for loads of their own.
  double waits_share() const { return turns_share(std::max(1., std::ceil(unrolled_short * short_loads / in_flight))); }
};

bool is_of_simulator(const basic_block& block) {
  return std::ranges::any_of(block.statements, [](const statement& one) { return one.in_library; }) &&
         std::ranges::none_of(block.statements, [](const statement& one) { return one.line > 0 && !one.in_library; });
}

// The values that a range of blocks computes.
std::set<std::string_view> computed_in(const std::vector<basic_block>& all, std::size_t begin, std::size_t end) {
  std::set<std::string_view> names;
  for (; begin < end; ++begin)
    for (const auto& one : all[begin].statements) names.insert(split(one.text).left);
  return names;
}

// A condition like "n_4(D) > _76" whose values come from before the loop: nvcc tests it once, before the loop.
bool is_constant(std::string_view condition, const std::set<std::string_view>& computed) {
  if (!condition.starts_with("if (")) return false;
  return std::ranges::none_of(computed, [&](std::string_view name) {
    const auto at = name.empty() ? condition.npos : condition.find(name);
    return at != condition.npos && std::isdigit(condition[at + name.size()]) == 0;
  });
}

double constant_conditions(const std::vector<basic_block>& all, std::size_t begin, std::size_t end) {
  const auto computed = computed_in(all, begin, end);
  double count = 0;
  for (; begin < end; ++begin)
    for (const auto& one : all[begin].statements) count += is_constant(one.text, computed);
  return count;
}

// The blocks of an innermost loop of the kernel without a barrier and with at most one condition; 0 for another loop.
std::size_t blocks_of_loop(const std::vector<basic_block>& all, std::size_t header) {
  std::size_t end = header;
  for (; end < all.size() && all[end].depth >= all[header].depth; ++end) {
    if (end > header && all[end].header) return 0;
    if (has_barrier(all[end]) || is_of_simulator(all[end])) return 0;
    if (all[header].loops_to_itself) return 1;
  }
  const auto choices = static_cast<std::size_t>(constant_conditions(all, header, end));
  return end - header <= most_blocks + blocks_of_choice * choices ? end - header : 0;
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
    for (const auto& one : pending_) result_.hidden_rounds += one.rounds;  // used by the next turn of a loop
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
    for (auto& one : pending_) one.work_since |= block.depth > one.depth;
    const auto place = static_cast<std::size_t>(&block - in_.blocks.data());
    region_.entered = entered(in_.blocks, place);
    const auto blocks = blocks_of_loop(in_.blocks, place);
    region_.loop = region_.entered > 0 && blocks > 0;
    if (!region_.loop) return;
    region_.computed = computed_in(in_.blocks, place, place + blocks);
    region_.iterations = block.count / region_.entered;
    if (block.loops_to_itself) region_.short_loads = loads_of_short(block);
  }

  // The loads of a loop that nvcc unrolls once more; -1 for another loop.
  int loads_of_short(const basic_block& block) const {
    int loads = 0, strides = 0;
    for (const auto& one : block.statements) {
      const auto what = kind_of(one, in_);
      const bool memory = what == kind::load || what == kind::copy;
      loads += memory && access_at(one) != nullptr;
      strides += is_stride(one.text);
      const auto has = [&](std::string_view word) { return one.text.find(word) != one.text.npos; };
      const bool slow = has("sqrt") || has(".SQRT") || (what == kind::fp32 && has(" / "));
      if (slow && !one.in_library) return -1;  // it has a branch for rare arguments
    }
    return loads <= most_loads && strides <= most_strides ? loads : -1;
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
      end_interval(block);
    }
    if (what == kind::load || what == kind::copy || what == kind::store) {
      const auto* access = access_at(one);
      const bool loads = access && (access->global || access->shared);
      if (!accesses(one, what)) cost = 0;  // an array that the device keeps in registers
      if (loads && what != kind::store) take_load(one, *access, block);
    }
    result_.instructions += cost * block.count;
    if (what == kind::branch && (block.loops_to_itself || block.header)) region_.steps += cost * block.count;
    const bool constant = region_.loop && is_constant(one.text, region_.computed);
    if (constant || (what == kind::other && is_step(one.text))) region_.steps += cost * block.count;
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
    if (callee.rounds <= 0 && callee.hidden_rounds > 0) add_pending(one, share * callee.hidden_rounds, block.depth);
    // Its waits join those of the statements around it, unless it waits more than once.
    const auto join = [&](double waits, double& joined, double& sum) {
      waits > callee.threads ? sum += share* waits : joined = std::max(joined, share * waits);
    };
    if (callee.rounds > 0) {
      region_.used = true;
      join(callee.rounds + callee.hidden_rounds, region_.loads_count, result_.rounds);
    }
    if (callee.load_groups > callee.threads) result_.load_groups += share * callee.load_groups;
    join(callee.shared_exposures, region_.shared_count, result_.shared_exposures);
    if (region_.loads_count > 0) region_.deepest_load = std::max(region_.deepest_load, 1);
    result_.barriers += share * callee.barriers;
    for (const auto& [line, count] : callee.loads) result_.loads[line] += share * count;
    result_.serial += share * callee.serial;
    result_.registers = std::max(result_.registers, callee.registers);
    return true;
  }

  void take_load(const statement& one, const line_access& access, const basic_block& block) {
    result_.loads[{access.file, access.line}] += block.count;
    const auto right = split(one.text).right;
    const bool array = right.find('[') != right.npos && !right.starts_with("MEM");
    const bool global = access.global && !(access.shared && array);
    (global ? region_.loads_count : region_.shared_count) =
        std::max(global ? region_.loads_count : region_.shared_count, block.count);
    if (!global) return;
    result_.global_loads += block.count;
    region_.depth = std::max(region_.depth, block.depth);
    region_.deepest_load = std::max(region_.deepest_load, 1);
    loaded_ = true;
  }

  // Whether it accesses memory on a GPU: the trace saw an access of its kind on its line. nvcc keeps small arrays of a
  // thread in registers.
  bool accesses(const statement& one, kind what) const {
    const auto* access = access_at(one);
    const bool loads = access && (access->global || access->shared);
    const bool stores = access && (access->stores || access->shared_stores);
    return (what == kind::store && stores) || (what == kind::load && loads) ||
           (what == kind::copy && (loads || stores));
  }

  // Whether a statement leaves a value in registers: it chooses one, or keeps it in an array of the thread.
  bool only_moves(const statement& one, kind what) const {
    const auto right = split(one.text).right;
    if (is_choice(right)) return true;
    if (what == kind::store || what == kind::load || what == kind::copy) return !accesses(one, what);
    return what == kind::free && right.find_first_of(" (") == right.npos;
  }

  void follow_carried(const statement& one, kind what, const basic_block& block) {
    const auto [left, right] = split(one.text);
    if (left.empty()) return;
    const bool begins = block.header && is_choice(right);
    if (begins) region_.carried.push_back(right);
    const int depth = begins ? 1 : depth_in(region_.carried_depth, right);
    if (depth > 0) region_.carried_depth[std::string{left}] = depth + (what == kind::fp32);
  }

  // A call that leaves what it loaded in its result, or in arrays that it gets by address.
  void add_pending(const statement& call, double rounds, int depth) {
    const auto [left, right] = split(call.text);
    depths values;
    if (!left.empty()) values[std::string{left}] = 1;
    for (std::size_t at = 0; (at = right.find('&', at)) != right.npos;) {
      const auto end = right.find_first_of(",)", ++at);
      values[std::string{right.substr(at, end - at)}] = 1;
    }
    auto* last = pending_.empty() ? nullptr : &pending_.back();
    if (last && last->of_call && !last->work_since && last->depth == depth) {
      last->values.merge(values);
      last->rounds = std::max(last->rounds, rounds);
    } else {
      pending_.push_back({std::move(values), rounds, depth, false, true});
    }
  }

  // A value that came from memory in an earlier region is used, or moves on.
  void follow_pending(std::string_view left, std::string_view right, bool moves) {
    std::erase_if(pending_, [&](pending& one) {
      if (depth_in(one.values, right) == 0) return false;
      if (moves && !left.empty()) one.values[std::string{left}] = 1;
      if (!moves) (one.work_since ? result_.hidden_rounds : result_.rounds) += one.rounds;
      return !moves;
    });
  }

  // Depths of the values that a statement uses: of loads that wait for loads, and of multiply-adds.
  void follow(const statement& one, kind what, const basic_block& block) {
    const auto [left, right] = split(one.text);
    int loads = depth_in(region_.load_depth, right), chain = depth_in(region_.chain_depth, right);
    follow_carried(one, what, block);
    const bool moves = only_moves(one, what);
    if (loads > 0 && !moves) region_.used = true;
    follow_pending(left, right, moves);
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
    const double rounds = waits * region_.loads_count * region_.deepest_load;
    result_.load_groups += rounds;
    if (region_.used) result_.rounds += rounds;
    if (region_.used && rounds > 0) interval_.push_back({rounds, region_.depth});
    if (!region_.used && rounds > 0) pending_.push_back({region_.load_depth, rounds, region_.depth});
    result_.shared_exposures += waits * region_.shared_count;
    if (moves) {
      result_.instructions -= (1 - region_.turns_share()) * region_.steps;
      add_serial(loop_instructions * region_.entered);
    }
    // The copies of an unrolled loop do not wait for each other, except for values that one leaves for the next.
    const double turns = moves ? region_.turns_share() : 1;
    int carried = 1;
    for (const auto choice : region_.carried) carried = std::max(carried, depth_in(region_.carried_depth, choice));
    result_.chain += region_.chain_count * (turns * region_.deepest_chain + (1 - turns) * (carried - 1));
    region_ = {};
  }

  // At a barrier all warps wait for the one that waits longest. Where a part of the threads loads, or some threads load
  // once more than others, that is a whole number of rounds.
  void end_interval(const basic_block& barrier) {
    for (const auto& one : interval_) {
      const double each = one.rounds / barrier.count, whole = std::ceil(each - 0.02);
      if (one.depth >= barrier.depth && each > least_share) result_.rounds += (whole - each) * barrier.count;
    }
    interval_.clear();
    for (auto& one : pending_) one.work_since = true;
  }

  struct waiting {
    double rounds = 0;
    int depth = 0;
  };
  // Loads whose values no statement has used yet. They are on their way while the threads go through a loop or wait at
  // a barrier.
  struct pending {
    depths values{};
    double rounds = 0;
    int depth = 0;
    bool work_since = false, of_call = false;
  };

  const function& in_;
  const std::vector<line_access>& lines_;
  const std::vector<function>& all_;
  int depth_;
  kernel_profile result_;
  std::vector<waiting> interval_;  // since the last barrier
  std::vector<pending> pending_;
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
