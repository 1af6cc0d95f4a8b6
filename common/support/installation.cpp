#include "support/installation.hpp"

#include <cstdlib>

namespace lab {

namespace {

std::filesystem::path from_environment(const char* name, const char* configured) {
  const char* value = std::getenv(name);
  return value && *value ? value : configured;
}

}  // namespace

const installation& here() {
  static const installation found{from_environment("LAB_ROOT", LAB_CONFIGURED_ROOT),
                                  from_environment("LAB_BUILD", LAB_CONFIGURED_BUILD)};
  return found;
}

std::string_view version() { return LAB_CONFIGURED_VERSION; }

}  // namespace lab
