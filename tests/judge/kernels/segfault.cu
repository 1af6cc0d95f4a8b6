#include "lab.hpp"

void twice(const int* in, int* out, int n) { *reinterpret_cast<volatile int*>(8) = n; }
