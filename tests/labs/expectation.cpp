#include "labs/expectation.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "lab/verdict.hpp"

namespace lab_test {

namespace {

constexpr std::string_view expect = "// expect:", diagnosis = "diagnosis:", hidden = "hidden_on:";

std::set<std::string, std::less<>> words(const std::string& text) {
  std::set<std::string, std::less<>> all;
  std::istringstream in{text};
  for (std::string word; in >> word;)
    if (word != "|") all.insert(word);
  if (all.empty()) throw std::runtime_error("no word in \"" + text + "\"");
  return all;
}

}  // namespace

expectation parse_expectation(const std::string& line) {
  const auto middle = line.find(diagnosis);
  if (!line.starts_with(expect) || middle == std::string::npos)
    throw std::runtime_error("not \"// expect: VERDICT  diagnosis: WORD\": " + line);
  const auto end = line.find(hidden);
  const auto after = middle + diagnosis.size();
  expectation e{words(line.substr(expect.size(), middle - expect.size())),
                words(line.substr(after, end == std::string::npos ? end : end - after))};
  if (end != std::string::npos) e.hidden_on = words(line.substr(end + hidden.size()));
  if (e.hidden_on.contains("sim")) throw std::runtime_error("the simulator hides nothing: " + line);
  for (const auto& v : e.verdicts)
    if (!lab::verdict_from(v) || v == "pass") throw std::runtime_error("a mutant cannot be expected to get " + v);
  return e;
}

expectation expectation_of(const std::filesystem::path& mutant) {
  std::string line;
  std::getline(std::ifstream{mutant} >> std::ws, line);
  return parse_expectation(line);
}

std::set<std::string> marked_hazards(const std::filesystem::path& mutant) {
  constexpr std::string_view mark = "// hazard:";
  std::set<std::string> all;
  std::ifstream lines{mutant};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find(mark);
    if (at == std::string::npos) continue;
    std::ranges::replace(line, ',', ' ');
    for (const auto& kind : words(line.substr(at + mark.size()))) all.insert(kind + " " + std::to_string(number + 1));
  }
  return all;
}

}  // namespace lab_test
