#include "sources.hpp"

#include <fstream>
#include <sstream>

#include "rewrite.hpp"

namespace lab::sim {

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) throw usage_error{"cannot read " + file.string()};
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

std::vector<std::string> included_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') continue;
    const auto word = line.find_first_not_of(" \t", hash + 1);
    if (word == line.npos || line.compare(word, 7, "include") != 0) continue;
    const auto open = line.find_first_of("\"<", word);
    const auto close = open == line.npos ? open : line.find_first_of("\">", open + 1);
    if (close != line.npos) names.push_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

}  // namespace

fs::path rewritten_sources::resolve(const std::string& name, const fs::path& folder) const {
  std::vector<fs::path> places{folder};
  places.insert(places.end(), wanted_.include.begin(), wanted_.include.end());
  for (const auto& place : places) {
    std::error_code ignored;
    const fs::path file = fs::absolute(place / name).lexically_normal();
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

void rewritten_sources::visit(const fs::path& file, std::vector<header>& found) {
  if (!seen_.insert(file).second) return;
  std::string text = contents(file);
  const auto names = included_names(text);
  try {
    auto changed = rewrite(text, wanted_.trace);
    found.push_back({file, changed ? std::move(*changed) : std::move(text), changed.has_value()});
  } catch (const rewrite_error& e) {
    throw usage_error{file.string() + ":" + std::to_string(e.line) + ": error: " + e.what()};
  }
  for (const auto& name : names)
    if (const auto header = resolve(name, file.parent_path()); !header.empty()) visit(header, found);
}

fs::path rewritten_sources::write(const fs::path& original, const std::string& text) const {
  const fs::path copy = folder_ / original.relative_path();
  fs::create_directories(copy.parent_path());
  std::ofstream out{copy, std::ios::binary};
  out << text;
  if (!out.flush()) throw usage_error{"cannot write " + copy.string()};
  return copy;
}

fs::path rewritten_sources::add(const fs::path& source) {
  std::vector<header> found;
  const fs::path whole = fs::absolute(source).lexically_normal();
  seen_.erase(whole);
  visit(whole, found);
  bool any = false;
  for (std::size_t i = 1; i < found.size(); ++i) any = any || found[i].changed;
  if (any) mirrored_ = true;
  for (std::size_t i = 1; any && i < found.size(); ++i) {
    write(found[i].path, "#line 1 \"" + found[i].path.string() + "\"\n" + found[i].text);
    quote_.insert(found[i].path.parent_path());
  }
  quote_.insert(whole.parent_path());
  const fs::path copy = write(whole, "#line 1 \"" + source.string() + "\"\n" + found[0].text);
  const fs::path plain = fs::path{copy}.replace_extension(".cu.cpp");
  fs::rename(copy, plain);
  return plain;
}

std::vector<std::string> rewritten_sources::include_flags() const {
  std::vector<std::string> flags;
  for (const auto& folder : quote_) {
    flags.push_back("-iquote");
    flags.push_back(folder.string());
  }
  for (const auto& folder : wanted_.include) {
    if (mirrored_) flags.push_back("-I" + (folder_ / fs::absolute(folder).lexically_normal().relative_path()).string());
    flags.push_back("-I" + folder.string());
  }
  return flags;
}

}  // namespace lab::sim
