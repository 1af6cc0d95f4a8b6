#include "sim/labcc/driver/host_libraries.hpp"

#include "sim/labcc/driver/toolchain.hpp"

namespace lab::sim {

namespace {

constexpr host_library libraries[] = {
    {"cublas", "cuBLAS", "libopenblas-dev"},
    {"curand", "cuRAND", ""},
    {"cufft", "cuFFT", "libfftw3-dev"},
    {"cusparse", "cuSPARSE", ""},
};

}  // namespace

bool host_library::present() const {
  std::error_code missing;
  return fs::exists(library_folder() / file(), missing);
}

std::string host_library::lacks() const {
  return "was built without " + std::string{title} + "; install " + std::string{package} + " and build it again";
}

const host_library* library_of_header(std::string_view header) {
  std::error_code missing;
  for (const auto& library : libraries)
    if (header.starts_with(library.name) && fs::exists(include_folder() / header, missing)) return &library;
  return nullptr;
}

const host_library* library_of_option(std::string_view option) {
  if (!option.starts_with("-l")) return nullptr;
  option.remove_prefix(2);
  if (option.ends_with("_static")) option.remove_suffix(7);
  for (const auto& library : libraries)
    if (option == library.name) return &library;
  return nullptr;
}

}  // namespace lab::sim
