#include "judge/host_code.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace lab::judge {

namespace {

bool tells_of_host_code(const std::string& message) {
  const auto has = [&](const char* word) { return message.find(word) != std::string::npos; };
  return has("__host__") && (has("__global__ function") || has("__device__ function"));
}

}  // namespace

std::vector<hazard> host_code_in(const std::filesystem::path& source, const std::string& messages) {
  static const std::regex heading{R"(^(.+?):(\d+):\d+: (error|note): (.*)$)"};
  std::vector<hazard> found;
  hazard last{};
  std::istringstream lines{messages};
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    if (!std::regex_match(line, part, heading)) continue;
    const std::filesystem::path file{part[1].str()};
    if (part[3] == "error") {
      last = {.kind = "host_code",
              .severity = "warning",
              .file = file.filename().string(),
              .message = part[4].str(),
              .line = file == source.filename() ? std::stoi(part[2]) : 0};
    }
    // A note tells why no overload fits.
    if (last.line == 0 || !tells_of_host_code(part[4])) continue;
    if (std::ranges::find(found, last.line, &hazard::line) != found.end()) continue;
    found.push_back(last);
    if (part[3] == "note") found.back().message += "; " + part[4].str();
  }
  return found;
}

}  // namespace lab::judge
