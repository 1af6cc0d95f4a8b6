// expect: compile_error
// Its diagnostics contain formulas, markup, terminal escapes and build-server commands.
#include "lab.hpp"
#error =HYPERLINK("http://localhost/?"&A1,"click") <script>alert(1)</script> ]]> & [31m]0;PASS  ::add-mask::PASS ::set-output name=grade::100 ‮
