#pragma once

#include <deque>
#include <set>

#include "sim/labcc/analysis/functions.hpp"
#include "sim/labcc/analysis/statements.hpp"

namespace lab::sim::loops {

/// A variable that more than one statement of a kernel may use: a parameter, or one declared between its barriers.
struct variable {
  std::string_view name;
  range scope;        // from its name on
  range declaration;  // the whole statement; empty for a parameter
  range type, dimensions, initializer;
  std::string pointer;  // the asterisks between type and name
  range loop;           // whose header declares it
  bool parameter = false, shared = false, reference = false;
  bool is_volatile = false;
  bool address_taken = false;
  bool pointed_at = false;  // a pointer to it may live longer than one loop
  bool class_type = false;  // or of a type that is not known
  bool uniform = true;      // all threads of the block have the same value
  std::vector<std::size_t> uses, changes;

  bool is_array() const { return dimensions.end > dimensions.first; }
  bool has_initializer() const { return initializer.end > initializer.first; }
};

/// An assignment  name = value,  name += value  or  ++name.
struct assignment {
  std::size_t name;
  range value;  // empty for a step by one
};

/// What an expression does and needs.
struct nature {
  bool pure = true;     // it changes nothing and reads no memory
  bool uniform = true;  // it has the same value in all threads of a block
  std::vector<variable*> needs = {};
};

/// The variables of one kernel. Only those between barriers count; what a statement declares inside stays there.
class variables {
 public:
  variables(const code& source, const functions& all, std::set<std::string_view> types)
      : c_{source}, functions_{all}, types_{std::move(types)} {}

  void add_parameters(range list, range body);
  /// Adds what a statement, or the beginning of a loop's header, declares. Returns whether it is a declaration.
  bool add(range tokens, range scope, range loop = {});
  void find_uses(range body);
  variable* at(std::size_t token);
  std::deque<variable>& all() { return all_; }

  nature of(range expression);
  /// Whether the preprocessor puts nothing but numbers in the place of a name.
  bool is_number(std::string_view name) const;
  /// As in `functions`.
  template <class Test>
  bool reach(range tokens, const Test& is_one) const {
    std::set<std::string_view> seen;
    return functions_.reach(tokens, is_one, seen);
  }
  /// The assignments that an expression consists of; nothing if it does anything else.
  std::optional<std::vector<assignment>> assignments(range expression);

 private:
  std::size_t after_type(std::size_t t, std::size_t end, variable& made) const;
  void use(variable& v, std::size_t t, range body);
  bool may_change(const variable& v, std::size_t use, range body) const;
  bool has_word(range tokens, std::string_view word) const;
  bool changes_targets(const variable& v) const;
  std::size_t after_place(const variable& v, std::size_t use) const;
  bool is_bound(std::size_t use) const;
  bool decays(std::size_t use) const;
  void uses_of_macro(std::size_t t);
  void bind_references();
  bool names_fixed_parameter(const variable& reference);
  void identifier(std::size_t t, bool of_macro, const std::set<std::string_view>& arguments, nature& n, int depth);
  void examine(range expression, const std::set<std::string_view>& arguments, nature& n, int depth);
  bool only_address(std::size_t bracket);
  bool of_parameter(std::size_t bracket);
  variable* named(std::string_view name, std::size_t t);

  const code& c_;
  const functions& functions_;
  std::set<std::string_view> types_;
  std::deque<variable> all_;
  std::size_t looked_up_at_ = 0;
};

}  // namespace lab::sim::loops
