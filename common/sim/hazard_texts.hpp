#pragma once

#include <string>
#include <string_view>

namespace lab::sim {

/// What hazards.md says about one kind of hazard.
struct hazard_text {
  std::string meaning, cause, advice;
};

/// The text for a hazard in this memory, or, without one of its own, the last text of the kind. All parts are empty for
/// an unknown kind.
const hazard_text& hazard_text_of(std::string_view kind, std::string_view space);

}  // namespace lab::sim
