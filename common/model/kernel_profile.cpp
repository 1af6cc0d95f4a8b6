#include "model/kernel_profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/loops.hpp"
#include "model/region.hpp"

namespace lab::judge {

namespace {

using namespace gimple;

// Nsight Compute counted these on an H200: indices, parameters and the test of the bounds at the start of a thread; the
// number of iterations, addresses and the choice of the unrolled loop or the rest before a loop that nvcc unrolls.
constexpr double first_instructions = 14, loop_instructions = 30;
constexpr double least_share = 1. / 32;          // of the threads: one warp of the largest block
constexpr double conditional_in_flight = 3;      // of conditional loads that are used one by one, as in machine code
constexpr int most_loads = 2, most_strides = 1;  // of a loop that nvcc unrolls 16 times

constexpr int deepest_call = 4;

class reader {
 public:
  reader(const function& in, const std::vector<line_access>& lines, const std::vector<function>& all, int depth = 0)
      : in_{in}, lines_{lines}, all_{all}, depth_{depth} {}

  kernel_profile run() {
    const basic_block* before = nullptr;
    result_.threads = in_.blocks.empty() ? 0 : in_.blocks.front().count;
    for (const auto& block : in_.blocks) {
      if (before && (block.header || block.depth != before->depth)) end_region();
      if (block.header) begin_loop(block);
      for (const auto& one : block.statements) take(one, block);
      if (block.loops_to_itself) end_region();
      if (block.header) result_.registers = std::max(result_.registers, 32. + 2 * std::max(0, block.phis - 8));
      before = &block;
    }
    end_region();
    for (const auto& one : pending_)  // used by the next turn of a loop
      (one.single ? result_.rounds : result_.hidden_rounds) += one.rounds;
    result_.kernel = in_.name;
    if (depth_ == 0) add_serial(first_instructions * result_.threads);
    if (depth_ == 0) result_.unconditional += first_instructions * result_.threads;
    return result_;
  }

 private:
  void add_serial(double instructions) {
    result_.instructions += instructions;
    result_.serial += instructions;
  }

  bool is_unconditional(const basic_block& block) const {
    return block.depth == in_.blocks.front().depth && block.count >= result_.threads;
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
    const bool counts_by_one = std::ranges::any_of(block.statements, [](const statement& one) {
      return is_step(one.text) && one.text.find(" + 1;") != one.text.npos;
    });
    int loads = 0, strides = 0;
    for (const auto& one : block.statements) {
      const auto what = kind_of(one, in_);
      const bool sum = what == kind::fp32 && counts_by_one;  // with other counters, times show four copies of a sum
      const bool memory = what == kind::load || what == kind::copy;
      loads += memory && access_at(one) != nullptr;
      strides += !sum && is_stride(one.text);
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
    auto cost = cost_of(one, what);
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
    if (is_unconditional(block)) result_.unconditional += cost * block.count;
    region_.roots += region_.loop && is_reciprocal_root(one);
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
    if (is_unconditional(block)) result_.unconditional += share * callee.unconditional;
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
    if (callee.rounds <= 0 || callee.load_groups > callee.threads) result_.load_groups += share * callee.load_groups;
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
    if (region_.load_block != block.number && (region_.used_since_load || region_.groups == 0)) ++region_.groups;
    ++region_.loads, region_.load_blocks += region_.load_block != block.number;
    region_.load_block = block.number, region_.used_since_load = false;
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
      if (!moves) (one.is_hidden() ? result_.hidden_rounds : result_.rounds) += one.rounds;
      return !moves;
    });
  }

  // Depths of the values that a statement uses: of loads that wait for loads, and of multiply-adds.
  void follow(const statement& one, kind what, const basic_block& block) {
    const auto [left, right] = split(one.text);
    int loads = depth_in(region_.load_depth, right), chain = depth_in(region_.chain_depth, right);
    follow_carried(one, what, block);
    const bool moves = only_moves(one, what);
    if (loads > 0 && !moves) region_.used = region_.used_since_load = true;
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
    const double groups = moves ? 1 : std::max(1., std::ceil(region_.groups / conditional_in_flight));
    // Loads that wait for a store before them are in the depth already.
    const double turns_of_loads = region_.stored_depth > 0 ? std::max<double>(groups, region_.deepest_load)
                                                           : groups * waits * region_.deepest_load;
    const double rounds = turns_of_loads * region_.loads_count;
    result_.load_groups += rounds;
    if (region_.used) result_.rounds += rounds;
    if (region_.used && rounds > 0) interval_.push_back({rounds, region_.depth});
    if (!region_.used && rounds > 0)
      pending_.push_back({region_.load_depth, rounds, region_.depth, false, false, region_.loads_single_elements()});
    result_.shared_exposures += waits * region_.shared_count;
    if (moves) {
      result_.instructions -= (1 - region_.turns_share()) * region_.steps;
      add_serial(loop_instructions * region_.entered);
    }
    // The copies of an unrolled loop do not wait for each other, except for values that one leaves for the next.
    const double turns = moves ? region_.turns_share() : 1;
    int carried = 1;
    for (const auto choice : region_.carried) carried = std::max(carried, depth_in(region_.carried_depth, choice));
    result_.serial += region_.chain_count * region_.serial_roots();
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
    // Conditional loads of single elements. Each computes an address and a condition, so nvcc moves the last of them
    // behind the computation that was to hide them, as its machine code shows.
    bool single = false;
    bool is_hidden() const { return work_since && !single; }
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
