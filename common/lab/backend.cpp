#include "lab/backend.hpp"

namespace lab {

std::string_view word(backend_kind backend) { return backend == backend_kind::cuda ? "cuda" : "sim"; }

}  // namespace lab
