#include "labs/expectation.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "diagnosis/diagnosis_kind.hpp"
#include "lab/verdict.hpp"

namespace lab_test {

namespace {

using heading = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view keys[] = {"expect",  "diagnosis", "expect on cuda", "diagnosis on cuda",
                                     "message", "beginner",  "reason",         "mistake"};

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error("in the patch's heading: " + what); }

heading read_heading(std::istream& patch) {
  heading all;
  for (std::string line; std::getline(patch, line) && !line.starts_with("--- ");) {
    if (line.empty()) continue;
    const auto colon = line.find(": ");
    const auto key = line.substr(0, colon);
    if (std::ranges::find(keys, key) == std::end(keys)) refuse("no line of a heading begins so: " + line);
    if (colon == std::string::npos || !all.emplace(key, line.substr(colon + 2)).second)
      refuse("not one value: " + line);
  }
  return all;
}

words split(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream in{text};
  words all;
  for (std::string word; in >> word;) all.insert(word);
  return all;
}

bool is_diagnosis(std::string_view word) {
  return word == "none" || (!word.empty() && std::ranges::count(lab::judge::diagnosis_words, word) > 0);
}

void require_known(const outcome& o, bool may_pass) {
  if (o.verdicts.empty() || o.diagnoses.empty()) refuse("a verdict or a diagnosis is missing");
  for (const auto& v : o.verdicts)
    if (!lab::verdict_from(v) || v == "skipped" || (v == "pass" && !may_pass))
      refuse("a mutant cannot be expected to get the verdict " + v);
  for (const auto& d : o.diagnoses)
    if (!is_diagnosis(d)) refuse("no diagnosis is called " + d);
}

void require_reason(const expectation& e) {
  const auto most = std::max(e.sim.verdicts.size(), e.sim.diagnoses.size());
  if (most > 2) refuse("on the simulator a mutant has at most two verdicts and two diagnoses");
  if (most > 1 && e.reason.empty()) refuse("two words for the simulator need a line \"reason:\"");
  if (e.reason.empty() && !std::ranges::all_of(e.sim.diagnoses, names_cause))
    refuse("a diagnosis that names no cause needs a line \"reason:\"");
}

}  // namespace

bool names_cause(std::string_view diagnosis) {
  return diagnosis != "none" && diagnosis != "scattered" && diagnosis != "wrong_everywhere";
}

expectation parse_expectation(std::istream& patch) {
  const auto all = read_heading(patch);
  const auto value = [&](std::string_view key, const std::string& otherwise = {}) {
    const auto at = all.find(key);
    return at == all.end() ? otherwise : at->second;
  };
  const auto verdicts = value("expect"), diagnoses = value("diagnosis");
  expectation e{{split(verdicts), split(diagnoses)},
                {split(value("expect on cuda", verdicts)), split(value("diagnosis on cuda", diagnoses))},
                value("message"),
                value("beginner"),
                value("reason"),
                value("mistake")};
  const bool for_gpu_alone = verdicts.empty() && diagnoses.empty();
  if (!for_gpu_alone) require_known(e.sim, false);
  require_known(e.cuda, true);
  require_reason(e);
  if (e.mistake.empty()) refuse("the line \"mistake:\" is missing");
  return e;
}

std::string first_lines_of_cause(const std::string& message) {
  auto begin = message.find("\nWhy");
  if (begin == std::string::npos) begin = message.find('\n');
  auto end = begin;
  for (int lines = 0; lines < 3 && end != std::string::npos; ++lines) end = message.find('\n', end + 1);
  return message.substr(std::min(begin, message.size()), end - begin);
}

expectation expectation_of(const std::filesystem::path& patch) {
  std::ifstream in{patch};
  return parse_expectation(in);
}

std::set<std::string> marked_hazards(const std::filesystem::path& kernel) {
  constexpr std::string_view mark = "// hazard:";
  std::set<std::string> all;
  std::ifstream lines{kernel};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find(mark);
    if (at == std::string::npos) continue;
    for (const auto& kind : split(line.substr(at + mark.size()))) all.insert(kind + " " + std::to_string(number + 1));
  }
  return all;
}

}  // namespace lab_test
