#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "machine_code/parse.hpp"

namespace lab::judge {

namespace {

namespace fs = std::filesystem;

// Reads the disassembly line by line.
class sass_reader {
 public:
  explicit sass_reader(const fs::path& source) : source_{source.lexically_normal()} {}

  void read(const std::string& line) {
    std::smatch found;
    if (std::regex_search(line, found, operation_)) return add(found);
    if (std::regex_search(line, found, place_)) return remember(found);
    if (std::regex_search(line, found, label_)) return labels_.push_back(found[1]);
    if (std::regex_search(line, found, section_)) return begin(found[1]);
    // A function within the kernel's section: what the compiler adds, such as a division, has no line.
    if (std::regex_search(line, found, function_)) return forget();
    if (std::regex_search(line, found, target_)) code_.architecture = found[1];
  }

  machine_code result() {
    finish();
    std::ranges::reverse(code_.kernels);  // nvdisasm lists the last one of the PTX first
    return std::move(code_);
  }

 private:
  void begin(const std::string& symbol) {
    finish();
    code_.kernels.push_back({.symbol = symbol, .name = readable_name(symbol)});
    labels_.clear();
    addresses_.clear();
    forget();
  }

  void forget() {
    line_ = 0;
    elsewhere_.clear();
    places_end_ = true;
  }

  // Several of these lines stand before an instruction: the innermost function first, its callers below.
  void remember(const std::smatch& found) {
    if (places_end_) forget();
    places_end_ = !found[3].matched;  // the outermost ends the list
    if (line_ > 0) return;
    const fs::path file{found[1].str()};
    const int number = std::stoi(found[2]);
    if (file.lexically_normal() == source_)
      line_ = number;
    else if (elsewhere_.empty())
      elsewhere_ = fmt::format("{}:{}", file.filename().string(), number);
  }

  void add(const std::smatch& found) {
    if (code_.kernels.empty()) return;
    for (const auto& name : labels_) addresses_[name] = found[1];
    labels_.clear();
    instruction one{.address = found[1], .text = found[2], .spill = found[4] == "SpillRefill"};
    one.line = line_;
    if (line_ == 0) one.elsewhere = elsewhere_;
    code_.kernels.back().instructions.push_back(std::move(one));
  }

  // A branch names a label of the disassembler; a reader finds the address. What fills the section is no code.
  void finish() {
    if (code_.kernels.empty()) return;
    auto& all = code_.kernels.back().instructions;
    static const std::regex jump{R"(`\((\.L_\w+)\))"};
    for (auto& one : all) {
      std::smatch found;
      if (!std::regex_search(one.text, found, jump)) {
        one.text = with_readable_names(one.text);
        continue;
      }
      if (const auto at = addresses_.find(found[1]); at != addresses_.end())
        one.text = found.prefix().str() + at->second + found.suffix().str();
    }
    while (!all.empty() && all.back().text == "NOP") all.pop_back();
    if (!all.empty() && all.back().text == "BRA " + all.back().address) all.pop_back();
  }

  fs::path source_;
  const std::regex target_{R"(^\s*\.target\s+(\w+))"};
  const std::regex section_{R"(^//-+ \.text\.(\S+)\s+-+$)"};
  const std::regex function_{R"re(^\s*\.type\s+(\S+),@function)re"};
  const std::regex place_{R"re(^\s*//## File "([^"]*)", line (\d+)( inlined at)?)re"};
  const std::regex label_{R"(^(\.L_\w+):\s*$)"};
  const std::regex operation_{R"re(^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*(\(\*"(\w+)"\*\))?\s*;\s*$)re"};
  machine_code code_;
  int line_ = 0;
  std::string elsewhere_;
  bool places_end_ = true;
  std::vector<std::string> labels_;               // those that stand before the next instruction
  std::map<std::string, std::string> addresses_;  // of labels
};

}  // namespace

machine_code parse_sass(const std::string& text, const fs::path& source) {
  sass_reader reader{source};
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.result();
}

}  // namespace lab::judge
