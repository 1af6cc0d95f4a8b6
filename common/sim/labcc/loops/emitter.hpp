#pragma once

#include "sim/labcc/loops/plan.hpp"
#include "sim/labcc/rewriter/edits.hpp"

namespace lab::sim::loops {

/// Writes the loops of one kernel as edits.
class emitter {
 public:
  emitter(const code& source, variables& all, plan& how, edits& out)
      : c_{source}, variables_{all}, plan_{how}, out_{out} {}
  /// `one_by_one`: the runtime must know at each moment which thread runs. `in_order`: the stores of a thread must not
  /// replace those of the thread before it.
  void write(range body, bool one_by_one, bool in_order);

 private:
  bool is_kept(const variable& v) const;
  bool is_copied(const variable& v) const;
  bool stays_in_place(const variable& v) const { return v.is_array() || v.pointed_at; }
  std::string type_of(const variable& v) const;
  std::string head(bool one_by_one) const;
  std::string storage(std::size_t f) const;
  std::string room(const variable& v, const std::string& type) const;
  std::string arrivals(std::size_t f) const;
  std::string departures(std::size_t f) const;
  std::string named(std::size_t f) const;
  void repeat(const variable& v, std::size_t f, std::set<std::size_t>& declarations) const;
  std::string repeated(const std::set<std::size_t>& declarations) const;
  bool uses(const variable& v, std::size_t f) const;
  bool declares(const variable& v, std::size_t f) const;
  bool changes(const variable& v, std::size_t f) const;
  void write_fragment(std::size_t f, bool in_order);
  void write_rows(std::size_t f, const std::vector<guard>& guards);
  std::string passes(const std::vector<guard>& guards);
  std::string captures(std::size_t f) const;
  void write_turns(std::size_t f, bool in_order);
  void require_simple(const variable& v) const;
  bool is_one_loop() const { return !plan_.has_barriers() && !plan_.has_turns(); }
  void keep_in_place(std::size_t f);
  bool may_stand_after(std::size_t f, range e, std::set<const variable*>& needs) const;
  bool moves(range index, std::size_t f, std::size_t t) const;
  std::string requests(std::size_t f) const;

  const code& c_;
  variables& variables_;
  plan& plan_;
  edits& out_;
};

}  // namespace lab::sim::loops
