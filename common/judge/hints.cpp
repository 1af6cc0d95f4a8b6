#include "judge/hints.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "judge/backend.hpp"

namespace lab::judge {

namespace {

bool lists(std::string words, const std::string& wanted) {
  for (char& c : words)
    if (c == ',') c = ' ';
  std::istringstream all{words};
  for (std::string word; all >> word;)
    if (word == wanted) return true;
  return false;
}

}  // namespace

int hint_for(const std::string& lab, const std::string& diagnosis) {
  std::ifstream file{here().root / "labs" / lab / "hints.md"};
  if (!file) return 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("## ")) continue;
    const auto open = line.find("<!--"), close = line.find("-->");
    if (open == std::string::npos || close == std::string::npos) continue;
    if (lists(line.substr(open + 4, close - open - 4), diagnosis)) return std::atoi(line.c_str() + 3);
  }
  return 1;
}

}  // namespace lab::judge
