#pragma once

#include <filesystem>
#include <string>

#include "lab/lab_definition.hpp"

namespace lab::judge {

/// A kernel of a lab: the student's, the solution, the encore, or any file.
struct kernel_variant {
  std::string word;  ///< "starter", "solution", "encore" or "file", as in the JSON documents
  std::filesystem::path source;
  bool gates_count =
      true;  ///< false: a gate that is missed is a remark, as for an encore, which chooses kernels by size
};

/// The source as a message names it once: "labs/04_name/kernel.cu" in this checkout, elsewhere the whole path.
std::string place_of(const kernel_variant& which);

kernel_variant starter_of(const entry& lab);            ///< @throws usage_error outside of a course
kernel_variant untouched_starter_of(const entry& lab);  ///< as it was delivered
kernel_variant solution_of(const entry& lab);
kernel_variant encore_of(const entry& lab);

}  // namespace lab::judge
