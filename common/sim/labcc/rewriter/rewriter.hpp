#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/labcc/rewriter/edits.hpp"
#include "sim/labcc/rewriter/rewrite.hpp"
#include "sim/labcc/rewriter/tokens.hpp"

namespace lab::sim {

/// One pass over the tokens of a source, which collects edits.
class rewriter {
 public:
  rewriter(std::string_view source, bool mark_loops)
      : source_{source}, mark_loops_{mark_loops}, tokens_{tokenize(source)}, edits_{source} {}
  void run();
  std::optional<std::string> result();

 private:
  std::size_t line_of(std::size_t position) const;
  std::size_t closing(std::size_t open) const;
  std::size_t opening(std::size_t close, std::string_view left, std::string_view right) const;
  std::size_t statement_start(std::size_t position) const;
  bool opens_namespace(std::size_t brace) const;
  bool in_function() const;

  enum class conditional { none, begins, other_branch, ends };
  conditional conditional_at(std::size_t position) const;
  std::size_t end_of_conditional(std::size_t position) const;
  bool has_other_branch(std::size_t end) const;
  void follow_conditional(std::size_t position);

  void launch(std::size_t position);
  std::size_t kernel_start(std::size_t position) const;
  std::size_t template_start(std::size_t close) const;
  std::string kernel_words(std::size_t first, std::size_t end) const;
  std::string kernel_name(std::size_t first, std::size_t end) const;
  bool mark_zeros(std::size_t open, std::size_t close);

  void kernel(std::size_t position);
  void cluster_size(std::size_t position);
  void launch_function(std::size_t position);

  void split_at_barriers(std::size_t position);
  bool is_barrier(std::size_t position) const;
  bool keeps_addresses(std::size_t first, std::size_t end) const;
  bool points_into_structure(std::size_t star) const;
  bool declares_array(std::size_t bracket) const;
  bool refers(std::size_t ampersand) const;

  void variable(std::size_t position);
  void static_variable(std::size_t position);
  std::size_t declarator(std::size_t position, std::string& name) const;
  bool opens_device_code(std::size_t brace) const;
  bool in_device_code() const;

  bool runs_on_device() const;
  bool opens_code_of_both(std::size_t brace) const;
  void device_code(std::size_t position);
  void shift(std::size_t position);
  bool begins_directive(std::size_t position) const;
  std::size_t end_of_directive(std::size_t position) const;
  void find_macros();
  void shifts_of_macro(std::string_view name);
  bool closes_templates(std::size_t position) const;
  bool prints(std::size_t position) const;
  void architecture(std::size_t position);
  std::size_t start_of_conditional(std::size_t position) const;
  bool device_view(std::size_t first) const;
  void both_bodies(std::size_t brace);

  std::set<std::string_view> volatile_arrays(std::size_t first, std::size_t end) const;
  std::size_t element_assignment(std::size_t position) const;
  bool exchanges(std::size_t position, std::size_t assignment) const;
  void run_in_step(std::size_t position);
  void lanes_in_step(std::size_t brace);

  void refuse(std::size_t position);
  void texture_reference(std::size_t position);
  struct statement_in_ptx {
    std::string text = {};
    std::size_t open = 0, close = 0;                                 // its parentheses
    std::vector<std::pair<std::size_t, std::size_t>> operands = {};  // the parentheses of their expressions
    bool well_formed = true;
  };
  std::optional<statement_in_ptx> ptx_at(std::size_t position) const;
  std::size_t operands_at(std::size_t position, statement_in_ptx& s) const;
  std::optional<std::string> ptx_body(const statement_in_ptx& s, std::string& unsupported) const;
  bool refuses_assembly(std::size_t position) const;
  void assembly(std::size_t position);
  bool is_own(std::string_view name) const;

  void shared(std::size_t position);
  void shared_alignment(std::size_t position);
  void shared_local(std::size_t outer, std::size_t position, std::size_t bracket, std::size_t end);
  void shared_global(std::size_t outer, std::size_t position, std::size_t end);

  void mark_return(std::size_t position);
  bool has_barrier(std::size_t brace) const;

  void loop(std::size_t position);
  void mark_for(std::size_t position);
  void mark_while(std::size_t position);
  void mark_condition(std::size_t first, std::size_t end);
  bool declares(std::size_t open, std::size_t close) const;
  std::string openmp_macro(std::string_view name) const;
  std::string openmp_before(std::size_t position) const;
  void keep_openmp_form(std::size_t position);

  std::string_view source_;
  bool mark_loops_;
  std::vector<token> tokens_;
  edits edits_;
  struct scope {
    bool of_namespace, of_device, of_both, has_barrier;
  };
  std::vector<scope> scopes_;         // of open braces
  std::vector<std::size_t> open_do_;  // brace depths of `do` whose `while` has not come
  struct open_conditional {
    std::vector<scope> scopes;
    std::vector<std::size_t> open_do;
    bool has_other_branch;
  };
  std::vector<open_conditional> conditionals_;
  using texts = std::vector<std::pair<std::size_t, std::size_t>>;  // their first tokens and ends
  std::map<std::string_view, texts> macros_;                       // whose shifts are still those of the host
  std::set<std::size_t> unmarked_;                                 // loops that OpenMP shares out
};

}  // namespace lab::sim
