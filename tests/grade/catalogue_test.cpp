#include "grade/catalogue.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

// The file that CTest chooses, or all.
std::vector<fs::path> chosen() {
  if (const char* one = std::getenv("LAB_CATALOGUE_FILE")) return {one};
  std::vector<fs::path> all;
  for (const std::string kind : {"hostile", "honest"})
    for (const auto& file : fs::directory_iterator(fs::path{TEST_FOLDER} / kind)) all.push_back(file.path());
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("every submission of the catalogue gets the verdict in its first line and leaves no process or file behind") {
  REQUIRE_FALSE(chosen().empty());
  for (const auto& source : chosen()) lab_test::require_its_verdict(source);
}
