#pragma once

#include "build/build_request.hpp"

namespace lab::judge {

enum class device_code_form {
  cubin,  ///< the log says what each kernel needs: registers, shared memory, spills
  ptx
};

/// Compiles the device code of a request alone, to be read and not to run. The cache keeps it as build() does.
build_result build_device_code(const build_request& request, device_code_form form);

}  // namespace lab::judge
