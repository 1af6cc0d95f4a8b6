#include "sim/labcc/rewriter/unsupported.hpp"

#include <cctype>
#include <utility>

#include "sim/labcc/rewriter/rewriter.hpp"

namespace lab::sim {

namespace {

using unsupported_name = std::pair<std::string_view, std::string_view>;

constexpr unsupported_name types[] = {
    {"cudaMipmappedArray_t", "mipmapped arrays"},
    {"cudaIpcMemHandle_t", "memory shared between processes"},
};

constexpr unsupported_name functions[] = {
    {"cudaMallocMipmappedArray", "mipmapped arrays"},
    {"cudaMemPoolExportToShareableHandle", "memory shared between processes"},
    {"cudaMemPoolImportFromShareableHandle", "memory shared between processes"},
    {"this_multi_grid", "multi-grid groups"},
    {"__shfl", "shuffles without a mask (use __shfl_sync)"},
    {"__shfl_up", "shuffles without a mask (use __shfl_up_sync)"},
    {"__shfl_down", "shuffles without a mask (use __shfl_down_sync)"},
    {"__shfl_xor", "shuffles without a mask (use __shfl_xor_sync)"},
    {"__ballot", "votes without a mask (use __ballot_sync)"},
    {"__any", "votes without a mask (use __any_sync)"},
    {"__all", "votes without a mask (use __all_sync)"},
    {"cuLinkCreate", "the driver API's linker"},
    {"cuMemCreate", "the driver API's virtual memory"},
    {"cuMemAddressReserve", "the driver API's virtual memory"},
    {"cuArray3DCreate", "the driver API's arrays of three dimensions (use those of the runtime API)"},
    {"cuSurfObjectCreate", "the driver API's surfaces (use those of the runtime API)"},
    {"cuModuleGetTexRef", "the driver API's texture references (use texture objects)"},
    {"nvrtcCreateProgram", "run-time compilation"},
};

// Prefixes of header names.
constexpr unsupported_name headers[] = {
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"cuda/ptx", "inline PTX of libcu++"},
    {"cuda/", "libcu++"},
    {"nv/target", "libcu++"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CUTLASS"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"nccl", "NCCL"},
    {"cuda_egl_interop", "EGL"},
    {"cudaEGL", "EGL"},
    {"nvrtc", "run-time compilation"},
    {"cuda_fp6", "6-bit floating point"},
    {"cuda_fp4", "4-bit floating point"},
    {"cuda_awbarrier", "arrive/wait barriers"},
};

bool is_lower_or_digit(char c) {
  return std::islower(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c));
}

}  // namespace

std::string unsupported_type(std::string_view name) {
  for (const auto& [type, what] : types)
    if (name == type) return std::string{what};
  return {};
}

std::string unsupported_function(std::string_view name, std::string_view next) {
  if (next != "(" && next != "<") return {};
  for (const auto& [function, what] : functions)
    if (name == function) return std::string{what};
  return {};
}

std::string unsupported_header(std::string_view header) {
  for (const auto& [begin, what] : headers)
    if (header.starts_with(begin)) return std::string{what};
  return {};
}

// PTX has types in its instructions, as in ld.global.f32, and registers with one %.
bool is_ptx(std::string_view literal) {
  for (const std::string_view word : {"%laneid", "%smid", "%warpid", "%nsmid", "%globaltimer", "%clock", "%lanemask",
                                      "membar", "trap;", "exit;", "bar.", "red.", "{\\n"})
    if (literal.find(word) != literal.npos) return true;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i)
    if (literal[i] == '.' && is_lower_or_digit(literal[i - 1]) &&
        std::isalpha(static_cast<unsigned char>(literal[i + 1])))
      return true;
  return false;
}

std::string refusal(const std::string& construct) {
  return std::string{refusal_mark} + " \\\"the simulator does not support " + construct + "\\\"\") ";
}

void rewriter::refuse(std::size_t position) {
  const auto w = tokens_[position].words;
  if (w == "asm" || w == "__asm__" || w == "__asm") return assembly(position);
  const std::string_view next = position + 1 < tokens_.size() ? tokens_[position + 1].words : "";
  if (w == "texture" && next == "<") return texture_reference(position);
  if (w == "__cluster_dims__") return cluster_size(position);
  auto what = unsupported_type(w);
  if (what.empty() && !(what = unsupported_function(w, next)).empty() && is_own(w)) return;
  if (!what.empty()) edits_.insert(tokens_[position].begin, refusal(what));
}

// The template of texture references, unless the source has a name of its own that is the same.
void rewriter::texture_reference(std::size_t position) {
  const auto before = position > 0 ? tokens_[position - 1].words : "";
  for (std::size_t t = 0; t + 1 < tokens_.size(); ++t)
    if (tokens_[t].words == "texture" && tokens_[t].kind == token_kind::identifier && tokens_[t + 1].words != "<")
      return;
  if (before != "::" && before != "." && before != "->" && before != "struct" && before != "class")
    edits_.insert(tokens_[position].begin, "::lab_sim::");
}

// Whether this source declares the name or uses it as a member.
bool rewriter::is_own(std::string_view name) const {
  for (std::size_t t = 1; t + 1 < tokens_.size(); ++t) {
    const auto before = tokens_[t - 1].words;
    if (tokens_[t].words != name || tokens_[t + 1].words != "(") continue;
    if (before == "." || before == "->") return true;
    if (tokens_[t - 1].kind == token_kind::identifier && before != "return" && before != "else") return true;
  }
  return false;
}

}  // namespace lab::sim
