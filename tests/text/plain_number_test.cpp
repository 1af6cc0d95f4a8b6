#include "text/plain_number.hpp"

#include "catch.hpp"

using lab::plain_number;

TEST_CASE("a count keeps all digits, and a fraction its first ones") {
  CHECK(plain_number(31250) == "31250");
  CHECK(plain_number(1000192, 6) == "1000192");
  CHECK(plain_number(2.75) == "2.75");
  CHECK(plain_number(1.0 / 3) == "0.3333");
  CHECK(plain_number(4) == "4");
  CHECK(plain_number(12345.6) == "12346");
}
