#pragma once

#include <string_view>

namespace lab {

/// Kernels run on the CPU simulator or on a GPU.
enum class backend_kind { sim, cuda };

/// The word on the command line and in the JSON documents: "sim" or "cuda".
std::string_view word(backend_kind backend);

}  // namespace lab
