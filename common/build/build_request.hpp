#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lab/verdict.hpp"
#include "protocol/confinement.hpp"

namespace lab::judge {

struct build_request {
  backend_kind backend = backend_kind::sim;
  std::filesystem::path source;                  ///< the .cu file
  std::vector<std::filesystem::path> include{};  ///< the lab's folder, for lab.hpp
  std::vector<std::string> link{};               ///< names of libraries: "cublas"
  std::string architecture{};                    ///< "sm_90a"; empty for this machine's GPU
  bool or_any = false;                           ///< on a GPU of another architecture: build for that GPU
  bool device_only = false;                      ///< for a GPU: a cubin without host code
  bool line_info = true;                         ///< for a GPU: machine code knows its source lines
  bool traced = false;                           ///< for the simulator: every access is traced
  bool countable = false;                        ///< traced: refuse code that could hide accesses from the tracer
  bool strict = false;  ///< for the simulator: clang checks the source; `library` is a file with what it says
  double timeout_s = 60;
  confinement confine{};
  std::stop_token stop{};  ///< ends the compilation, as a compile_error
};

struct build_result {
  verdict_kind verdict = verdict_kind::pass;  ///< pass, compile_error, compile_limit or infra_error
  std::filesystem::path library;              ///< the shared object, or the cubin
  std::string log;                            ///< the compiler's output, at most 64 KiB
  bool from_cache = false;
};

}  // namespace lab::judge
