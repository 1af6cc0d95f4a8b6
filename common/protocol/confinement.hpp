#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "lab/backend.hpp"
#include "support/process.hpp"

namespace lab::judge {

/// What an untrusted program needs besides the system's own libraries and tools.
struct needs {
  backend_kind backend = backend_kind::sim;
  bool compiles = false;                          ///< starts other programs, needs room for temporary files
  std::vector<std::filesystem::path> readable{};  ///< files and folders
  std::filesystem::path writable{};               ///< a folder, empty for none
};

/// Changes how an untrusted program is started, so that it can do no harm. Empty: it runs as this user.
using confinement = std::function<spawn_request(spawn_request, const needs&)>;

}  // namespace lab::judge
