#include "kernels.hpp"

namespace tapes {

int bias = 0, launched = 0;

namespace {

template <class T>
T value(void* at) {
  return *static_cast<T*>(at);
}

// to[i] = 2 from[i], for i below n.
void twice(void** v) {
  const auto* const from = value<const int*>(v[0]);
  auto* const to = value<int*>(v[1]);
  for (int i = 0; i < value<int>(v[2]); ++i) to[i] = 2 * from[i];
}

// to[i] += from[i] + bias + launched: right only where memory and variables are as they must be.
void add(void** v) {
  const auto* const from = value<const int*>(v[0]);
  auto* const to = value<int*>(v[1]);
  for (int i = 0; i < value<int>(v[2]); ++i) to[i] += from[i] + bias + launched;
  ++launched;
}

void nothing(void**) {}

const std::vector<parameter> two_arrays{{0, 8}, {8, 8}, {16, 4}};
const kernel all[] = {
    {"twice", two_arrays, twice}, {"add", two_arrays, add}, {"_Z6kernelPfi4pair", {{0, 8}, {8, 4}, {16, 16}}, nothing}};

}  // namespace

const kernel* find(std::string_view name) {
  for (const auto& k : all)
    if (k.name == name) return &k;
  return nullptr;
}

}  // namespace tapes
