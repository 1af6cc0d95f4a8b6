#include "grade/inert.hpp"

#include "catch.hpp"

using namespace lab::grade;

TEST_CASE("control characters, broken UTF-8 and marks of direction become a question mark in a diamond") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(inert::plain("a\x1b[31mb") == "a" + mark + "[31mb");
  CHECK(inert::plain(std::string_view{"a\0b", 3}) == "a" + mark + "b");
  CHECK(inert::plain("\xff\xc0\xaf") == mark + mark + mark);
  CHECK(inert::plain("x\xe2\x80\xaey") == "x" + mark + "y");
  CHECK(inert::plain("x\xd8\x9cy") == "x" + mark + "y");  // Arabic letter mark
  CHECK(inert::plain("\xf3\xa0\x81\x81") == mark);        // an A that nobody sees
  CHECK(inert::plain("\xed\xa0\x80") == mark);
  CHECK(inert::plain("\xc2\x9b"
                     "31m") == mark + "31m");
}

TEST_CASE("an overlong encoding of a character is no character") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(inert::plain("\xe0\x80\xaf") == mark + mark + mark);             // a slash in three bytes
  CHECK(inert::plain("\xf0\x80\x80\xbc") == mark + mark + mark + mark);  // < in four
  CHECK(inert::plain("a\xe2\x82") == "a" + mark + mark);                 // the end of the text cuts a character
}

TEST_CASE("ordinary text of any language stays as it is") {
  CHECK(inert::plain("gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx") ==
        "gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx");
  CHECK(inert::plain("a\r\nb") == "a\nb");
}

TEST_CASE("long text is cut, and says so") { CHECK(inert::plain(std::string(50, 'x'), 10) == "xxxxxxxxxx [cut]"); }

TEST_CASE("a CSV cell never begins a formula") {
  CHECK(inert::csv("=1+1") == "\"'=1+1\"");
  CHECK(inert::csv("  @x") == "\"'  @x\"");
  CHECK(inert::csv("say \"no\"\nx") == "\"say \"\"no\"\" x\"");
  CHECK(inert::csv("plain") == "\"plain\"");
}

TEST_CASE("markup is text") { CHECK(inert::markup("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;"); }

TEST_CASE("a build server sees no command") {
  CHECK(inert::log("::add-mask::x\n##[error]y") == ": :add-mask: :x\n# #[error]y");
  CHECK(inert::log(":::") == ": : :");
  CHECK(inert::log("###vso[task.x]") == "# # #vso[task.x]");
}

TEST_CASE("a file name holds no separator, no blank and no dot in front, and stays unlike others") {
  CHECK(inert::file_name("ada.l-1_x") == "ada.l-1_x");
  CHECK(inert::file_name("../x").find('/') == std::string::npos);
  CHECK(inert::file_name("..").front() != '.');
  CHECK(inert::file_name("a b") != inert::file_name("a_b"));
  CHECK(inert::file_name("a b") != inert::file_name("a\tb"));
  const auto changed = inert::file_name("a b");
  CHECK(inert::file_name(changed) != changed);
}
