#include "text/nearest.hpp"

#include "catch.hpp"

using namespace lab;

TEST_CASE("a mistyped word finds the one that was meant") {
  const std::vector<std::string> commands{"check", "hint", "list", "profile", "predict", "run"};
  CHECK(nearest("chek", commands) == "check");
  CHECK(nearest("hcekc", commands).empty());
  CHECK(nearest("chekc", commands) == "check");
  CHECK(nearest("profle", commands) == "profile");
  CHECK(nearest("frobnicate", commands).empty());
  CHECK(nearest(std::string(100'000, 'x'), commands).empty());
  CHECK(did_you_mean("chek", commands) == "; did you mean \"check\"?");
  CHECK(did_you_mean("frobnicate", commands).empty());
}
