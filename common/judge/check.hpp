#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge/confinement.hpp"
#include "judge/gates.hpp"
#include "judge/trace_report.hpp"
#include "judge/verdict.hpp"
#include "lab/card.hpp"

namespace lab::judge {

/// Which kernel of a lab: the student's, the solution, the encore, or any file.
struct variant {
  std::string word;  ///< "starter", "solution", "encore" or "file", as in the JSON documents
  std::filesystem::path source;
};
variant starter_of(const entry& lab);
variant solution_of(const entry& lab);
variant encore_of(const entry& lab);

struct options {
  judge::backend backend = judge::backend::sim;
  std::optional<std::uint64_t> seed;  ///< drawn from the system if not given, and always reported
  double timeout_s = 10;              ///< for one case
  int device = 0;
  bool again = false;  ///< calls the last case once more with other inputs: an answer from memory is wrong then
  double build_timeout_s = 60;
  std::size_t memory_bytes = 8ull << 30;                  ///< of host memory, beyond which a runner is ended
  confinement confine{};                                  ///< for compilers and runners
  std::vector<size> sizes;                                ///< instead of the card's
  std::function<void(const std::string& what)> progress;  ///< called when a step begins
  unsigned schedules = 1;  ///< how many legal orders of blocks and warps a traced run tries
  bool traced = true;      ///< also look for hazards and hold the gates, on the simulator
  bool limits = false;     ///< a profile on a GPU tells how busy its units were, not what each line did
  /// Called when the values are judged, if tracing follows.
  std::function<void(const struct check_result&)> values_known;
};

struct case_result {
  std::string launcher, name;  ///< name is "2000x33" or, with floating-point inputs, "17x15x33 lattice"
  std::uint64_t seed = 0;
  judge::verdict verdict = judge::verdict::pass;
  std::string message;    ///< empty for a pass; else what, where, why and what next, with a picture; several lines
  std::string diagnosis;  ///< a word for the pattern of the mismatches ("missing_guard"), empty if none fits
  int hint = 0;           ///< which hint of hints.md to read, 0 for none
};

struct check_result {
  std::string lab, variant;
  judge::verdict verdict = judge::verdict::pass;  ///< that of the first case that did not pass
  std::vector<case_result> cases;
  std::vector<hazard> hazards{};      ///< those of the sizes traced, errors and others
  std::vector<gate_result> gates{};   ///< in the card's order, if the values are right
  std::vector<std::string> traced{};  ///< the sizes
  double seconds = 0, build_seconds = 0, trace_seconds = 0;
};

/// Builds the kernel and runs every case of the lab's card in a runner process. Never throws for what a kernel does.
check_result check(const entry& lab, const variant& which, const options& o);

/// One case whose inputs the caller brings: what to call, and with what. `given` must be like what the contract makes
/// of the size, values apart.
struct given_case {
  const lab::contract& contract;
  lab::size size;
  arguments given;
};

/// The same for that case alone. `outputs` receives all arguments as the launcher left them, or nothing if it did not
/// return.
check_result check_given(const entry& lab, const variant& which, const options& o, const given_case& one,
                         arguments& outputs);

/// The sizes for one launcher: of those asked for, the ones with as many extents as it has axes; `own` if none were
/// asked for.
std::vector<size> sizes_for(const contract& c, const std::vector<size>& asked, const std::vector<size>& own);

/// @throws usage_error if a size that was asked for fits none of the lab's launchers
void require_fitting(const entry& lab, const std::vector<size>& asked);

nlohmann::json to_json(const check_result& r);

}  // namespace lab::judge
