#include "text/sanitize.hpp"

#include "catch.hpp"

using namespace lab;

TEST_CASE("control characters, broken UTF-8 and marks of direction become a question mark in a diamond") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(sanitize::plain("a\x1b[31mb") == "a" + mark + "[31mb");
  CHECK(sanitize::plain(std::string_view{"a\0b", 3}) == "a" + mark + "b");
  CHECK(sanitize::plain("\xff\xc0\xaf") == mark + mark + mark);
  CHECK(sanitize::plain("x\xe2\x80\xaey") == "x" + mark + "y");
  CHECK(sanitize::plain("x\xd8\x9cy") == "x" + mark + "y");  // Arabic letter mark
  CHECK(sanitize::plain("\xf3\xa0\x81\x81") == mark);        // an A that nobody sees
  CHECK(sanitize::plain("\xed\xa0\x80") == mark);
  CHECK(sanitize::plain("\xc2\x9b"
                        "31m") == mark + "31m");
}

TEST_CASE("ordinary text of any language stays as it is") {
  CHECK(sanitize::plain("gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx") ==
        "gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx");
  CHECK(sanitize::plain("a\r\nb") == "a\nb");
}

TEST_CASE("long text is cut, and says so") { CHECK(sanitize::plain(std::string(50, 'x'), 10) == "xxxxxxxxxx [cut]"); }

TEST_CASE("a CSV cell never begins a formula") {
  CHECK(sanitize::csv("=1+1") == "\"'=1+1\"");
  CHECK(sanitize::csv("  @x") == "\"'  @x\"");
  CHECK(sanitize::csv("say \"no\"\nx") == "\"say \"\"no\"\" x\"");
  CHECK(sanitize::csv("plain") == "\"plain\"");
}

TEST_CASE("markup is text") { CHECK(sanitize::markup("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;"); }

TEST_CASE("a build server sees no command") {
  CHECK(sanitize::log("::add-mask::x\n##[error]y") == ": :add-mask: :x\n# #[error]y");
  CHECK(sanitize::log(":::") == ": : :");
  CHECK(sanitize::log("###vso[task.x]") == "# # #vso[task.x]");
}

TEST_CASE("a file name holds no separator, no blank and no dot in front, and stays unlike others") {
  CHECK(sanitize::file_name("ada.l-1_x") == "ada.l-1_x");
  CHECK(sanitize::file_name("../x").find('/') == std::string::npos);
  CHECK(sanitize::file_name("..").front() != '.');
  CHECK(sanitize::file_name("a b") != sanitize::file_name("a_b"));
  CHECK(sanitize::file_name("a b") != sanitize::file_name("a\tb"));
  const auto changed = sanitize::file_name("a b");
  CHECK(sanitize::file_name(changed) != changed);
}
