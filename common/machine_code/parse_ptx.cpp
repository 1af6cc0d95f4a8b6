#include <fmt/format.h>

#include <map>
#include <regex>
#include <sstream>
#include <tuple>

#include "machine_code/parse.hpp"

namespace lab::judge {

namespace {

namespace fs = std::filesystem;

using ptx_place = std::tuple<int, int, int>;  // file, line, column

ptx_place place_in(const std::smatch& found, std::size_t first) {
  return {std::stoi(found[first]), std::stoi(found[first + 1]), std::stoi(found[first + 2])};
}

// "ld.param.u64 	%rd1, [x];" without the end and with one blank between words.
std::string tidy(const std::string& text) {
  std::istringstream words{text.substr(0, text.rfind(';'))};
  std::string all;
  for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
  return with_readable_names(all);
}

// The files' names come last, so lines are found in a second pass.
class ptx_reader {
 public:
  void read(std::string line) {
    if (const auto comment = line.find("//"); comment != std::string::npos) line.resize(comment);
    std::smatch found;
    if (std::regex_search(line, found, file_name_)) files_[std::stoi(found[1])] = found[2];
    if (depth_ > 0) return read_body(line);
    if (std::regex_search(line, found, target_)) code_.architecture = found[1];
    if (std::regex_search(line, found, beginning_)) begin(found);
    if (begun_ && line.find('{') != std::string::npos) {
      depth_ = 1;
      code_.kernels.push_back(next_);
      places_.emplace_back();
      begun_ = false;
    } else if (line.find(';') != std::string::npos) {
      begun_ = false;  // a declaration
    }
  }

  machine_code result(const fs::path& source) {
    for (std::size_t k = 0; k < code_.kernels.size(); ++k)
      for (std::size_t i = 0; i < places_[k].size(); ++i)
        find_line(code_.kernels[k].instructions[i], places_[k][i], source.lexically_normal());
    return std::move(code_);
  }

 private:
  void begin(const std::smatch& found) {
    begun_ = true;
    next_ = {.symbol = found[2], .name = readable_name(found[2]), .kernel = found[1] == "entry"};
    here_ = {};
    statement_.clear();
    label_.clear();
  }

  void read_body(const std::string& line) {
    std::smatch found;
    if (std::regex_search(line, found, location_)) return locate(found);
    if (statement_.empty() && std::regex_match(line, found, label_line_)) return void(label_ = found[1]);
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos) return;
    if (statement_.empty() && (line[first] == '{' || line[first] == '}'))
      return void(depth_ += line[first] == '{' ? 1 : -1);
    statement_ += (statement_.empty() ? "" : " ") + line.substr(first);
    if (line.find(';') == std::string::npos) return;
    if (statement_[0] != '.') add();  // ".reg" and other directives make no code
    statement_.clear();
  }

  void locate(const std::smatch& found) {
    here_ = place_in(found, 1);
    if (found[4].matched)
      callers_[here_] = place_in(found, 4);
    else
      callers_.erase(here_);
  }

  void add() {
    code_.kernels.back().instructions.push_back({.text = tidy(statement_), .label = label_});
    label_.clear();
    std::vector<ptx_place> chain{here_};
    for (auto caller = callers_.find(here_); caller != callers_.end() && chain.size() < 64;
         caller = callers_.find(chain.back()))
      chain.push_back(caller->second);
    places_.back().push_back(std::move(chain));
  }

  void find_line(instruction& one, const std::vector<ptx_place>& chain, const fs::path& source) {
    for (const auto& [file, line, column] : chain) {
      const fs::path path{files_[file]};
      if (line > 0 && path.lexically_normal() == source) {
        one.line = line;
        one.elsewhere.clear();
        return;
      }
      if (line > 0 && one.elsewhere.empty()) one.elsewhere = fmt::format("{}:{}", path.filename().string(), line);
    }
  }

  const std::regex target_{R"(^\s*\.target\s+(\w+))"};
  const std::regex file_name_{R"re(^\s*\.file\s+(\d+)\s+"([^"]*)")re"};
  const std::regex beginning_{R"(^(?:\.visible |\.weak )*\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+))"};
  const std::regex location_{R"(^\s*\.loc\s+(\d+) (\d+) (\d+)(?:.*inlined_at (\d+) (\d+) (\d+))?)"};
  const std::regex label_line_{R"(^\s*([$\w]+):\s*$)"};
  machine_code code_;
  kernel_code next_;
  bool begun_ = false;
  int depth_ = 0;
  std::string statement_, label_;
  ptx_place here_;
  std::map<ptx_place, ptx_place> callers_;                   // the place at which a place was inlined
  std::vector<std::vector<std::vector<ptx_place>>> places_;  // for each kernel and instruction, the innermost first
  std::map<int, std::string> files_;
};

}  // namespace

machine_code parse_ptx(const std::string& text, const fs::path& source) {
  ptx_reader reader;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) reader.read(line);
  return reader.result(source);
}

}  // namespace lab::judge
