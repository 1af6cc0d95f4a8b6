#include "build/source_texts.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <sstream>

#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

// The quoted names after #include, also those that the preprocessor would skip.
std::vector<std::string> included_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || line.find("include", hash) == std::string::npos) continue;
    const auto open = line.find('"'), close = line.find('"', open + 1);
    if (close != std::string::npos) names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

std::optional<fs::path> resolve(const std::string& name, const fs::path& beside, const std::vector<fs::path>& include) {
  std::error_code ignored;
  if (fs::is_regular_file(beside / name, ignored)) return beside / name;
  for (const auto& folder : include)
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return std::nullopt;
}

class collector {
 public:
  collector(const std::vector<fs::path>& include, bool trusted) : include_{include}, trusted_{trusted} {}

  void add(const fs::path& file) {
    if (!seen_.insert(fs::weakly_canonical(file)).second) return;
    const auto text = read_if_there(file);
    all_ += fmt::format("{} {}\n{}\n", file.string(), text.size(), text);
    for (const auto& name : included_names(text)) {
      if (!trusted_ && name.find('/') != std::string::npos) continue;
      if (const auto found = resolve(name, file.parent_path(), include_)) add(*found);
    }
  }
  const std::string& all() const { return all_; }

 private:
  const std::vector<fs::path>& include_;
  bool trusted_;
  std::set<fs::path> seen_;
  std::string all_;
};

}  // namespace

std::string texts_of(const fs::path& source, const std::vector<fs::path>& include, bool trusted) {
  collector texts{include, trusted};
  texts.add(source);
  return texts.all();
}

}  // namespace lab::judge
