// expect: compile_error
// Makes the compiler print that it was stopped. That would look like an error of the machine.
#include "lab.hpp"
#line 0 "g++"
#error Terminated signal terminated program cc1plus

void vector_add(const int* a, const int* b, int* out, int n) {}

void vector_add_host(const int* a, const int* b, int* out, int n) {}
