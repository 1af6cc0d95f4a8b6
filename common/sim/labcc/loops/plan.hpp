#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "sim/labcc/analysis/variables.hpp"

namespace lab::sim::loops {

/// The parts of a loop's header whose threads take turns.
struct turns {
  range type;
  std::size_t name;
  range first, condition, step;
};

/// An `if` around all that follows in a fragment, or one that ends the thread:  if (i < n) ...  or  if (i >= n) return;
struct guard {
  range condition;
  bool returns = false;
};

/// Statements without a barrier, one after another, that one loop over the threads of a block executes.
struct fragment {
  std::vector<const statement*> statements;
  bool last = false;                // no barrier follows, so a thread may return
  std::size_t run = 0;              // fragments of one run have no barrier between them
  const turns* by_turns = nullptr;  // of its only statement: each iteration is a loop over the threads
  range all() const { return {statements.front()->all.first, statements.back()->all.end}; }
};

/// How a kernel becomes loops. The constructor throws `declined` if that cannot be proved to do the same.
class plan {
 public:
  /// `by_turns`: whether the threads of suitable loops take turns.
  plan(const code& source, variables& all, const std::vector<statement>& body, range tokens, bool by_turns);

  const std::vector<fragment>& fragments() const { return fragments_; }
  const std::vector<range>& barriers() const { return barriers_; }
  /// The number of the fragment that the token is in; `npos` if the whole block executes it.
  std::size_t fragment_of(std::size_t t) const;
  /// Whether one value serves the block, because all threads assign the same outside of the loops.
  bool is_of_block(const variable& v) const { return of_block_.contains(&v); }
  /// Whether fragments other than that of its declaration use it.
  bool crosses(const variable& v) const;
  /// Whether its declaration may be repeated, because the value depends on nothing that changes.
  bool repeats(const variable& v) const { return repeated_.contains(&v); }
  /// The variables whose declarations must stand in front of the repeated one.
  const std::vector<variable*>& needs(const variable& v) const { return needs_.at(&v); }
  /// The guards of a fragment that has no loops, if most rows of threads pass them as a whole. Nothing if its threads
  /// gain nothing from vector instructions.
  std::optional<std::vector<guard>> guards_of(const fragment& f);
  bool has_barriers() const { return !barriers_.empty(); }
  /// Whether a pointer that lives longer than one loop may point into it, while one object serves the block.
  bool is_pointed_into(const variable& v) const { return pointed_into_.contains(&v); }
  bool has_turns() const { return !turns_.empty(); }
  /// The innermost counted loop of the block that the fragment is in; null if it is in none.
  const statement* loop_around(std::size_t f) const;

 private:
  bool is_of_block(const statement& s, bool last) const { return s.is_of_block() || (s.returns && !last); }
  void declare(std::span<const statement> sequence, range scope, bool last);
  void declare(const statement& s, range scope);
  bool mentions(range tokens, std::initializer_list<std::string_view> some, int depth);
  bool leaves_turn(range tokens) const;
  std::optional<guard> guard_at(const statement& s, bool last);
  bool divides(range tokens);
  bool exchanges_values() const;
  std::optional<turns> turns_of(const statement& s);
  void declare_turns(const statement& s);
  std::size_t end_of_blocks(std::span<const statement> sequence, bool last) const;
  void find_runs(std::span<const statement> sequence, bool last);
  void find_uniform();
  bool stays_uniform(const variable& v);
  bool is_uniform_change(std::size_t change);
  void require_uniform(std::span<const statement> sequence, bool last);
  void require_uniform(const statement& s);
  void require_uniform_header(const statement& s);
  void choose_of_block();
  bool block_executes(const statement& s) const;
  void split_runs();
  void require_no_exchange();
  void require_no_exchange(const variable& v, std::vector<char>& accesses);
  bool binds_pointer(std::size_t t) const;
  void find_repeated();
  bool may_repeat(const variable& v);
  void find_pointed();
  void find_pointed(range tokens);
  bool is_fixed_for(const variable& need, const variable& v);
  std::size_t run_of(std::size_t t) const;

  const code& c_;
  variables& variables_;
  range body_;
  const bool by_turns_;
  std::map<const statement*, turns> turns_;
  std::vector<fragment> runs_, fragments_;
  std::vector<range> barriers_;
  std::vector<const statement*> loops_;  // counted ones with a barrier
  std::set<const variable*> of_block_, repeated_, pointed_into_;
  std::map<const variable*, std::vector<variable*>> needs_;
};

}  // namespace lab::sim::loops
