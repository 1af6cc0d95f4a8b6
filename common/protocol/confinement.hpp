#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "lab/backend.hpp"
#include "support/process.hpp"

namespace lab::judge {

/// An untrusted program's needs beyond the system's own libraries and tools.
struct needs {
  backend_kind backend = backend_kind::sim;
  bool compiles = false;                          ///< it starts other programs and writes temporary files
  std::vector<std::filesystem::path> readable{};  ///< files and folders
  std::filesystem::path writable{};               ///< a folder, empty for none
};

/// Changes the start of an untrusted program so that it runs in a sandbox. Empty: it runs as this user, unconfined.
using confinement = std::function<spawn_request(spawn_request, const needs&)>;

}  // namespace lab::judge
