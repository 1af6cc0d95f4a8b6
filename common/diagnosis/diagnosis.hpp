#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnosis/diagnosis_kind.hpp"
#include "diagnosis/mismatch.hpp"
#include "protocol/array_layout.hpp"

namespace lab::judge {

/// A guess at the cause of a mismatch.
struct diagnosis {
  diagnosis_kind kind = diagnosis_kind::none;
  std::string text{};     ///< one or two sentences: the pattern, and where to look
  std::string seen_at{};  ///< the case that shows the pattern, if it is another one than this
  bool exact = false;     ///< accounts for every element, so it counts for more than patterns that fit more cases

  explicit operator bool() const { return kind != diagnosis_kind::none; }
  /// Says only that something is wrong, or what many mistakes lead to at small sizes.
  bool weak() const {
    using enum diagnosis_kind;
    return kind == wrong_everywhere || kind == scattered || kind == untouched || kind == bad_launch;
  }
};

/// All that fits, the best guess first: at one size several mistakes may look alike.
using diagnoses = std::vector<diagnosis>;

diagnoses diagnose(const mismatch& wrong);

/// What a store outside the array of the given name and shape looks like.
diagnoses diagnose(const stray_store& store, const std::string& name, const array_shape& extents);

/// Whether the stores past the end fill as many elements as an input of as many axes has.
std::optional<diagnosis> as_large_as_an_input(const stray_store& store, const arguments& given,
                                              const std::vector<std::string>& parameters);

/// What an error of the CUDA runtime after a launch with these arguments means, if it means something here.
diagnoses diagnose_launch(const std::string& error, const arguments& given = {});

/// Whether a message names an allocation of as many bytes as one of the arrays has elements.
bool counts_elements_as_bytes(const std::string& message, const arguments& given);

/// What that means, after a sentence that says where.
diagnosis wrong_number_of_bytes(const std::string& what);

/// The end of the text of `scattered`, for a kernel that no trace has seen.
inline constexpr const char* may_be_a_race = " If other elements are wrong in the next run, two threads race.";

// The two halves of diagnose(): by what was written, and by where it is wrong.
diagnoses by_value(const mismatch& wrong);
diagnoses by_position(const mismatch& wrong);

}  // namespace lab::judge
