#include "diagnosis/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "lab/backend.hpp"
#include "support/installation.hpp"

namespace lab::judge {

namespace {

std::vector<std::string> words_of(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::istringstream all{text};
  return {std::istream_iterator<std::string>{all}, {}};
}

hint with_heading(const std::string& line) {
  const auto open = line.find("<!--"), close = line.find("-->");
  if (open == std::string::npos || close == std::string::npos) return {.title = line.substr(3)};
  const auto comment = line.substr(open + 4, close - open - 4);
  const auto colon = comment.find(':');
  if (colon == std::string::npos) return {.title = line.substr(3, open - 4), .diagnoses = words_of(comment)};
  return {line.substr(3, open - 4), words_of(comment.substr(0, colon)).front(), words_of(comment.substr(colon + 1))};
}

bool lists(const hint& one, diagnosis_kind diagnosis) { return std::ranges::count(one.diagnoses, word(diagnosis)) > 0; }

}  // namespace

std::vector<hint> hints_of(const std::string& lab) {
  std::ifstream file{here().root / "labs" / lab / "hints.md"};
  std::vector<hint> hints;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## "))
      hints.push_back(with_heading(line));
    else if (!hints.empty())
      hints.back().text += line + "\n";
  }
  return hints;
}

int hint_for(const std::string& lab, const std::string& launcher, diagnosis_kind diagnosis) {
  const auto hints = hints_of(lab);
  const auto number_of_first = [&](const auto& fits) {
    const auto at = std::ranges::find_if(hints, fits);
    return at == hints.end() ? 0 : static_cast<int>(at - hints.begin()) + 1;
  };
  const auto own = [&](const hint& one) { return one.launcher == launcher; };
  const auto common = [](const hint& one) { return one.launcher.empty(); };
  for (const int number :
       {number_of_first([&](const hint& one) { return own(one) && lists(one, diagnosis); }),
        number_of_first([&](const hint& one) { return common(one) && lists(one, diagnosis); }), number_of_first(own)})
    if (number > 0) return number;
  return number_of_first(common);
}

std::string next_step(const std::string& part, int hint, diagnosis_kind diagnosis, verdict_kind verdict) {
  const auto explain =
      fmt::format("./lab explain {}", diagnosis == diagnosis_kind::none ? word(verdict) : word(diagnosis));
  if (hint == 0) return fmt::format("Next: {}\n", explain);
  return fmt::format("Next: ./lab hint {} {} (in general: {})\n", part, hint, explain);
}

}  // namespace lab::judge
