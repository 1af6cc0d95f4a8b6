#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "diagnosis/diagnosis_kind.hpp"
#include "diagnosis/mismatch_message.hpp"
#include "lab/random_inputs.hpp"
#include "lab/size.hpp"
#include "lab/verdict.hpp"

namespace lab::judge {

/// Which part of a check a case belongs to.
enum class case_phase {
  backend,  ///< whether the lab can run here; such a case has no launcher and no size
  build,    ///< whether the kernel compiles; likewise
  values,   ///< the outputs were compared with the reference
  trace,    ///< the values are right, and the simulator watched every access
  gate,     ///< the traffic was held against a gate
};

/// "backend", "build", "values", "trace" or "gate", as in the JSON documents.
std::string_view word(case_phase phase);

/// What a case is.
struct case_identity {
  case_phase phase = case_phase::values;
  std::string launcher{};
  problem_size size{};
  inputs kind = inputs::lattice;
  bool floating = false;      ///< the launcher has floating-point parameters, so `kind` matters
  bool other_inputs = false;  ///< the same size once more, with inputs from the next seed

  bool traced() const { return phase == case_phase::trace || phase == case_phase::gate; }

  /// For people: "2000x33", "2000x33 lattice", "2000x33 traced", "build". The program never reads it back.
  std::string name() const;
};

/// What a case is and what it came to.
struct case_result : case_identity {
  std::uint64_t seed = 0;
  verdict_kind verdict = verdict_kind::pass;
  std::string message{};  ///< empty for a pass; else what, where, why and what next, with a picture; several lines
  std::string seen{};     ///< the part of the message that is no guess: what and where
  std::string why{};      ///< the part that names the cause
  std::string warned{};   ///< what the compiler warned of
  bool proven = false;    ///< the traced run, or the compiler, shows the cause
  diagnosis_kind diagnosis = diagnosis_kind::none;
  bool seen_elsewhere = false;  ///< a case of another size shows the diagnosis, this one does not
  int hint = 0;                 ///< which hint of hints.md to read, 0 for none
  element_map map{};            ///< the picture of the message, as data
};

}  // namespace lab::judge
