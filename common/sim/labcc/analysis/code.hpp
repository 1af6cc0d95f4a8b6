#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/labcc/rewriter/tokens.hpp"

namespace lab::sim::loops {

/// A kernel keeps its usual form, because the analysis cannot prove that loops do the same.
struct declined {};

/// A range of tokens.
struct range {
  std::size_t first = 0, end = 0;
  bool contains(std::size_t t) const { return t >= first && t < end; }
};

/// The tokens of a source, and what they tell of the statements around them.
class code {
 public:
  explicit code(std::string_view source) : source_{source}, tokens_{tokenize(source)} { find_groups(); }

  const std::vector<token>& tokens() const { return tokens_; }
  std::size_t size() const { return tokens_.size(); }
  std::string_view words(std::size_t t) const { return t < tokens_.size() ? tokens_[t].words : std::string_view{}; }
  bool is_identifier(std::size_t t) const { return t < size() && tokens_[t].kind == token_kind::identifier; }
  bool is_directive(std::size_t t) const { return t < size() && tokens_[t].directive; }
  /// Whether no white space separates the token from the next one.
  bool touches_next(std::size_t t) const { return t + 1 < size() && tokens_[t].end == tokens_[t + 1].begin; }
  std::string_view source() const { return source_; }

  /// The end of the statement here that is a barrier of the block; 0 if it is none: __syncthreads(), or sync() of a
  /// variable that holds this_thread_block().
  std::size_t end_of_barrier(std::size_t t) const;
  /// The end of the declaration here of such a variable; 0 if it is none.
  std::size_t end_of_group(std::size_t t) const;
  /// Whether a variable of this name holds this_thread_block().
  bool is_group(std::string_view name) const { return groups_.contains(name); }
  /// Where kernels begin, in the order of the source: the tokens __global__.
  std::vector<std::size_t> kernels() const;
  /// The body of a kernel, from brace to brace; empty if it has none. The first kernel of the source is 0.
  range kernel_body(std::size_t number) const;

  /// The bracket that closes this one. Throws `declined` if none does.
  std::size_t closing(std::size_t open) const;
  /// The bracket that opens this one.
  std::size_t opening(std::size_t close) const;
  /// The `<` of the template arguments that end at this `>`; `npos` if it compares.
  std::size_t template_opening(std::size_t close) const;
  /// The token after the template arguments that begin at this `<`; `npos` if it compares.
  std::size_t after_template(std::size_t open) const;
  std::size_t statement_start(std::size_t position) const;
  /// The function whose list of arguments the token is in; `npos` if it is in none.
  std::size_t callee_around(std::size_t t, std::size_t first) const;

  /// Whether the token ends an operand, so that an operator after it is binary.
  bool ends_operand(std::size_t t) const;
  /// Whether an ampersand or asterisk has no operand before it.
  bool is_unary(std::size_t t) const;
  /// Whether an operator that assigns begins here, right after what it changes.
  bool assigns(std::size_t t) const;
  /// Whether the name at this position is incremented or decremented in front.
  bool is_stepped_before(std::size_t t) const;
  /// The token after  name.member[index].member  that begins here. Stops at `->`.
  std::size_t after_members(std::size_t name, bool through_brackets) const;
  /// The words of the tokens, apart by single spaces.
  std::string text(range r) const;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  void find_groups();
  bool is_at(std::size_t t, std::initializer_list<std::string_view> all) const;

  std::string_view source_;
  std::vector<token> tokens_;
  std::set<std::string_view> groups_;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all);

}  // namespace lab::sim::loops
