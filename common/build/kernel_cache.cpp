#include "build/kernel_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "build/compile_kernel.hpp"
#include "build/device_code.hpp"
#include "build/source_texts.hpp"
#include "build/toolchain.hpp"
#include "support/installation.hpp"
#include "text/fingerprint.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

void remove_abandoned_builds() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(here().cache / "kernels", ignored)) {
    if (entry.path().extension() != ".part") continue;
    const auto name = entry.path().stem().string();  // KEY.so.PROCESS
    const auto builder = std::atoi(name.c_str() + name.rfind('.') + 1);
    if (builder > 0 && kill(builder, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
}

namespace {

build_result build_with(const std::vector<std::string>& command, const build_request& request,
                        std::string_view extension) {
  std::error_code missing;
  if (!fs::is_regular_file(request.source, missing))
    return {verdict_kind::compile_error, {}, fmt::format("there is no file {}", request.source.string())};
  const auto key = fingerprint(fmt::format("{}\n{}\n{}\n{}", fmt::join(command, "\n"),
                                           toolchain_identity(request.backend), request.confine ? "confined" : "",
                                           texts_of(request.source, request.include, !request.confine)));
  const auto library = here().cache / "kernels" / fmt::format("{}{}", key, extension);
  if (fs::exists(library)) return {verdict_kind::pass, library, read_if_there(log_of(library)), true};
  try {
    return compile_kernel(request, command, library);
  } catch (const std::system_error& error) {
    return {verdict_kind::infra_error, {}, error.what()};
  }
}

}  // namespace

build_result build(const build_request& request) {
  return build_with(compile_command(request), request,
                    request.device_only ? ".cubin"
                    : request.strict    ? ".txt"
                                        : ".so");
}

build_result build_device_code(const build_request& request, device_code_form form) {
  auto wanted = request;
  wanted.backend = backend_kind::cuda;
  wanted.device_only = true;
  auto command = compile_command(wanted);
  if (form == device_code_form::ptx) {
    std::ranges::replace(command, std::string{"-cubin"}, std::string{"-ptx"});
    return build_with(command, wanted, ".ptx");
  }
  command.emplace_back("-Xptxas=-v");
  return build_with(command, wanted, ".cubin");
}

}  // namespace lab::judge
