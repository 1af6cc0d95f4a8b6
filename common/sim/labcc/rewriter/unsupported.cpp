#include "sim/labcc/rewriter/unsupported.hpp"

#include <cctype>
#include <utility>

#include "sim/labcc/rewriter/rewriter.hpp"

namespace lab::sim {

namespace {

using entry = std::pair<std::string_view, std::string_view>;

constexpr entry types[] = {
    {"cudaTextureObject_t", "textures"},
    {"cudaSurfaceObject_t", "surfaces"},
    {"textureReference", "textures"},
    {"cudaArray_t", "CUDA arrays (textures)"},
    {"nvcuda", "tensor cores (nvcuda::wmma)"},
    {"wmma", "tensor cores (nvcuda::wmma)"},
    {"__cluster_dims__", "clusters of blocks"},
    {"cudaMemPool_t", "memory pools"},
    {"cudaIpcMemHandle_t", "memory shared between processes"},
};

constexpr entry functions[] = {
    {"cudaBindTexture", "textures"},
    {"cudaCreateTextureObject", "textures"},
    {"cudaMallocArray", "CUDA arrays (textures)"},
    {"cudaMalloc3D", "three-dimensional allocations"},
    {"cudaMemcpy3D", "three-dimensional copies"},
    {"cudaMemcpyPeer", "several devices"},
    {"cudaMemcpyPeerAsync", "several devices"},
    {"cudaDeviceEnablePeerAccess", "several devices"},
    {"cudaGraphAddNode", "graphs that are not captured from a stream"},
    {"cudaGraphAddKernelNode", "graphs that are not captured from a stream"},
    {"cudaGraphAddMemcpyNode", "graphs that are not captured from a stream"},
    {"cudaGraphExecUpdate", "graphs that change once they are made"},
    {"this_cluster", "clusters of blocks"},
    {"this_multi_grid", "groups of several grids"},
    {"__shfl", "shuffles without a mask (use __shfl_sync)"},
    {"__shfl_up", "shuffles without a mask (use __shfl_up_sync)"},
    {"__shfl_down", "shuffles without a mask (use __shfl_down_sync)"},
    {"__shfl_xor", "shuffles without a mask (use __shfl_xor_sync)"},
    {"__ballot", "votes without a mask (use __ballot_sync)"},
    {"__any", "votes without a mask (use __any_sync)"},
    {"__all", "votes without a mask (use __all_sync)"},
    {"__cvta_generic_to_shared", "addresses for inline PTX"},
    {"cuTensorMapEncodeTiled", "tensor maps (TMA)"},
    {"cuInit", "CUDA's driver interface"},
    {"cuLaunchKernel", "CUDA's driver interface"},
    {"nvrtcCreateProgram", "compiling at run time"},
};

// Beginnings of the names of headers.
constexpr entry headers[] = {
    {"mma.h", "tensor cores (nvcuda::wmma)"},
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"cuda/", "libcu++"},
    {"cutlass/", "CUTLASS"},
    {"cute/", "CUTLASS"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"cufft", "cuFFT"},
    {"curand", "cuRAND"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"nccl", "NCCL"},
    {"nvrtc", "compiling at run time"},
    {"cuda_fp8", "numbers of 8 bits"},
    {"cuda_fp6", "numbers of 6 bits"},
    {"cuda_fp4", "numbers of 4 bits"},
    {"cuda_awbarrier", "arrive/wait barriers"},
    {"texture_", "textures"},
    {"surface_", "surfaces"},
};

bool samples_a_texture(std::string_view name) {
  for (const std::string_view begin : {"tex1D", "tex2D", "tex3D", "texCubemap", "surf1D", "surf2D", "surf3D"})
    if (name.starts_with(begin)) return true;
  return false;
}

}  // namespace

std::string unsupported_type(std::string_view name, std::string_view next) {
  for (const auto& [type, what] : types)
    if (name == type) return std::string{what};
  return name == "texture" && next == "<" ? "textures" : "";
}

std::string unsupported_function(std::string_view name, std::string_view next) {
  if (next != "(" && next != "<") return {};
  for (const auto& [function, what] : functions)
    if (name == function) return std::string{what};
  return samples_a_texture(name) ? "textures and surfaces (" + std::string{name} + ")" : std::string{};
}

std::string unsupported_header(std::string_view header) {
  for (const auto& [begin, what] : headers)
    if (header.starts_with(begin)) return std::string{what};
  return {};
}

// PTX names its types in its instructions, as in ld.global.f32, and its registers with one %.
bool is_ptx(std::string_view literal) {
  for (const std::string_view word : {"%laneid", "%smid", "%warpid", "%nsmid", "%globaltimer", "%clock", "%lanemask",
                                      "membar", "trap;", "exit;", "bar.", "red.", "{\\n"})
    if (literal.find(word) != literal.npos) return true;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i)
    if (literal[i] == '.' && std::islower(static_cast<unsigned char>(literal[i - 1])) &&
        std::isalpha(static_cast<unsigned char>(literal[i + 1])))
      return true;
  return false;
}

std::string refusal(const std::string& construct) {
  return std::string{refusal_mark} + " \\\"" + construct + " cannot be had on the simulator\\\"\") ";
}

// asm volatile("..." : ...): the whole of it goes when it is PTX.
void rewriter::assembly(std::size_t t) {
  std::size_t open = t + 1;
  while (open < tokens_.size() && tokens_[open].kind == token_kind::identifier) ++open;
  if (open + 1 >= tokens_.size() || tokens_[open].words != "(") return;
  bool ptx = false;
  for (std::size_t i = open + 1; tokens_[i].kind == token_kind::text; ++i) ptx = ptx || is_ptx(tokens_[i].words);
  if (!ptx) return;
  edits_.replace(tokens_[t].begin, tokens_[closing(open)].end, refusal("inline PTX (asm)") + "static_cast<void>(0)",
                 tokens_[t].directive);
}

void rewriter::refuse(std::size_t t) {
  const auto w = tokens_[t].words;
  if (w == "asm" || w == "__asm__" || w == "__asm") return assembly(t);
  const std::string_view next = t + 1 < tokens_.size() ? tokens_[t + 1].words : "";
  auto what = unsupported_type(w, next);
  if (what.empty() && !(what = unsupported_function(w, next)).empty() && is_own(w)) return;
  if (!what.empty()) edits_.insert(tokens_[t].begin, refusal(what));
}

// A name that this source declares or reaches through an object.
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
