#include <cstdio>

#include "lab.hpp"

void twice(const int* in, int* out, int n) {
  for (;;) std::puts("all work and no play makes a dull kernel");
}
