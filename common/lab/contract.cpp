#include "lab/contract.hpp"

namespace lab {

void allocate_outputs(arguments& all) {
  for (auto& a : all)
    if (a.role == role::output) a.bytes.resize(a.size_bytes());
}

}  // namespace lab
