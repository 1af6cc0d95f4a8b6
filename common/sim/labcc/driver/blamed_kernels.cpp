#include "sim/labcc/driver/blamed_kernels.hpp"

#include <regex>
#include <sstream>

namespace lab::sim {

namespace {

// A line of the form  file:12:5: text
struct message {
  fs::path file;
  std::size_t line = 0;
  std::string text;
};

std::vector<message> parsed(const std::string& messages) {
  static const std::regex form{"^([^:]+):([0-9]{1,9}):(.*)$"}, color{"\x1b\\[[0-9;]*[mK]"};
  std::vector<message> all;
  std::istringstream lines{std::regex_replace(messages, color, "")};
  std::smatch part;
  for (std::string line; std::getline(lines, line);)
    if (line.size() < 4096 && std::regex_match(line, part, form))
      all.push_back({fs::absolute(part[1].str()).lexically_normal(), std::stoul(part[2]), part[3]});
  return all;
}

void add_kernels_at(const message& one, const kernels_of_files& all, some_kernels& found) {
  const auto file = all.find(one.file);
  if (file == all.end()) return;
  for (std::size_t k = 0; k < file->second.size(); ++k)
    if (one.line >= file->second[k].first && one.line <= file->second[k].last) found[one.file].insert(k);
}

}  // namespace

some_kernels blamed_kernels(const std::string& messages, const kernels_of_files& all) {
  some_kernels found;
  for (const auto& one : parsed(messages))
    if (one.text.find(" warning: ") == one.text.npos) add_kernels_at(one, all, found);
  return found;
}

bool all_errors_are_in(const some_kernels& some, const std::string& messages, const kernels_of_files& all) {
  bool any = false;
  for (const auto& one : parsed(messages)) {
    if (one.text.find(" error: ") == one.text.npos) continue;
    some_kernels found;
    add_kernels_at(one, all, found);
    const auto file = some.find(one.file);
    if (found.empty() || file == some.end() || !file->second.contains(*found[one.file].begin())) return false;
    any = true;
  }
  return any;
}

}  // namespace lab::sim
