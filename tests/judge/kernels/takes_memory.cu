#include <cstdlib>
#include <cstring>

#include "lab.hpp"

void twice(const int* in, int* out, int n) {
  for (;;) std::memset(std::malloc(16 << 20), 1, 16 << 20);
}
