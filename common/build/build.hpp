#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/verdict.hpp"
#include "protocol/confinement.hpp"

namespace lab::judge {

struct build_request {
  backend_kind backend = backend_kind::sim;
  std::filesystem::path source;                  ///< the .cu file
  std::vector<std::filesystem::path> include{};  ///< the lab's folder, for lab.hpp
  std::vector<std::string> link{};               ///< names of libraries, "cublas"
  std::string architecture{};                    ///< "sm_90a" for that alone; empty for the GPU that is there
  bool or_any = false;                           ///< if another GPU than `architecture` is there, for that one
  bool device_only = false;                      ///< for a GPU: its code alone, a cubin without any host code
  bool traced = false;                           ///< for the simulator: every access is seen
  double timeout_s = 60;
  confinement confine{};
};

struct build_result {
  verdict_kind verdict = verdict_kind::pass;  ///< pass, compile_error, compile_limit or infra_error
  std::filesystem::path library;              ///< the shared object, or the cubin
  std::string log;                            ///< the compiler's words, at most 64 KiB
  bool from_cache = false;
};

/// Makes a shared object of one .cu file, unless the cache has one of the same text, headers, compiler and flags.
build_result build(const build_request& r);

/// Removes what builds left behind that were dropped half-way, here or in another process that has ended.
void remove_abandoned_builds();

}  // namespace lab::judge
