#include "text/sanitize.hpp"

#include "catch.hpp"

using namespace lab;

TEST_CASE("control characters, invalid UTF-8 and marks of writing direction become U+FFFD") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(sanitize::plain("a\x1b[31mb") == "a" + mark + "[31mb");
  CHECK(sanitize::plain(std::string_view{"a\0b", 3}) == "a" + mark + "b");
  CHECK(sanitize::plain("\xff\xc0\xaf") == mark + mark + mark);
  CHECK(sanitize::plain("x\xe2\x80\xaey") == "x" + mark + "y");
  CHECK(sanitize::plain("x\xd8\x9cy") == "x" + mark + "y");  // Arabic letter mark
  CHECK(sanitize::plain("\xf3\xa0\x81\x81") == mark);        // an invisible A (tag character)
  CHECK(sanitize::plain("\xed\xa0\x80") == mark);
  CHECK(sanitize::plain("\xc2\x9b"
                        "31m") == mark + "31m");
}

TEST_CASE("an overlong encoding of a character is no character") {
  const std::string mark = "\xef\xbf\xbd";
  CHECK(sanitize::plain("\xe0\x80\xaf") == mark + mark + mark);             // a slash in three bytes
  CHECK(sanitize::plain("\xf0\x80\x80\xbc") == mark + mark + mark + mark);  // < in four
  CHECK(sanitize::plain("a\xe2\x82") == "a" + mark + mark);                 // the end of the text cuts a character
}

TEST_CASE("ordinary text of any language stays as it is") {
  CHECK(sanitize::plain("gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx") ==
        "gr\xc3\xb6\xc3\x9f\x65r \xe2\x89\xa4 \xf0\x9f\x98\x80\n\tx");
  CHECK(sanitize::plain("a\r\nb") == "a\nb");
}

TEST_CASE("long text is cut and marked") { CHECK(sanitize::plain(std::string(50, 'x'), 10) == "xxxxxxxxxx [cut]"); }

TEST_CASE("a CSV cell is never a formula") {
  CHECK(sanitize::csv("=1+1") == "\"'=1+1\"");
  CHECK(sanitize::csv("  @x") == "\"'  @x\"");
  CHECK(sanitize::csv("say \"no\"\nx") == "\"say \"\"no\"\" x\"");
  CHECK(sanitize::csv("plain") == "\"plain\"");
}

TEST_CASE("markup is escaped") { CHECK(sanitize::markup("<a b='c'>&\"") == "&lt;a b=&#39;c&#39;&gt;&amp;&quot;"); }

TEST_CASE("a log contains no command of a CI service") {
  CHECK(sanitize::log("::add-mask::x\n##[error]y") == ": :add-mask: :x\n# #[error]y");
  CHECK(sanitize::log(":::") == ": : :");
  CHECK(sanitize::log("###vso[task.x]") == "# # #vso[task.x]");
}

TEST_CASE("a file name has no separator, blank or leading dot, and different texts get different names") {
  CHECK(sanitize::file_name("ada.l-1_x") == "ada.l-1_x");
  CHECK(sanitize::file_name("../x").find('/') == std::string::npos);
  CHECK(sanitize::file_name("..").front() != '.');
  CHECK(sanitize::file_name("a b") != sanitize::file_name("a_b"));
  CHECK(sanitize::file_name("a b") != sanitize::file_name("a\tb"));
  const auto changed = sanitize::file_name("a b");
  CHECK(sanitize::file_name(changed) != changed);
}
