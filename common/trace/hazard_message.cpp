#include "trace/hazard_message.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>

#include "diagnosis/explanation.hpp"
#include "sim/hazard_kinds.hpp"
#include "sim/hazard_texts.hpp"
#include "trace/shared_update.hpp"

namespace lab::judge {

namespace {

using sim::hazard_kind;
using sim::hazard_word;

struct knowledge {
  hazard_kind kind;
  std::string_view space;  // a space that is empty stands for all others
  verdict_kind verdict;
  diagnosis_kind diagnosis;
};

constexpr knowledge known_hazards[] = {
    knowledge{hazard_kind::race, "shared", verdict_kind::race, diagnosis_kind::missing_barrier},
    knowledge{hazard_kind::race, "asynchronous", verdict_kind::race, diagnosis_kind::race},
    knowledge{hazard_kind::race, "", verdict_kind::race, diagnosis_kind::race},
    knowledge{hazard_kind::out_of_bounds, "global", verdict_kind::out_of_bounds, diagnosis_kind::missing_guard},
    knowledge{hazard_kind::out_of_bounds, "", verdict_kind::out_of_bounds, diagnosis_kind::shared_bounds},
    knowledge{hazard_kind::use_after_free, "", verdict_kind::out_of_bounds, diagnosis_kind::use_after_free},
    knowledge{hazard_kind::host_pointer, "", verdict_kind::launch_error, diagnosis_kind::host_pointer},
    knowledge{hazard_kind::device_pointer, "", verdict_kind::crash, diagnosis_kind::device_pointer},
    knowledge{hazard_kind::uninitialized_read, "shared", verdict_kind::uninitialized_read,
              diagnosis_kind::uninitialized_read},
    knowledge{hazard_kind::uninitialized_read, "asynchronous", verdict_kind::uninitialized_read,
              diagnosis_kind::uninitialized_read},
    knowledge{hazard_kind::uninitialized_read, "constant", verdict_kind::uninitialized_read,
              diagnosis_kind::uninitialized_read},
    knowledge{hazard_kind::uninitialized_read, "", verdict_kind::uninitialized_read,
              diagnosis_kind::uninitialized_read},
    knowledge{hazard_kind::misaligned, "", verdict_kind::misaligned, diagnosis_kind::misaligned},
    knowledge{hazard_kind::divergent_barrier, "", verdict_kind::divergent_barrier, diagnosis_kind::divergent_barrier},
    knowledge{hazard_kind::invalid_sync_mask, "", verdict_kind::divergent_barrier, diagnosis_kind::invalid_sync_mask},
    knowledge{hazard_kind::launch_error, "copies", verdict_kind::launch_error, diagnosis_kind::bad_copy},
    knowledge{hazard_kind::launch_error, "streams", verdict_kind::launch_error, diagnosis_kind::bad_handle},
    knowledge{hazard_kind::launch_error, "", verdict_kind::launch_error, diagnosis_kind::bad_launch},
    knowledge{hazard_kind::missing_synchronization, "", verdict_kind::race, diagnosis_kind::missing_synchronization},
    knowledge{hazard_kind::livelock, "", verdict_kind::timeout, diagnosis_kind::livelock},
    knowledge{hazard_kind::hang, "asynchronous", verdict_kind::timeout, diagnosis_kind::hang},
    knowledge{hazard_kind::hang, "", verdict_kind::timeout, diagnosis_kind::hang},
    knowledge{hazard_kind::constant_write, "", verdict_kind::out_of_bounds, diagnosis_kind::constant_write},
    knowledge{hazard_kind::schedule_dependent, "", verdict_kind::nondeterministic, diagnosis_kind::nondeterministic},
    knowledge{hazard_kind::leak, "", verdict_kind::leak, diagnosis_kind::leak},
    knowledge{hazard_kind::host_code, "", verdict_kind::compile_error, diagnosis_kind::host_code},
};

std::string_view about_space(const knowledge& known_hazard) {
  if (known_hazard.space == "shared") return "hazard in shared memory";
  if (known_hazard.space == "constant") return "hazard in constant memory";
  if (known_hazard.space == "asynchronous") return "hazard in asynchronous operations";
  if (known_hazard.space == "copies") return "hazard in copies";
  if (known_hazard.space == "streams") return "hazard in streams";
  return known_hazard.space == "global" || known_hazard.kind == hazard_kind::race ? "hazard in global memory"
                                                                                  : "hazard";
}

const knowledge& about(const hazard& found) {
  static constexpr knowledge unknown{{}, "", verdict_kind::crash, diagnosis_kind::none};
  for (const auto& k : known_hazards)
    if (hazard_word(k.kind) == found.kind && (k.space.empty() || k.space == found.space)) return k;
  return unknown;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

bool contains_name(const std::string& line, const std::string& name) {
  const auto at = line.find(name);
  const auto end = at + name.size();
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return at != std::string::npos && (at == 0 || !part_of_name(line[at - 1])) &&
         (end == line.size() || !part_of_name(line[end]));
}

// Without the remedy, which may be a barrier.
std::string event(const std::string& message) { return message.substr(0, message.rfind("; ")); }

constexpr auto advice_for_update =
    "Several threads change one element, and updates are lost. Use an atomic operation such as atomicAdd (lab 11), or "
    "give each element one owner: does its index contain blockIdx?";

constexpr auto advice_for_store =
    "Two threads store different values in one element. Give each element one writer: is the index right, and the "
    "length of a row? A barrier does not help here.";

constexpr auto advice_for_return =
    "No thread may return before the last barrier. Put the condition around the loads and the store instead: threads "
    "without an element of the output still help the block.";

constexpr auto advice_for_blocks =
    "Two blocks store different values in one element. If each element has one writer, the index is wrong: does it "
    "contain blockIdx, or the block's first row and first column? A sum of all blocks needs an atomic operation (lab "
    "11).";

std::string triple(const std::array<int, 3>& t) { return fmt::format("({})", fmt::join(t, ", ")); }

std::string who(const hazard& found) {
  if (found.kernel.empty() || found.kind == "launch_error") return "";
  auto text = fmt::format("  block {}, thread {}", triple(found.block), triple(found.thread));
  if (found.count > 1) text += fmt::format("; seen {} times", found.count);
  return text + "\n";
}

}  // namespace

bool stored_twice(const hazard& found) { return found.message.ends_with("; only one of the two values remains"); }

verdict_kind verdict_of(const hazard& found) { return about(found).verdict; }

diagnosis_kind diagnosis_of(const hazard& found, const std::filesystem::path& source) {
  return shared_update(found, source) ? diagnosis_kind::missing_atomic : about(found).diagnosis;
}

// The compiler may join the calls of two launches, and one of their lines stands for both.
hazard at_its_launch(hazard found, const std::filesystem::path& source) {
  if (found.kind != hazard_word(hazard_kind::launch_error) || found.kernel.empty() || source.filename() != found.file)
    return found;
  const auto name = found.kernel.substr(0, found.kernel.find_first_of("<("));
  std::ifstream text{source};
  std::string line;
  int nearest = 0;
  for (int number = 1; std::getline(text, line); ++number) {
    if (line.find("<<<") == std::string::npos || !contains_name(line, name)) continue;
    if (nearest == 0 || std::abs(number - found.line) < std::abs(nearest - found.line)) nearest = number;
  }
  if (nearest > 0) found.line = nearest;
  return found;
}

std::string advice_for(const hazard& found) {
  if (found.message.starts_with("this thread returned before the barrier")) return advice_for_return;
  if (stored_twice(found))
    return found.message.find("block number") == std::string::npos ? advice_for_store : advice_for_blocks;
  const auto& advice = sim::hazard_text_of(found.kind, found.space).advice;
  return advice.empty() ? "Look at this line." : advice;
}

std::vector<explanation> hazard_explanations() {
  std::vector<explanation> all;
  for (const auto& k : known_hazards) {
    const auto word = hazard_word(k.kind);
    const auto& text = sim::hazard_text_of(word, k.space);
    all.push_back({std::string{word}, std::string{about_space(k)}, text.meaning, text.cause, text.advice});
  }
  return all;
}

std::string quoted_line(const std::filesystem::path& source, const std::string& file, int line) {
  if (line <= 0) return file;
  const auto place = fmt::format("{}:{}", file, line);
  if (source.filename() != file) return place;
  std::ifstream text{source};
  std::string found;
  for (int i = 0; i < line && std::getline(text, found); ++i) {
  }
  return text ? fmt::format("{}  {}", place, trimmed(found)) : place;
}

std::string where(const hazard& found, const std::filesystem::path& source) {
  auto text = fmt::format("  {}\n", quoted_line(source, found.file, found.line));
  const auto& other_file = found.other_file.empty() ? found.file : found.other_file;
  if (found.other_line > 0 && (found.other_line != found.line || other_file != found.file))
    text += fmt::format("  {}\n", quoted_line(source, other_file, found.other_line));
  return text;
}

std::string evidence(const hazard& found, const std::filesystem::path& source) {
  const auto what = shared_update(found, source) ? event(found.message) : found.message;
  return fmt::format("{}  {}\n{}", where(found, source), what, who(found));
}

std::string describe(const hazard& found, const std::filesystem::path& source, const std::string& advice) {
  auto text = found.kind;
  if (!found.kernel.empty()) text += fmt::format(" in {}", found.kernel);
  const bool no_memory = found.space == "copies" || found.space == "streams" || found.space == "asynchronous";
  if (!found.space.empty() && !no_memory) text += fmt::format(", {} memory", found.space);
  if (found.severity != "error") text += fmt::format(" ({})", found.severity);
  return fmt::format("{}\n{}  {}\n", text, evidence(found, source), advice);
}

std::string describe(const hazard& found, const std::filesystem::path& source) {
  return describe(found, source, shared_update(found, source) ? advice_for_update : advice_for(found));
}

}  // namespace lab::judge
