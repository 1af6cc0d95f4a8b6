#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sim/labcc/analysis/code.hpp"

namespace lab::sim::loops {

/// What code of other sources does that kernels may reach where no call can be seen.
struct hidden_code {
  bool reads_index = false;
  bool operators_act = false;  // they may do more than compute a value
};

/// The functions, macros and variables of a source that its kernels may use.
class functions {
 public:
  functions(const code& source, hidden_code elsewhere);

  /// Throws `declined` if these tokens may wait, or do what the analysis cannot follow. `types`: template parameters.
  /// Returns whether they may report the thread that executes them.
  bool check(range tokens, const std::set<std::string_view>& types, bool of_kernel);
  /// Whether functions that kernels may call where no call can be seen read threadIdx.
  bool read_index() const { return read_index_; }
  /// Whether operators that the program defines may do more than compute a value.
  bool operators_act() const { return operators_act_; }
  /// Whether any code in no kernel reads threadIdx.
  bool any_reads_index() const;
  bool is_own(std::string_view name) const { return bodies_.contains(name); }
  /// The functions of this name, each from its list of parameters to the end of its body; empty for a kernel.
  const std::vector<range>* definitions(std::string_view name) const;
  /// The texts that the preprocessor may put in the place of a name.
  const std::vector<range>* macro(std::string_view name) const;
  /// Whether these tokens, or the functions and macros of this source that they name, have a word of which `is_one` is
  /// true. `seen`: names that need no further look.
  template <class Test>
  bool reach(range tokens, const Test& is_one, std::set<std::string_view>& seen) const {
    for (std::size_t t = tokens.first; t < tokens.end; ++t) {
      const auto w = c_.words(t);
      if (is_one(w)) return true;
      if (!c_.is_identifier(t) || !seen.insert(w).second) continue;
      for (const auto* texts : {definitions(w), macro(w)})
        if (texts && std::ranges::any_of(*texts, [&](range each) { return reach(each, is_one, seen); })) return true;
    }
    return false;
  }
  /// Whether a macro of this name has a jump out of the code that uses it: a return, or a break of no loop of its own.
  bool jumps(std::string_view name, int depth = 8) const;
  /// Whether the name is that of a variable in device memory, which kernels may change.
  bool is_device_variable(std::string_view name) const { return variables_.contains(name); }
  /// Whether this parameter of one of the functions of this name is a reference through which it may change its
  /// argument, or a pointer if `pointers`.
  bool may_change(std::string_view name, std::size_t parameter, bool pointers) const;
  /// Whether structures of the source have an array of this name, and no pointer.
  bool is_array_member(std::string_view name) const;
  bool is_constant(std::string_view name) const { return constants_.contains(name); }

 private:
  void find_macros();
  void find_bodies();
  void find_hidden_calls();
  void find_operators();
  void find_members();
  bool acts(std::size_t operator_word) const;
  bool is_index(std::size_t t, int depth = 0) const;
  bool in_kernel(std::size_t t) const;
  void find_variables(std::string_view qualifier, std::set<std::string_view>& names);
  bool identifier(std::size_t t, const std::set<std::string_view>& types);
  bool call(std::size_t name, const std::set<std::string_view>& types);
  bool inside(std::string_view name, const std::vector<range>& bodies);
  bool is_cast(std::size_t close) const;

  const code& c_;
  std::map<std::string_view, std::vector<range>> macros_, bodies_;
  std::set<std::string_view> variables_, constants_, refused_, arrays_, pointers_;
  std::map<std::string_view, bool> known_;  // whether these functions and macros may report their thread
  std::vector<range> kernels_;
  bool read_index_, operators_act_;
};

}  // namespace lab::sim::loops
