#include "machine_code/register_compilation.hpp"

#include <stdexcept>

#include "build/toolchain.hpp"
#include "machine_code/machine_code.hpp"
#include "support/process.hpp"

namespace lab::judge {

namespace {

constexpr int lowest_priority = 19;

}  // namespace

register_compilation::register_compilation(build_request request) {
  request.stop = stop_.get_token();
  compiled_ = std::async(std::launch::async, [request = std::move(request)]() -> std::map<std::string, int> {
    if (nvcc().empty()) return {};
    give_way(lowest_priority);
    try {
      return registers_of(request);
    } catch (const std::runtime_error&) {
      return {};
    }
  });
}

register_compilation::~register_compilation() { stop_.request_stop(); }

}  // namespace lab::judge
