#include "trace/hazard_message.hpp"

#include <cstdlib>
#include <fstream>

#include "catch.hpp"

using namespace lab::judge;

namespace {

// A source file for as long as a test needs it.
struct written {
  explicit written(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "lab-kernel-XXXXXX").string();
    REQUIRE(mkstemp(name.data()) >= 0);
    path = name;
    std::ofstream{path} << text;
  }
  ~written() { std::filesystem::remove(path); }

  hazard at(const std::string& kind, const std::string& kernel, int line) const {
    return {.kind = kind,
            .severity = "error",
            .kernel = kernel,
            .file = path.filename().string(),
            .space = "shared",
            .message = "this thread reads what thread (1, 0, 0) writes; no __syncthreads() separates the two accesses",
            .line = line};
  }

  std::filesystem::path path;
};

}  // namespace

TEST_CASE("a refused launch is shown at the line that launches its kernel", "[hazards]") {
  const written file{"if (small)\n  few<<<1, 2>>>(x);\nelse\n  many<<<3, 4>>>(x);\nfew_more<<<1, 1>>>();\n"};
  CHECK(at_its_launch(file.at("launch_error", "few", 4), file.path).line == 2);
  CHECK(at_its_launch(file.at("launch_error", "many", 4), file.path).line == 4);
  CHECK(at_its_launch(file.at("launch_error", "unknown", 4), file.path).line == 4);
  CHECK(at_its_launch(file.at("race", "few", 4), file.path).line == 4);
  CHECK(at_its_launch(file.at("launch_error", "few", 4), "other.cu").line == 4);
}

TEST_CASE("a race of one line that adds to an element asks for an atomic, and not for a barrier", "[hazards]") {
  const written file{"mine[bin] = mine[bin] + 1;\nsum += mine[bin + 1];\n"};
  const auto update = file.at("race", "k", 1), read = file.at("race", "k", 2);
  CHECK(diagnosis_of(update, file.path) == diagnosis_kind::missing_atomic);
  CHECK(describe(update, file.path).find("atomicAdd") != std::string::npos);
  CHECK(describe(update, file.path).find("__syncthreads") == std::string::npos);
  CHECK(diagnosis_of(read, file.path) == diagnosis_kind::missing_barrier);
  CHECK(describe(read, file.path).find("no __syncthreads() separates") != std::string::npos);
}

TEST_CASE("two threads that store to one element are told that a barrier does not help", "[hazards]") {
  const written file{"tile[r * 32 + c] = in[i];\n"};
  auto stored = file.at("race", "k", 1);
  stored.message = "this thread writes what thread (1, 0, 0) writes; only one of the two values remains";
  CHECK(describe(stored, file.path).find("one writer") != std::string::npos);
  CHECK(describe(stored, file.path).find("Put a __syncthreads()") == std::string::npos);
}

TEST_CASE("a thread that returned before a barrier is told to stay, not to move the barrier", "[hazards]") {
  hazard found{.kind = "divergent_barrier", .message = "this thread returned before the barrier at which others wait"};
  CHECK(advice_for(found).find("No thread may return before the last barrier") == 0);
  found.message = "this thread has passed by the barrier and exited";
  CHECK(advice_for(found).find("Move the barrier out of the branch") == 0);
}
