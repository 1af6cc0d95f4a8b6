#pragma once

#include <string_view>

namespace lab {

/// Where kernels run: on the CPU simulator or on a GPU.
enum class backend_kind { sim, cuda };

/// "sim" or "cuda", as on the command line and in the JSON documents.
std::string_view word(backend_kind backend);

}  // namespace lab
