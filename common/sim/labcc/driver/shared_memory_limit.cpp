#include "sim/labcc/driver/shared_memory_limit.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace lab::sim {

namespace {

constexpr std::size_t most_static_shared = 48 << 10;

// Lines of `readelf -sW -C`: number, value, size, type, binding, visibility, section, name.
std::map<std::string, std::size_t> static_shared_bytes(const std::string& program) {
  std::map<std::string, std::size_t> bytes;
  std::set<std::string> seen;  // a template's variables are in two symbol tables
  const auto command = "readelf -sW -C '" + program + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> symbols{popen(command.c_str(), "r"), pclose};
  char line[4096];
  while (symbols && std::fgets(line, sizeof line, symbols.get())) {
    std::istringstream fields{line};
    std::string number, value, size, type, binding, visibility, section, name;
    fields >> number >> value >> size >> type >> binding >> visibility >> section;
    std::getline(fields, name);
    const auto scope = name.rfind("::");  // "kernel(int*)::tile": a variable of a function
    if (type == "TLS" && section != "UND" && scope != std::string::npos && seen.insert(value + name).second)
      bytes[name.substr(1, scope - 1)] += std::stoul(size, nullptr, 0);
  }
  return bytes;
}

}  // namespace

std::string shared_memory_excess(const std::string& program) {
  for (const auto& [kernel, bytes] : static_shared_bytes(program))
    if (bytes > most_static_shared)
      return "error: " + kernel + " uses " + std::to_string(bytes) +
             " bytes of static shared memory; a block has at most " + std::to_string(most_static_shared) +
             " (more only as dynamic shared memory)";
  return {};
}

}  // namespace lab::sim
