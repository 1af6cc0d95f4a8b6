#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "build/device_code.hpp"
#include "build/toolchain.hpp"
#include "machine_code/parse.hpp"
#include "support/process.hpp"
#include "support/program_path.hpp"
#include "support/temporary_folder.hpp"
#include "text/text_file.hpp"

namespace lab::judge {

namespace fs = std::filesystem;

namespace {

constexpr double disassembling_s = 120;

// Through a file, because a listing is longer than what is kept of a child's output.
std::string disassembly(const fs::path& cubin) {
  const temporary_folder folder{"sass"};
  const auto listing = folder.path() / "listing";
  spawn_request request;
  request.arguments = {"/bin/sh", "-c", "exec \"$@\" > \"$0\"", listing.string(), nvdisasm().string(),
                       "-gi",     "-c", cubin.string()};
  request.environment = clean_environment({"HOME"});
  if (const auto end = run_program(request, disassembling_s); !end.well())
    throw std::runtime_error(fmt::format("{} failed: {}", nvdisasm().string(), end.output));
  return read_whole(listing);
}

// nvcc puts templates last.
int first_line(const kernel_code& kernel) {
  const auto at = std::ranges::find_if(kernel.instructions, [](const instruction& one) { return one.line > 0; });
  return at == kernel.instructions.end() ? 0 : at->line;
}

}  // namespace

fs::path nvdisasm() {
  if (const char* chosen = std::getenv("LAB_NVDISASM")) return is_file(chosen) ? chosen : fs::path{};
  if (const auto beside = nvcc().parent_path() / "nvdisasm"; is_file(beside)) return beside;
  return find_program("nvdisasm");
}

// ptxas tells the resources of a cubin only, so PTX takes a second build.
machine_code list_code(const build_request& request, code_language language) {
  if (language == code_language::sass && nvdisasm().empty())
    throw std::runtime_error(
        "nvdisasm, which shows SASS, is neither beside nvcc nor in PATH; install the toolkit's package cuda-nvdisasm, "
        "or set LAB_NVDISASM to the program; --ptx shows PTX without it");
  const auto cubin = build_device_code(request, device_code_form::cubin);
  if (cubin.verdict != verdict_kind::pass) return {.built = cubin};
  machine_code code;
  if (language == code_language::sass) {
    code = parse_sass(disassembly(cubin.library), request.source);
  } else {
    const auto ptx = build_device_code(request, device_code_form::ptx);
    if (ptx.verdict != verdict_kind::pass) return {.built = ptx};
    code = parse_ptx(read_whole(ptx.library), request.source);
  }
  std::ranges::stable_sort(code.kernels, {}, first_line);
  code.built = cubin;
  add_resources(code, cubin.log);
  return code;
}

}  // namespace lab::judge
