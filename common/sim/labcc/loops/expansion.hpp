#pragma once

#include <map>
#include <string>

#include "sim/labcc/analysis/callee.hpp"
#include "sim/labcc/analysis/variables.hpp"
#include "sim/labcc/rewriter/edits.hpp"

namespace lab::sim::loops {

/// Adds the variables that statements declare, inner statements included.
void declare_all(const code& c, variables& found, const std::vector<statement>& sequence);

/// A call of a function of the source.
struct call_of_function {
  range all;        // the call
  range types;      // between < and >; empty if there are none
  range arguments;  // between ( and )
};

/// Puts the statements of a function in the place of one call. Each name of the function becomes another one, so that
/// it hides no name of the caller. Throws `declined` if that cannot be proved to do the same.
class expansion {
 public:
  /// `number`: tells the names of this expansion from those of others.
  expansion(const code& source, const functions& all, const callee& function, variables& caller, std::size_t number);
  /// Shared variables of the function become those of the kernel, once: `placed` has their declarations.
  void write(const call_of_function& call, const statement& around, bool is_declaration, std::size_t kernel_body,
             std::set<std::string>& placed, edits& out);

 private:
  std::string own(std::string_view name) const;
  void name_types(const call_of_function& call);
  void name_parameters(const call_of_function& call);
  void name_parameter(const parameter& p, range argument, bool has_references);
  std::string type_of(const parameter& p) const;
  void name_locals(const call_of_function& call);
  bool is_of_caller(std::string_view name) const;
  void require_no_capture() const;
  void require_no_capture_by(std::string_view macro, int depth) const;
  bool changes(std::string_view name) const;
  std::string one_token(range argument) const;
  bool is_shared_of_caller(std::string_view name) const;
  std::string statements(std::vector<std::string>& shared);
  std::string result_variable() const;
  std::string words(range r) const;

  const code& c_;
  const functions& functions_;
  const callee& f_;
  variables& caller_;
  std::size_t number_;
  std::map<std::string_view, std::string> names_;
  std::set<std::string> given_;  // names of the caller that take the place of parameters
  std::vector<range> shared_;    // declarations
  std::string parameters_;
};

}  // namespace lab::sim::loops
