// expect: wrong_answer
// Its output contains formulas, markup, terminal escapes and build-server commands.
#include <cstdio>

#include "lab.hpp"

void vector_add(const int*, const int*, int*, int) {
  std::puts("=HYPERLINK(\"http://localhost/\")\n<script>alert(1)</script>]]>&\033[31mPASS\033]0;PASS\007");
  std::puts("::add-mask::PASS\n##[error]PASS\n\001\002\x7f\xff\xfe\xe2\x80\xae</pre></details><h1>PASS</h1>");
}

void vector_add_host(const int*, const int*, int*, int) {}
