#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "build/device_code.hpp"
#include "machine_code/parse.hpp"

namespace lab::judge {

namespace {

std::uint64_t number_before(const std::string& line, const char* words) {
  std::smatch found;
  return std::regex_search(line, found, std::regex{std::string{R"((\d+) )"} + words}) ? std::stoull(found[1]) : 0;
}

}  // namespace

// After "Compiling entry function 'X'" come the properties of X and then those of the functions that it calls.
std::map<std::string, kernel_resources> resources_in(const std::string& report) {
  static const std::regex entry{"Compiling entry function '([^']+)'"}, properties{"Function properties for (\\S+)"};
  std::map<std::string, kernel_resources> all;
  auto kernel = all.end(), described = all.end();
  std::istringstream lines{report};
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, entry)) {
      kernel = all.try_emplace(found[1]).first;
    } else if (std::regex_search(line, found, properties)) {
      described = kernel != all.end() && found[1] == kernel->first ? kernel : all.end();
    } else if (described != all.end() && line.find("bytes stack frame") != std::string::npos) {
      described->second.stack_bytes = number_before(line, "bytes stack frame");
      described->second.spill_store_bytes = number_before(line, "bytes spill stores");
      described->second.spill_load_bytes = number_before(line, "bytes spill loads");
    } else if (described != all.end() && line.find("Used ") != std::string::npos) {
      described->second.registers = static_cast<int>(number_before(line, "registers"));
      described->second.barriers = static_cast<int>(number_before(line, "barriers"));
      described->second.shared_bytes = number_before(line, "bytes smem");
    }
  }
  return all;
}

std::map<std::string, int> registers_of(const build_request& request) {
  std::map<std::string, int> all;
  for (const auto& [symbol, found] : resources_in(build_device_code(request, device_code_form::cubin).log)) {
    auto& most = all[readable_name(symbol)];
    most = std::max(most, found.registers);
  }
  return all;
}

void add_resources(machine_code& code, const std::string& report) {
  const auto all = resources_in(report);
  for (auto& kernel : code.kernels)
    if (const auto found = all.find(kernel.symbol); found != all.end()) kernel.resources = found->second;
}

}  // namespace lab::judge
