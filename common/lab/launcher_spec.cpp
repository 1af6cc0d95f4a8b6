#include "lab/launcher_spec.hpp"

namespace lab {

arguments drawn(const launcher_spec& launcher, const problem_size& size, std::uint64_t seed, inputs kind) {
  random values{seed, kind};
  return launcher.make(size, values);
}

void allocate_outputs(arguments& all) {
  for (auto& a : all)
    if (a.role == parameter_role::output) a.bytes.resize(a.size_bytes());
}

}  // namespace lab
