// expect: compile_error | compile_limit
// Includes itself twice, with an error each time.
#include "lab.hpp"
#error =HYPERLINK("http://localhost/","PASS")
#include "kernel.cu"
