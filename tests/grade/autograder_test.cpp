#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "grade/report/gradescope_times.hpp"
#include "grade/report/portable_tree.hpp"

using namespace lab::grade;
using nlohmann::json;

TEST_CASE("programs for Gradescope need no newer system than Ubuntu 22.04, and no library that is not shipped") {
  const std::string fits =
      "Dynamic Section:\n"
      "  NEEDED               libfmt.so.9\n"
      "  NEEDED               libc.so.6\n"
      "Version References:\n"
      "  required from libc.so.6:\n"
      "    0x09691a75 0x00 05 GLIBC_2.9\n"
      "    0x069691b5 0x00 04 GLIBC_2.35\n"
      "    0x0297f860 0x00 03 GLIBCXX_3.4.30\n";
  CHECK(misfits_of(fits, {"libfmt.so.9"}).empty());
  CHECK(misfits_of(fits, {}) == std::vector<std::string>{"libfmt.so.9"});
  CHECK(misfits_of(fits + "    0x069691b6 0x00 02 GLIBC_2.36\n    0x0297f862 0x00 06 GLIBCXX_3.4.32\n",
                   {"libfmt.so.9"}) == std::vector<std::string>{"GLIBCXX_3.4.32", "GLIBC_2.36"});
}

TEST_CASE("Gradescope's times become a policy's") {
  CHECK(utc_from("2018-07-01T14:22:32.365935-07:00") == "2018-07-01T21:22:33Z");
  CHECK(utc_from("2018-07-01T14:22:32.000000+05:30") == "2018-07-01T08:52:32Z");
  CHECK(utc_from("2018-07-01T14:22:32Z") == "2018-07-01T14:22:32Z");
  for (const auto* bad : {"", "2018-07-01", "2018-07-01T14:22:32", "2018-07-01T14:22:32Zx"}) CHECK_FALSE(utc_from(bad));
}

TEST_CASE("the latest due date of a group counts, and rules without lateness stay") {
  const json metadata{{"created_at", "2026-01-01T00:00:00Z"},
                      {"assignment", {{"due_date", "2026-01-02T00:00:00Z"}}},
                      {"users",
                       {{{"name", "Ada"}},
                        {{"name", "Lee"}, {"assignment", {{"due_date", "2026-01-05T00:00:00Z"}}}},
                        {{"name", "Kim"}, {"assignment", {{"due_date", "2026-01-03T00:00:00Z"}}}}}}};
  const json rules{{"late", {{"deadline", "2000-01-01T00:00:00Z"}, {"percent_per_day", 5}}}};
  CHECK(with_gradescope_times(rules, metadata, "student") ==
        json{{"late",
              {{"deadline", "2026-01-05T00:00:00Z"},
               {"percent_per_day", 5},
               {"times", {{"student", "2026-01-01T00:00:00Z"}}}}}});
  CHECK(with_gradescope_times(json::object(), metadata, "student") == json::object());
  json without = metadata;
  without["assignment"]["due_date"] = nullptr;
  without["users"] = json::array();
  CHECK(with_gradescope_times(rules, without, "student")["late"]["deadline"] == "2000-01-01T00:00:00Z");
  CHECK_THROWS(with_gradescope_times(rules, json::object(), "student"));
}
