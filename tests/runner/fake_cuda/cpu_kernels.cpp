#include "cpu_kernels.hpp"

namespace fake_cuda {

int bias = 0, launched = 0;

namespace {

template <class T>
T value(void* address) {
  return *static_cast<T*>(address);
}

// to[i] = 2 * from[i] for i < n.
void twice(void** values) {
  const auto* const from = value<const int*>(values[0]);
  auto* const to = value<int*>(values[1]);
  for (int i = 0; i < value<int>(values[2]); ++i) to[i] = 2 * from[i];
}

// to[i] += from[i] + bias + launched: right only if memory and global variables have their initial values.
void add(void** values) {
  const auto* const from = value<const int*>(values[0]);
  auto* const to = value<int*>(values[1]);
  for (int i = 0; i < value<int>(values[2]); ++i) to[i] += from[i] + bias + launched;
  ++launched;
}

void nothing(void**) {}

const std::vector<parameter> two_arrays{{0, 8}, {8, 8}, {16, 4}};
const kernel all[] = {
    {"twice", two_arrays, twice}, {"add", two_arrays, add}, {"_Z6kernelPfi4pair", {{0, 8}, {8, 4}, {16, 16}}, nothing}};

}  // namespace

const kernel* find(std::string_view name) {
  for (const auto& kernel : all)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

}  // namespace fake_cuda
