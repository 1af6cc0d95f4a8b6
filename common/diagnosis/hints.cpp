#include "diagnosis/hints.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "lab/backend.hpp"
#include "support/installation.hpp"

namespace lab::judge {

namespace {

bool lists(std::string words, std::string_view wanted) {
  for (char& c : words)
    if (c == ',') c = ' ';
  std::istringstream all{words};
  for (std::string word; all >> word;)
    if (word == wanted) return true;
  return false;
}

}  // namespace

int hint_for(const std::string& lab, diagnosis_kind diagnosis) {
  std::ifstream file{here().root / "labs" / lab / "hints.md"};
  if (!file) return 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("## ")) continue;
    const auto open = line.find("<!--"), close = line.find("-->");
    if (open == std::string::npos || close == std::string::npos) continue;
    if (lists(line.substr(open + 4, close - open - 4), word(diagnosis))) return std::atoi(line.c_str() + 3);
  }
  return 1;
}

std::string next_step(const std::string& lab, int hint, diagnosis_kind diagnosis, verdict_kind verdict) {
  const auto explain =
      fmt::format("./lab explain {}", diagnosis == diagnosis_kind::none ? word(verdict) : word(diagnosis));
  if (hint == 0) return fmt::format("Next: {}\n", explain);
  return fmt::format("Next: ./lab hint {} {} (in general: {})\n", lab.substr(0, 2), hint, explain);
}

}  // namespace lab::judge
