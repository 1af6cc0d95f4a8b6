#include "lab.hpp"

void twice(const int* in, int* out, int n) {
  for (volatile bool forever = true; forever;) {
  }
}
