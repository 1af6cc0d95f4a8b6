#include <algorithm>
#include <regex>
#include <sstream>

#include "machine_code/parse.hpp"

namespace lab::judge {

namespace {

std::uint64_t number_before(const std::string& line, const char* words) {
  std::smatch found;
  return std::regex_search(line, found, std::regex{std::string{R"((\d+) )"} + words}) ? std::stoull(found[1]) : 0;
}

kernel_code* kernel_of(machine_code& code, const std::string& symbol) {
  const auto at = std::ranges::find(code.kernels, symbol, &kernel_code::symbol);
  return at == code.kernels.end() ? nullptr : &*at;
}

}  // namespace

// After "Compiling entry function 'X'" come the properties of X and then those of the functions that it calls.
void add_resources(machine_code& code, const std::string& report) {
  static const std::regex entry{"Compiling entry function '([^']+)'"}, properties{"Function properties for (\\S+)"};
  kernel_code *kernel = nullptr, *described = nullptr;
  std::istringstream lines{report};
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, entry)) {
      kernel = kernel_of(code, found[1]);
      if (kernel) kernel->resources.emplace();
    } else if (std::regex_search(line, found, properties)) {
      described = kernel && found[1] == kernel->symbol ? kernel : nullptr;
    } else if (described && line.find("bytes stack frame") != std::string::npos) {
      described->resources->stack_bytes = number_before(line, "bytes stack frame");
      described->resources->spill_store_bytes = number_before(line, "bytes spill stores");
      described->resources->spill_load_bytes = number_before(line, "bytes spill loads");
    } else if (described && line.find("Used ") != std::string::npos) {
      described->resources->registers = static_cast<int>(number_before(line, "registers"));
      described->resources->barriers = static_cast<int>(number_before(line, "barriers"));
      described->resources->shared_bytes = number_before(line, "bytes smem");
    }
  }
}

}  // namespace lab::judge
