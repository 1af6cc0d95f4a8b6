#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "diagnosis/diagnosis.hpp"
#include "trace/traced_call.hpp"

namespace lab::judge {

/// A traced run of a launcher that failed, and what is known about it.
struct traced_failure {
  const traced_call& call;
  std::string size;                     ///< "33x64", for the message
  const std::filesystem::path& source;  ///< the student's file
  const arguments& given;
};

/// The cause of a failed case, better known by the traced run: a hazard is a fact, and a guess that it contradicts is
/// dropped. Nothing if the trace adds nothing to the guess. @param guess the kind and the text of the case
std::optional<diagnosis> cause_by_trace(const diagnosis& guess, const traced_failure& traced);

}  // namespace lab::judge
