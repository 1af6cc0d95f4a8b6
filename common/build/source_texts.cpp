#include "build/source_texts.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <sstream>

#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

struct included_name {
  std::string name;
  bool quoted;
};

// The names after #include, including those that the preprocessor skips.
std::vector<included_name> included_names(const std::string& text) {
  std::vector<included_name> names;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || line.find("include", hash) == std::string::npos) continue;
    const auto open = line.find_first_of("\"<", hash);
    if (open == std::string::npos) continue;
    const bool quoted = line[open] == '"';
    const auto close = line.find(quoted ? '"' : '>', open + 1);
    if (close != std::string::npos) names.push_back({line.substr(open + 1, close - open - 1), quoted});
  }
  return names;
}

std::optional<fs::path> resolve(const included_name& wanted, const fs::path& beside,
                                const std::vector<fs::path>& include) {
  std::error_code ignored;
  const auto& name = wanted.name;
  if (wanted.quoted && fs::is_regular_file(beside / name, ignored)) return beside / name;
  for (const auto& folder : include)
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  return std::nullopt;
}

class collector {
 public:
  collector(const std::vector<fs::path>& include, bool trusted) : include_{include}, trusted_{trusted} {}

  void add(const fs::path& file, const std::string& name) {
    if (!seen_.insert(fs::weakly_canonical(file)).second) return;
    const auto text = read_if_there(file);
    all_ += fmt::format("{} {}\n{}\n", name, text.size(), text);
    for (const auto& wanted : included_names(text)) {
      if (!trusted_ && wanted.name.find('/') != std::string::npos) continue;
      if (const auto found = resolve(wanted, file.parent_path(), include_)) add(*found, wanted.name);
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
  texts.add(source, source.filename().string());
  return texts.all();
}

}  // namespace lab::judge
