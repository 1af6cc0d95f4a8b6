#include "text/atomic_file.hpp"

#include "catch.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

using namespace lab;

TEST_CASE("a file that cannot be written is named, with the reason and what to do") {
  const temporary_folder folder{"atomic"};
  write_atomically(folder.path() / "file", "old");
  const auto inside = folder.path() / "file" / "inside";
  try {
    write_atomically(inside, "text");
    FAIL("a file is no folder");
  } catch (const write_error& e) {
    const std::string said = e.what();
    CHECK(said.starts_with("cannot write " + inside.string() + ": Not a directory\nNext: "));
  }
  CHECK(read_whole(folder.path() / "file") == "old");
}

TEST_CASE("a failed write leaves the old file and no other") {
  const temporary_folder folder{"atomic"};
  std::filesystem::create_directory(folder.path() / "taken");
  CHECK_THROWS_AS(write_atomically(folder.path() / "taken", "text"), write_error);
  for (const auto& there : std::filesystem::directory_iterator(folder.path()))
    CHECK(there.path().filename() == "taken");
}
